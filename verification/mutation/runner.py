"""Run the project's own tests against each mutant, cheap ones first, until one fails.

The tests are collected once. Each mutant has its own process, forked after the collection, so that a crash or an
endless loop does not affect the runner.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from mutation.schemata import Mutant
from variant import ROOT

# Layers, from cheap to expensive; docs/mutation.md says what each can see. The beginning of a name selects a test.
RANDOM = "tests/cosim/test_random_words.py::test_simulator_and_core_agree_on_random_words"
EXAMPLES = "tests/firmware/test_known_answers.py::test_examples_of_the_standards_are_met"
LAYERS = {
    "random": tuple(f"{RANDOM}[{seed}-" for seed in range(20)),
    "directed": ("tests/iss/", "tests/rtl/", "tests/coverage/test_collector.py"),
    "edge cases": (
        "tests/cosim/test_reset.py",
        "tests/cosim/test_words_nearly_legal.py",
        "tests/cosim/test_every_source_waits.py",
        RANDOM,
    ),
    "known answers": (
        EXAMPLES,
        "tests/firmware/test_crc.py",
        "tests/firmware/test_streams.py",
    ),
}
# The mutated build does not translate. The core of the silicon test is its own and has no mutants. A key schedule of
# Blowfish takes 83,074 cycles: for a survivor these tests would take more time than all others.
TRANSLATION = "tests/iss/test_translation"
LEFT_OUT = (TRANSLATION, "tests/rtl/test_silicon.py", f"{EXAMPLES}[blowfish_")
# A mutant may take this many times the original's processor time for a test before it counts as endless.
PATIENCE_FACTOR = 10
PATIENCE_SECONDS = 5
# Exit code of a process in which the runner itself failed; Verilator's errors end with 1.
OWN_ERROR = 70


@dataclass(frozen=True)
class Verdict:
    """Verdict on a mutant: the layer and the test that killed it, and how; all empty when it survived."""

    number: int
    layer: str = ""
    test: str = ""
    by: str = ""
    seconds: float = 0.0

    @property
    def killed(self) -> bool:
        """Whether a test failed."""
        return bool(self.layer)


def layer_of(item: pytest.Item, layers: Mapping[str, tuple[str, ...]] = LAYERS) -> str:
    """The first layer that names the test."""
    if item.nodeid.startswith(LEFT_OUT):
        return ""
    return next((name for name, tests in layers.items() if item.nodeid.startswith(tests)), "")


def first_failure(item: pytest.Item, following: pytest.Item | None) -> pytest.TestReport | None:
    """Run a test; return None, or the report of the failure."""
    return next((r for r in runtestprotocol(item, log=False, nextitem=following) if r.failed), None)


def what_failed(report: pytest.TestReport) -> str:
    """The failure in a word: divergence of the lock-step, a wrong value, or another exception."""
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

    mutants: those to try. record: takes a line of JSON for every verdict. progress: called after every verdict.
    layers: tests of each, from cheap to expensive; the first one keeps its order. choose: activates a mutant.
    """

    mutants: list[Mutant]
    jobs: int
    work: Path
    record: Path
    progress: Callable[[int, int, Counter[str]], None]
    layers: Mapping[str, tuple[str, ...]]
    choose: Callable[[int], None]
    verdicts: dict[int, Verdict] = field(default_factory=dict)
    baseline: dict[str, float] = field(default_factory=dict)
    failure: str = "the tests did not run"

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the original, which must pass, then all mutants, instead of pytest's own loop."""
        if session.testsfailed or not session.items:
            self.failure = "the tests cannot be collected"
            return True
        self.items = {name: [i for i in session.items if layer_of(i, self.layers) == name] for name in self.layers}
        self.kills: Counter[str] = Counter()
        self.failure = ""
        # Without an active mutant everything must pass: the schemata are the original. It runs in this process, so that
        # all mutants share what tests cache (assembled firmware, programs).
        self.baseline = {}
        items = self.order()
        for (_, item), (_, following) in zip(items, [*items[1:], ("", None)], strict=True):
            begin = time.process_time()
            failed = first_failure(item, following)
            if failed is not None:
                self.failure = f"the original fails {item.nodeid}:\n{failed.longreprtext}"
                return True
            self.baseline[item.nodeid] = time.process_time() - begin
        seconds = {name: sum(self.baseline[i.nodeid] for i in items) for name, items in self.items.items()}
        cost = ", ".join(f"{name} {s:.0f} s" for name, s in seconds.items())
        print(f"mutation: a survivor costs about {sum(seconds.values()):.0f} s: {cost}", file=sys.stderr, flush=True)
        for name in list(self.layers)[1:]:
            self.items[name].sort(key=lambda i: self.baseline[i.nodeid])
        self.all()
        return True

    def all(self) -> None:
        """Try every mutant, `jobs` at a time."""
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
            with self.record.open("a") as file:
                file.write(json.dumps(asdict(verdict)) + "\n")
            self.kills[verdict.test] += 1
            outcomes[verdict.layer or "survived"] += 1
            self.progress(len(self.verdicts), len(self.mutants), outcomes)

    def order(self) -> list[tuple[str, pytest.Item]]:
        """The tests layer by layer; within a layer the one that has killed most comes first."""
        layers = self.items.items()
        return [(name, i) for name, items in layers for i in sorted(items, key=lambda i: -self.kills[i.nodeid])]

    # ---------------------------------------------------------------- parent

    def verdict(self, number: int, status: int) -> Verdict:
        """The verdict from the output and exit status of a mutant's process."""
        state = self.work / f"{number}.json"
        layer, test, by, seconds = json.loads(state.read_text())
        output = (self.work / f"{number}.out").read_text(errors="replace")
        code = os.waitstatus_to_exitcode(status)
        if code == OWN_ERROR:
            raise RuntimeError(f"mutant {number}: {output}")
        if code:
            how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
            by = "assertion in the RTL" if "Assertion failed" in output else f"crash ({how})"
            if how in ("SIGXCPU", "SIGKILL"):
                by = "no end"
        for suffix in ("json", "out"):
            (self.work / f"{number}.{suffix}").unlink()
        if not by:
            layer = test = ""
        return Verdict(number, layer, test, by, seconds)

    # ---------------------------------------------------------------- child

    def start(self, number: int) -> int:
        """Fork the process of a mutant; return its pid."""
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            code = OWN_ERROR
            try:
                self.child(number)
                code = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(code)
        return pid

    def child(self, number: int) -> None:
        """Run all tests against one mutant until one fails; a file has the state after each."""
        out = os.open(self.work / f"{number}.out", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        os.dup2(out, 1)
        os.dup2(out, 2)
        self.choose(number)
        begin = time.perf_counter()
        order = self.order()
        state = self.work / f"{number}.json"
        for at, (layer, item) in enumerate(order):
            state.write_text(json.dumps([layer, item.nodeid, "", time.perf_counter() - begin]))
            budget = self.baseline[item.nodeid] * PATIENCE_FACTOR + PATIENCE_SECONDS
            limit = int(time.process_time() + budget) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
            failed = first_failure(item, order[at + 1][1] if at + 1 < len(order) else None)
            if failed is not None:
                by = what_failed(failed)
                state.write_text(json.dumps([layer, item.nodeid, by, time.perf_counter() - begin]))
                return
        state.write_text(json.dumps(["", "", "", time.perf_counter() - begin]))


def select(number: int) -> None:
    """Make a mutant the active one in every extension module: each has its own copy of what it links."""
    from lutra.cosim import _lockstep
    from lutra.coverage import _collector
    from lutra.iss import _iss
    from lutra.rtl import _rtl

    for module in (_iss, _rtl, _lockstep, _collector):
        library: Any = ctypes.CDLL(module.__file__)
        library.lutra_select(number)


def run(
    mutants: list[Mutant],
    search_path: list[str],
    work: Path,
    record: Path,
    jobs: int,
    progress: Callable[[int, int, Counter[str]], None],
) -> Runner:
    """Try the mutants with the tests of all layers, with the toolchain of `search_path`."""
    sys.path[:0] = search_path
    from lutra.iss import _iss

    if not _iss.__file__.startswith(search_path[0]):
        raise RuntimeError(f"the simulator is {_iss.__file__}, not the mutated build")
    ignored = [f"--ignore-glob={ROOT / TRANSLATION}*"]
    return tried(Runner(mutants, jobs, work, record, progress, LAYERS, select), ignored)


def tried(runner: Runner, options: Sequence[str] = ()) -> Runner:
    """The runner after it has tried its mutants. options: further ones of pytest."""
    runner.work.mkdir(parents=True, exist_ok=True)
    files = {str(ROOT / test.split("::")[0]) for tests in runner.layers.values() for test in tests}
    usual = ["-p", "no:cacheprovider", "-p", "no:xdist", "--capture=no", "--rootdir", str(ROOT)]
    with (runner.work / "pytest.log").open("w") as log, contextlib.redirect_stdout(log):
        pytest.main([*usual, *options, *sorted(files)], plugins=[runner])
    return runner
