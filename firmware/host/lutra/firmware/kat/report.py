"""Results of known answers: an outcome for every run, and the counts of tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from lutra.firmware.ciphers import Direction

Verdict = Literal["passed", "rejected", "failed", "skipped"]
# The last of these that came of a test in one of its directions is what came of it.
WORST: tuple[Verdict, ...] = ("passed", "rejected", "failed", "skipped")
# Characters of an answer that fit on a line.
SHOWN_BYTES = 32


@dataclass(frozen=True)
class Outcome:
    """One run of a test, in one direction; of a test that did not run, its only one, without a direction.

    rejected: bad input was refused, as it must be. message: why it failed, was rejected or skipped. expected, got: of a
    wrong answer.
    """

    file: str
    id: str
    algorithm: str
    mode: str
    verdict: Verdict
    direction: Direction | None = None
    message: str = ""
    seconds: float = 0.0
    expected: bytes = b""
    got: bytes = b""

    @property
    def reason(self) -> str:
        """On a line: the message, or of a wrong answer what should have come and what came, where they differ."""
        if self.expected == self.got:
            return self.message
        at = next((n for n, (a, b) in enumerate(zip(self.expected, self.got, strict=False)) if a != b), 0)
        if at < SHOWN_BYTES:
            return f"expected {_shown(self.expected)}, got {_shown(self.got)}"
        return f"expected {_shown(self.expected[at:])} from byte {at} on, got {_shown(self.got[at:])}"


@dataclass(frozen=True)
class Report:
    """Outcome of a run."""

    outcomes: tuple[Outcome, ...]

    @cached_property
    def tests(self) -> dict[tuple[str, str], Verdict]:
        """Return the outcome of each test by file and id: the worse of its directions."""
        found: dict[tuple[str, str], Verdict] = {}
        for o in self.outcomes:
            before = found.get((o.file, o.id), "passed")
            found[o.file, o.id] = max(before, o.verdict, key=WORST.index)
        return found

    @cached_property
    def _counts(self) -> Counter[Verdict]:
        return Counter(self.tests.values())

    @property
    def passed(self) -> int:
        """Tests with the right answer in each direction."""
        return self._counts["passed"]

    @property
    def failed(self) -> int:
        """Failed tests; one that fails in both directions counts once."""
        return self._counts["failed"]

    @property
    def rejected(self) -> int:
        """Tests of bad input that was refused, as it must be."""
        return self._counts["rejected"]

    @property
    def skipped(self) -> int:
        """Tests that no firmware serves."""
        return self._counts["skipped"]

    @property
    def failures(self) -> tuple[Outcome, ...]:
        """The runs that failed."""
        return tuple(o for o in self.outcomes if o.verdict == "failed")

    @property
    def unserved(self) -> dict[tuple[str, str, str], int]:
        """Number of skipped tests by algorithm, mode and reason."""
        return dict(Counter((o.algorithm, o.mode, o.message) for o in self.outcomes if o.verdict == "skipped"))

    @property
    def good(self) -> bool:
        """Something ran and nothing failed."""
        return self.passed + self.rejected > 0 and not self.failed

    def __str__(self) -> str:
        rejected = f"{self.rejected} rejected as they must be, " if self.rejected else ""
        return f"{self.passed} passed, {self.failed} failed, {rejected}{self.skipped} skipped"


def total(reports: Iterable[Report]) -> Report:
    """Several reports as one."""
    return Report(tuple(o for report in reports for o in report.outcomes))


def _shown(data: bytes) -> str:
    text = data[:SHOWN_BYTES].hex()
    return text if len(data) <= SHOWN_BYTES else f"{text}... ({len(data)} bytes)"
