"""Where the time of a test run goes: seconds of the processor by folder and by test, those of child processes included.

Seconds of the processor, not of the clock, so that a busy machine gives nearly the same table as an idle one. A fixture
that tests share is in the set-up of the first of them.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

SLOWEST = 50
PHASES = ("setup", "call", "teardown")


def processor() -> float:
    """Seconds of the processor that this process and the children it has waited for have used."""
    return sum(os.times()[:4])


class Times:
    """Collects the times of all tests, in xdist's workers too, and writes a page of them at the end."""

    def __init__(self, page: Path) -> None:
        self.page = page
        self.start = time.monotonic()
        self.spent: dict[str, dict[str, float]] = defaultdict(dict)
        self.processes = 0.0

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None]:
        return (yield from self._timed(item))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None]:
        return (yield from self._timed(item))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None]:
        return (yield from self._timed(item))

    def _timed(self, item: pytest.Item) -> Generator[None]:
        before = processor()
        try:
            return (yield)
        finally:
            # A property of the report, which xdist brings to the process that writes the page.
            item.user_properties = [("processor", processor() - before)]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, seconds in report.user_properties:
            if report.when and isinstance(seconds, float):
                # The report of another phase, where `Reports` has left out that of this one.
                self.spent[report.nodeid][name.partition(" ")[2] or report.when] = seconds

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["processor"] = processor()
        else:
            # Without the children, since workers tell of themselves.
            self.processes += sum(os.times()[:2]) if self.processes else processor()
            self.page.parent.mkdir(parents=True, exist_ok=True)
            self.page.write_text("\n".join(self.lines()) + "\n")

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.processes += getattr(node, "workeroutput", {}).get("processor", 0.0)

    def lines(self) -> Iterator[str]:
        """The page: totals, a row for each folder, the slowest files and tests."""
        total = sum(sum(phases.values()) for phases in self.spent.values())
        yield f"{len(self.spent)} tests, {total:.0f} s of the processor in them and"
        clock = time.monotonic() - self.start
        yield f"{self.processes - total:.0f} s in start and collection; {clock:.0f} s by the clock."
        folders: dict[str, list[dict[str, float]]] = defaultdict(list)
        for name, phases in self.spent.items():
            folders[name.partition("::")[0].rpartition("/")[0]].append(phases)
        yield f"\n{'folder':28}{'tests':>7}" + "".join(f"{phase:>10}" for phase in (*PHASES, "all"))
        for folder, tests in sorted(folders.items(), key=lambda row: -_all(row[1])):
            sums = [sum(phases.get(phase, 0) for phases in tests) for phase in PHASES]
            yield f"{folder:28}{len(tests):7}" + "".join(f"{seconds:10.1f}" for seconds in (*sums, sum(sums)))
        files: dict[str, list[dict[str, float]]] = defaultdict(list)
        for name, phases in self.spent.items():
            files[name.partition("::")[0]].append(phases)
        yield f"\n{'tests':>8}{'all':>8}  the slowest files"
        for file, tests in sorted(files.items(), key=lambda row: -_all(row[1]))[:SLOWEST]:
            yield f"{len(tests):8}{_all(tests):8.1f}  {file}"
        yield f"\n{'setup':>8}{'call':>8}  the slowest tests"
        slowest = sorted(self.spent.items(), key=lambda row: -sum(row[1].values()))
        for name, phases in slowest[:SLOWEST]:
            yield f"{phases.get('setup', 0):8.1f}{phases.get('call', 0):8.1f}  {name}"


def _all(tests: list[dict[str, float]]) -> float:
    return sum(sum(phases.values()) for phases in tests)
