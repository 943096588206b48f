"""The host's actions in a session: programs that run one after another, with writes between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lutra.asm import Image
from lutra.iss.job import Job
from lutra.iss.places import Place

# Reads bytes of a space: space, offset, length.
Read = Callable[[str, int, int], bytes]


@dataclass(frozen=True)
class Run:
    """One start of the program, after the host has written some memories. reset: the registers before that."""

    entry: int
    data: tuple[tuple[Place, bytes], ...] = ()
    reset: bool = False


@dataclass(frozen=True)
class Failure:
    """A result that is wrong. text: one line. place: its first wrong byte."""

    text: str
    place: Place


@dataclass(frozen=True)
class Plan:
    """All of it. resume: after every wait. max_cycles: of each run. ends: states after which the next run begins.

    verdict: asked at the end of the last run; what it returns makes the stop `failed`.
    """

    image: Image
    runs: tuple[Run, ...]
    resume: bool = False
    max_cycles: int | None = None
    ends: tuple[str, ...] = ("halted",)
    verdict: Callable[[Read], Failure | None] = lambda _: None

    @classmethod
    def of(cls, job: Job) -> Plan:
        """A job's: all data before the first of its entries."""
        first, *more = job.entries
        runs = (Run(first, job.data), *(Run(entry) for entry in more))
        return cls(job.image, runs, job.resume, job.max_cycles, job.ends)
