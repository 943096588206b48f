"""Checks and their results, and reports of them as text, JSON and JUnit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args
from xml.etree.ElementTree import Element, SubElement, tostring

from lutra.asm.analysis.corrections import Correction

Kind = Literal["file", "assembly", "header", "time", "vector", "routine", "proof"]
State = Literal["passed", "failed", "skipped", "warned"]
STATES: tuple[State, ...] = get_args(State)
# Whether a check of a file and a name is to run.
Wanted = Callable[[str, str], bool]


@dataclass(frozen=True)
class Check:
    """One check. file, line: its place; line 0 is the file as a whole. text: why it has not passed.

    seconds: how long it took; 0 where checks share their work. corrections: what `lutra test --fix` writes.
    """

    kind: Kind
    file: str
    name: str
    state: State
    text: str = ""
    line: int = 0
    seconds: float = 0.0
    corrections: tuple[Correction, ...] = ()

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True)
class Report:
    """All checks of a run."""

    checks: tuple[Check, ...]

    def count(self, state: State) -> int:
        return sum(c.state == state for c in self.checks)

    @property
    def good(self) -> bool:
        """Something has passed and nothing failed."""
        return self.count("passed") > 0 and not self.count("failed")

    def as_json(self) -> dict[str, Any]:
        """The object of `lutra test --json`."""
        return {state: self.count(state) for state in STATES} | {"checks": [_as_json(c) for c in self.checks]}


def _as_json(check: Check) -> dict[str, Any]:
    corrections = [asdict(c) | {"file": str(c.file)} for c in check.corrections]
    return asdict(check) | {"corrections": corrections}


def summary(checks: Iterable[Check]) -> str:
    """Return how many passed and failed and, if there are any, were skipped or gave warnings."""
    counts = Counter(c.state for c in checks)
    shown = [f"{counts[s]} {s}" for s in ("passed", "failed", "skipped") if counts[s] or s != "skipped"]
    many = counts["warned"]
    return ", ".join(shown + [f"{many} warning{'s' if many > 1 else ''}"] * (many > 0))


def junit(report: Report) -> bytes:
    """JUnit's XML: a suite for each file, a case for each check; a warning is a case that has passed, with its text."""
    whole = _element("testsuites", "lutra test", report.checks)
    for file in dict.fromkeys(c.file for c in report.checks):
        inside = [c for c in report.checks if c.file == file]
        suite = _element("testsuite", file, inside)
        whole.append(suite)
        for check in inside:
            place = {"file": _legal(file)} | ({"line": str(check.line)} if check.line else {})
            seconds, group = f"{check.seconds:.3f}", f"{_legal(file)}.{check.kind}"
            case = SubElement(suite, "testcase", place, classname=group, name=_legal(check.name), time=seconds)
            text = _legal(check.text)
            if check.state == "failed":
                SubElement(case, "failure", message=text.partition("\n")[0]).text = text
            elif check.state == "skipped":
                SubElement(case, "skipped", message=text)
            elif text:
                SubElement(case, "system-out").text = text
    return bytes(tostring(whole, encoding="utf-8", xml_declaration=True))


def _element(tag: str, name: str, checks: Sequence[Check]) -> Element:
    """A suite with its counts."""
    failed, skipped = (str(sum(c.state == state for c in checks)) for state in ("failed", "skipped"))
    seconds = f"{sum(c.seconds for c in checks):.3f}"
    counts = {"tests": str(len(checks)), "failures": failed, "errors": "0", "skipped": skipped, "time": seconds}
    return Element(tag, {"name": _legal(name)} | counts)


def _legal(text: str) -> str:
    """Return a text that XML allows: without control characters and lone surrogates."""
    return "".join(c if c in "\t\n" or (c >= " " and not "\ud800" <= c <= "\udfff") else "?" for c in text)
