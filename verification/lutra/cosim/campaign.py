"""Ranges of seeds: each shard runs on its own, results are merged in the order of the seeds.

A seed's program depends only on the seed, weights, mode and rounds, so it does not matter how seeds are distributed
over processes and machines.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

from msgspec import Struct

from lutra import coverage
from lutra.cosim import pool
from lutra.cosim.runner import Failure, run
from lutra.cosim.shrink import shrink
from lutra.cosim.source import labels, text
from lutra.iss import engine as engines
from lutra.iss.job import total
from lutra.random import Generator, Program
from lutra.rtl import RTL_LIBRARY

# Seeds per chunk, the work of a process between two reports; about a second.
CHUNK = 32
# How much longer a shrunk program may take than its original.
SLACK_CYCLES = 500


EngineFactory = Callable[[int], engines.Engine]


@dataclass(frozen=True)
class Work:
    """Seeds first..last-1. weights: pairs, mode: "" for all, rounds: 0 for both, library: another RTL library or "".

    covered: whether functional coverage is counted.
    """

    first: int
    last: int
    mode: str = ""
    rounds: int = 0
    weights: tuple[tuple[str, float], ...] = ()
    library: str = ""
    covered: bool = False

    def chunks(self) -> Iterator[Work]:
        """The same work in pieces for one process each, made one at a time: there may be millions."""
        for n in range(self.first, self.last, CHUNK):
            yield replace(self, first=n, last=min(n + CHUNK, self.last))


class Failed(Struct, frozen=True):
    """A seed that failed. source: the shrunk program as assembly; words: its length; entries: those of its starts."""

    seed: int
    mode: str
    rounds: int
    divergence: bool
    report: str
    source: str
    words: int
    entries: tuple[str, ...]


@dataclass
class Result:
    """The outcome of some seeds. parts: (mode, rounds) -> programs and retired instructions; ends: of all starts."""

    cycles: int = 0
    parts: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)
    stalls: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    failures: list[Failed] = field(default_factory=list)
    coverage: coverage.Counts = field(default_factory=coverage.Counts)

    @property
    def programs(self) -> int:
        return sum(programs for programs, _ in self.parts.values())

    @property
    def retired(self) -> int:
        return sum(retired for _, retired in self.parts.values())

    def add(self, other: Result) -> None:
        """Merge another result into this one."""
        self.cycles += other.cycles
        for part, (programs, retired) in other.parts.items():
            before = self.parts.get(part, (0, 0))
            self.parts[part] = (before[0] + programs, before[1] + retired)
        self.stalls.update(other.stalls)
        self.ends.update(other.ends)
        self.coverage.add(other.coverage)
        self.failures = sorted([*self.failures, *other.failures], key=lambda f: (f.seed, f.mode, f.rounds))


@cache
def _engine(rounds: int, library: str) -> engines.Engine:
    """One engine per process: every program begins with a reset."""
    if library:
        os.environ[RTL_LIBRARY] = library
    return engines.make("cosim", rounds)


@lru_cache(maxsize=8)
def _generator(mode: str, rounds: int, weights: tuple[tuple[str, float], ...]) -> Generator:
    return Generator(dict(weights), mode, rounds)


def work(todo: Work, factory: EngineFactory | None = None) -> Result:
    """Run seeds in this process; failing ones are shrunk. factory: makes the engine, for tests."""
    make = factory or (lambda rounds: _engine(rounds, todo.library))
    generator = _generator(todo.mode, todo.rounds, todo.weights)
    result = Result()
    collectors: dict[int, coverage.Collector] = {}
    for seed in range(todo.first, todo.last):
        program = generator.program(seed)
        engine = make(program.rounds)
        if todo.covered and program.rounds not in collectors:
            collectors[program.rounds] = coverage.Collector(engine)
        stops, failure = run(engine, program)
        whole = total(stops)
        parts = {(program.mode, program.rounds): (1, whole.instructions)}
        ends = Counter(stop.trap or stop.state for stop in stops)
        result.add(Result(whole.cycles, parts, Counter(whole.stalls), ends))
        if failure is not None:
            result.failures.append(_failed(engine, program, failure, max(stop.cycles for stop in stops)))
    for collector in collectors.values():
        if not result.failures:
            result.coverage.add(collector.counts())
        collector.close()
    return result


def _failed(engine: engines.Engine, program: Program, failure: Failure, cycles: int) -> Failed:
    """Report on a failing program; `cycles`: length of its longest start before the failure."""
    if failure.divergence:
        # A candidate may not end; a failing one's starts are about as long as those of the best so far.
        longest = cycles

        def fails(candidate: Program) -> bool:
            nonlocal longest, failure
            stops, failed = run(engine, candidate, 2 * longest + SLACK_CYCLES)
            if failed is None or not failed.divergence:
                return False
            longest, failure = min(longest, max(stop.cycles for stop in stops)), failed
            return True

        program = shrink(program, fails)
    heading = f"seed {program.seed}, mode {program.mode}, ROUNDS_PER_INSTR {program.rounds}\n{failure.report}"
    return Failed(
        seed=program.seed,
        mode=program.mode,
        rounds=program.rounds,
        divergence=failure.divergence,
        report=failure.report,
        source=text(program, heading),
        words=len(program.words),
        entries=tuple(labels(program)),
    )


def results(todo: Work, jobs: int = 1) -> Iterator[Result]:
    """Results of the chunks of a range of seeds, in their order, from `jobs` processes."""
    yield from pool.results(work, todo.chunks(), jobs)
