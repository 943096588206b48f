"""Speed of the simulator for each row of `lutra bench`, at each level of host instructions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from lutra.firmware.ciphers import BenchCase, Cipher, Implementation
from lutra.firmware.session import Session
from lutra.iss import _iss
from lutra.iss import engine as engines
from lutra.iss.translation import INTERPRETER, PATIENCE

RECORDED = "recorded"
# Instructions between two looks at the clock, so that the clock does not show.
REPEATED = 50_000
# The best of so many is kept: other processes disturb caches, and only ever slow a run down.
TRIES = 3


@dataclass(frozen=True)
class Row:
    """A job of one variant of a cipher's firmware, and how often a second of CPU time has it, by mode.

    bits: of text in a job.
    """

    cipher: str
    variant: str
    instructions: int
    cycles: int
    bits: int
    jobs_per_second: dict[str, float]

    def mips(self, mode: str) -> float:
        """Million instructions per second."""
        return self.jobs_per_second[mode] * self.instructions / 1e6

    def gbits(self, mode: str) -> float:
        """Gigabits of text per second."""
        return self.jobs_per_second[mode] * self.bits / 1e9

    def cycles_per_second(self, mode: str) -> float:
        """Clock cycles that are simulated per second."""
        return self.jobs_per_second[mode] * self.cycles


def levels() -> list[str]:
    """How the simulator can execute on this machine, the slowest first."""
    return [INTERPRETER, *(name for name, usable in reversed(_iss.levels()) if usable)]


def rows(ciphers: Iterable[Cipher], seconds: float) -> Iterator[Row]:
    """Measure every row of `lutra bench`, each mode for `seconds` of CPU time."""
    machine = engines.make("iss")
    for cipher in ciphers:
        for implementation in cipher.implementations:
            for case in implementation.bench:
                yield _row(machine, cipher, implementation, case, seconds)


def _row(
    machine: engines.Engine, cipher: Cipher, implementation: Implementation, case: BenchCase, seconds: float
) -> Row:
    session = Session(machine)
    session.set_up(cipher, case.direction, cipher.any_key, bytes(cipher.iv_bytes), implementation)
    session.put(bytes(session.job_bytes))
    session.run_before()
    stop = session.run()
    found: dict[str, float] = {}
    times = max(1, REPEATED // stop.instructions)

    def repeated() -> int:
        return session.repeat(times)

    def jobs(work: Callable[[], int]) -> float:
        return round(best_per_second(work, seconds) / stop.instructions, 1)

    for level in levels():
        if level == INTERPRETER:
            machine.backend.interpret_only()
        else:
            machine.backend.translate(level)
            session.repeat(PATIENCE)
        found[level] = jobs(repeated)
    found[RECORDED] = jobs(lambda: session.repeat(1, recorded=True))
    return Row(cipher.name, case.variant, stop.instructions, stop.cycles, 8 * session.job_bytes, found)


def best_per_second(work: Callable[[], int], seconds: float) -> float:
    """The most that `work` returns per second of CPU time of this process, in some tries of a time."""
    return max(_per_second(work, seconds / TRIES) for _ in range(TRIES))


def _per_second(work: Callable[[], int], seconds: float) -> float:
    work()
    done, start = 0, time.process_time()
    while (elapsed := time.process_time() - start) < seconds or not done:
        done += work()
    return done / elapsed
