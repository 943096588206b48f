"""Programs of a range of seeds on every level, in several processes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from multiprocessing import get_context

from lutra.random import Generator, Program
from translated.compare import Difference, Pair

CHUNK = 16  # programs of a process between two reports
# Programs translate at the first entry of a block, or interpret its first turns.
PATIENCES = (1, 4)


@dataclass(frozen=True)
class Found:
    """A program that differs, and the command that runs it again."""

    level: str
    seed: int
    mode: str
    rounds: int
    what: str
    interpreted: str
    translated: str
    command: str


@dataclass(frozen=True)
class Result:
    """Outcome of some programs; instructions: of all their starts, on the translated machine."""

    programs: int = 0
    instructions: int = 0
    found: tuple[Found, ...] = ()

    def __add__(self, other: Result) -> Result:
        return Result(
            self.programs + other.programs, self.instructions + other.instructions, (*self.found, *other.found)
        )


@cache
def pair(level: str, rounds: int, patience: int) -> Pair:
    """Keep both machines from one program to the next."""
    return Pair(level, rounds, patience)


@cache
def generator() -> Generator:
    """Make the tables once per process."""
    return Generator()


def compare(level: str, program: Program, seed: int) -> tuple[int, Difference | None]:
    """Run a program; the instructions of all its starts, and how it differs."""
    both = pair(level, program.rounds, PATIENCES[seed // 2 % len(PATIENCES)])
    difference = both.difference(program)
    return both.instructions, difference


def work(levels: tuple[str, ...], seeds: range) -> Result:
    """Run seeds on every level."""
    result = Result()
    for seed in seeds:
        program = generator().program(seed)
        for level in levels:
            instructions, difference = compare(level, program, seed)
            found = () if difference is None else (_found(level, program, difference),)
            result += Result(1, instructions, found)
    return result


def _found(level: str, program: Program, difference: Difference) -> Found:
    command = f"./lutra --with python -m translated --level {level} --programs 1 --seed {program.seed}"
    return Found(level, program.seed, program.mode, program.rounds, **asdict(difference), command=command)


def results(levels: tuple[str, ...], seeds: range, jobs: int) -> Iterator[Result]:
    """Results of chunks of the seeds, in their order."""
    chunks = [seeds[at : at + CHUNK] for at in range(0, len(seeds), CHUNK)]
    if jobs == 1:
        yield from (work(levels, chunk) for chunk in chunks)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        yield from pool.map(work, itertools.repeat(levels), chunks)
