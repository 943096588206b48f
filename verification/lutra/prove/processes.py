"""Claims in processes of their own, each within limits of time and memory."""

from __future__ import annotations

import multiprocessing
import resource
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerProcess
from types import FrameType

from lutra.asm.errors import AsmError
from lutra.firmware.errors import FirmwareError
from lutra.prove.claims import Claim, Outcome, check, stopped
from lutra.prove.errors import Exceeded

MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Processor seconds and megabytes of one claim."""

    seconds: int = 120
    megabytes: int = 2000

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Raise Exceeded where the block needs more; for the main thread of a process of one claim."""
        signal.signal(signal.SIGPROF, self._late)
        signal.setitimer(signal.ITIMER_PROF, self.seconds)
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (self.megabytes * MEGABYTE, most))
        try:
            yield
        except MemoryError:
            raise Exceeded(f"more than {self.megabytes} MB of memory") from None
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            resource.setrlimit(resource.RLIMIT_AS, (most, most))

    def _late(self, _signal: int, _frame: FrameType | None) -> None:
        raise Exceeded(f"more than {self.seconds} s of processor time")


@dataclass
class _Running:
    """A claim that is tried, by its place among all of them."""

    place: int
    process: ForkServerProcess
    answer: Connection


def outcomes(todo: Sequence[Claim], limits: Limits, jobs: int = 1) -> Iterator[Outcome]:
    """Yield the outcomes of claims in their order, from as many processes at once.

    Raises SpecificationError, and AsmError where a source cannot be assembled.
    """
    yield from _Pool(todo, limits, jobs).outcomes()


@dataclass
class _Pool:
    todo: Sequence[Claim]
    limits: Limits
    jobs: int
    begun: int = 0
    running: list[_Running] = field(default_factory=list)
    done: dict[int, Outcome | FirmwareError] = field(default_factory=dict)

    def outcomes(self) -> Iterator[Outcome]:
        try:
            for place in range(len(self.todo)):
                while place not in self.done:
                    self._begin()
                    self._end_some()
                found = self.done.pop(place)
                if isinstance(found, FirmwareError):
                    raise found
                yield replace(found, claim=self.todo[place])
        finally:
            for left in self.running:
                left.process.terminate()
                left.process.join()

    def _begin(self) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["lutra.prove.processes"])
        while self.begun < len(self.todo) and len(self.running) < self.jobs:
            answer, told = context.Pipe(duplex=False)
            process = context.Process(target=_work, args=(self.todo[self.begun], self.limits, told), daemon=True)
            process.start()
            told.close()
            self.running.append(_Running(self.begun, process, answer))
            self.begun += 1

    def _end_some(self) -> None:
        ready = wait([one.answer for one in self.running])
        for one in [one for one in self.running if one.answer in ready]:
            try:
                self.done[one.place] = one.answer.recv()
            except EOFError:
                self.done[one.place] = stopped(self.todo[one.place], "its process ended without an answer")
            one.process.join()
            self.running.remove(one)


# The proof of this process, which ends without freeing it.
_KEPT: list[object] = []


def _work(claim: Claim, limits: Limits, told: Connection) -> None:
    """Try a claim in this process."""
    found: Outcome | FirmwareError
    try:
        found = check(claim, hold=limits.hold, kept=_KEPT)
    except FirmwareError as error:
        found = error
    except AsmError:
        return  # it cannot be sent; `stopped` meets the same one
    told.send(found)
