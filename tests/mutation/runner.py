"""Runs the project's own tests against one mutant after the other, cheap ones first, until one fails.

The tests are collected once. Every mutant has a process of its own, forked behind the collection, so that a crash or an
endless loop is the mutant's and not the runner's.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from mutation.schemata import Mutant

ROOT = Path(__file__).parents[2]

# Layers, cheap to dear: what each can see is told in docs/mutation.md.
LAYERS = {
    "random": ("tests/cosim/test_random_programs.py",),
    "directed": ("tests/iss", "tests/rtl"),
    "firmware": (
        "tests/firmware/test_known_answers.py",
        "tests/firmware/test_streams.py",
        "tests/firmware/test_crc.py",
        "tests/firmware/test_headers.py",
    ),
}
# A mutant may take this much longer than the original over a test, in processor time, before it counts as endless.
PATIENCE_FACTOR = 10
PATIENCE_SECONDS = 5


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: the layer and the test that killed it, by what; all empty when it survived."""

    number: int
    layer: str = ""
    test: str = ""
    by: str = ""
    seconds: float = 0.0

    @property
    def killed(self) -> bool:
        return bool(self.layer)


def layer_of(item: pytest.Item) -> str:
    """The layer whose files the test is in."""
    path = item.path.relative_to(ROOT).as_posix()
    return next(name for name, places in LAYERS.items() if any(path.startswith(p) for p in places))


def processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def what_failed(report: pytest.TestReport) -> str:
    """In a word: divergence of the lock-step, a wrong value, or whatever else was raised."""
    crash = getattr(report.longrepr, "reprcrash", None)
    name = crash.message.split(":")[0].split("\n")[0] if crash is not None else "error"
    name = name.rsplit(".", 1)[-1]
    if "Divergence" in name:
        return "divergence"
    if name.startswith(("assert", "AssertionError", "Failed")):
        return "wrong value"
    return "error: " + name[:60]


@dataclass
class Runner:
    """A pytest plugin in place of its main loop; verdicts holds the outcome.

    mutants: those to try. modules: the extension modules that hold them. progress: called behind every verdict.
    """

    mutants: list[Mutant]
    jobs: int
    work: Path
    progress: Callable[[int, int, Counter[str]], None]
    verdicts: dict[int, Verdict] = field(default_factory=dict)
    baseline: dict[str, float] = field(default_factory=dict)
    failure: str = ""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed or not session.items:
            self.failure = "the tests cannot be collected"
            return True
        self.items = {name: [i for i in session.items if layer_of(i) == name] for name in LAYERS}
        self.kills: Counter[str] = Counter()
        self.work.mkdir(parents=True, exist_ok=True)
        # With no mutant active everything must pass: the schemata are the original.
        original = self.finish(self.start(0))
        if original.killed:
            self.failure = f"the original fails {original.test} ({original.by})"
            return True
        self.baseline = json.loads((self.work / "0.times").read_text())
        for name in ("directed", "firmware"):
            self.items[name].sort(key=lambda i: self.baseline[i.nodeid])
        self.all()
        return True

    def all(self) -> None:
        """Every mutant, `jobs` at a time."""
        waiting = list(reversed(self.mutants))
        running: dict[int, int] = {}
        outcomes: Counter[str] = Counter()
        while waiting or running:
            while waiting and len(running) < self.jobs:
                number = waiting.pop().number
                running[self.start(number)] = number
            pid, status = os.wait()
            verdict = self.verdict(running.pop(pid), status)
            self.verdicts[verdict.number] = verdict
            self.kills[verdict.test] += 1
            outcomes[verdict.layer or "survived"] += 1
            self.progress(len(self.verdicts), len(self.mutants), outcomes)

    # ---------------------------------------------------------------- parent

    def finish(self, pid: int) -> Verdict:
        _, status = os.waitpid(pid, 0)
        return self.verdict(0, status)

    def verdict(self, number: int, status: int) -> Verdict:
        state = self.work / f"{number}.json"
        layer, test, by, seconds = json.loads(state.read_text())
        output = (self.work / f"{number}.out").read_text(errors="replace")
        if os.WIFSIGNALED(status):
            name = signal.Signals(os.WTERMSIG(status)).name
            by = "assertion in the RTL" if "Assertion failed" in output else f"crash ({name})"
            if name in ("SIGXCPU", "SIGKILL"):
                by = "no end"
        for suffix in ("json", "out"):
            (self.work / f"{number}.{suffix}").unlink()
        if not by:
            layer = test = ""
        return Verdict(number, layer, test, by, seconds)

    # ---------------------------------------------------------------- child

    def start(self, number: int) -> int:
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                self.child(number)
                code = 0
            finally:
                os._exit(code)
        return pid

    def child(self, number: int) -> None:
        out = os.open(self.work / f"{number}.out", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        os.dup2(out, 1)
        os.dup2(out, 2)
        select(number)
        begin = time.perf_counter()
        times: dict[str, float] = {}
        order = [
            (name, item)
            for name, items in self.items.items()
            # Within a layer what has killed most comes first.
            for item in sorted(items, key=lambda i: -self.kills[i.nodeid])
        ]
        state = self.work / f"{number}.json"
        for at, (layer, item) in enumerate(order):
            state.write_text(json.dumps([layer, item.nodeid, "", time.perf_counter() - begin]))
            used = processor_time()
            if number:
                budget = self.baseline[item.nodeid] * PATIENCE_FACTOR + PATIENCE_SECONDS
                resource.setrlimit(resource.RLIMIT_CPU, (int(used + budget) + 1, resource.RLIM_INFINITY))
            following = order[at + 1][1] if at + 1 < len(order) else None
            reports = runtestprotocol(item, log=False, nextitem=following)
            times[item.nodeid] = processor_time() - used
            failed = next((r for r in reports if r.failed), None)
            if failed is not None:
                by = what_failed(failed)
                state.write_text(json.dumps([layer, item.nodeid, by, time.perf_counter() - begin]))
                if not number:
                    print(failed.longreprtext, file=sys.stderr)
                break
        else:
            state.write_text(json.dumps(["", "", "", time.perf_counter() - begin]))
        if not number:
            (self.work / "0.times").write_text(json.dumps(times))


def select(number: int) -> None:
    """Make a mutant the active one in both extension modules."""
    from lutra.iss import _iss
    from lutra.rtl import _rtl

    for module in (_iss, _rtl):
        library: Any = ctypes.CDLL(module.__file__)
        library.lutra_select(number)


def run(
    mutants: list[Mutant],
    site: Path,
    work: Path,
    jobs: int,
    progress: Callable[[int, int, Counter[str]], None],
) -> Runner:
    """Try the mutants with the tests of all layers, on the installation in `site`."""
    sys.path.insert(0, str(site))
    import lutra

    if not (lutra.__file__ or "").startswith(str(site)):
        raise RuntimeError(f"lutra is {lutra.__file__}, not the mutated build")
    runner = Runner(mutants, jobs, work, progress)
    places = [str(ROOT / place) for places in LAYERS.values() for place in places]
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:terminal", "--capture=no", "--rootdir", str(ROOT)]
    pytest.main([*options, *places], plugins=[runner])
    return runner
