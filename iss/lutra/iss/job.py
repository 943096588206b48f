"""Programs that run one after another on one machine, and can be repeated to see how they ended."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from lutra.asm import Image
from lutra.iss.engine import Engine, EngineError, Simulator, Stop
from lutra.iss.places import Place
from lutra.iss.retire import Record
from lutra.iss.trace import Line, Trace

# Less than a second on the slowest engine, so that an interrupt ends a program.
SLICE_CYCLES = 200_000
# Cycles; no hazard holds an instruction longer.
MOST_CYCLES = 64


@dataclass(frozen=True)
class Job:
    """An image with data, and where to start in it, one entry after the other.

    Registers and memories keep their contents from one entry to the next. data: bytes to write over the image first.
    resume: continue after every wait. past_traps: a trap ends only its entry. max_cycles: limit per entry.
    """

    image: Image
    entries: tuple[int, ...]
    data: tuple[tuple[Place, bytes], ...] = ()
    resume: bool = False
    max_cycles: int | None = None
    past_traps: bool = False

    def prepare(self, engine: Engine) -> None:
        """Reset an engine, and load image and data. Raises EngineError where the data do not fit."""
        engine.load(self.image)
        for place, data in self.data:
            engine.write(place.space, place.offset, data)

    def run(self, engine: Engine, watch: Callable[[Record], bool] | None = None) -> Iterator[Stop]:
        """Run all entries on an engine that is prepared; a stop of each, up to the first after which none is started.

        watch: called for every retirement until it returns False; slow.
        """
        watched = watch is not None
        for entry in self.entries:
            engine.start(entry)
            if watch is not None and watched:
                watched = all(map(watch, self._records(engine, self.max_cycles)))
            stop = self._go(engine, self.max_cycles)
            yield stop
            if stop.state not in self.ends:
                return

    @property
    def ends(self) -> tuple[str, ...]:
        """States after which the next entry is started."""
        return ("halted", "trapped") if self.past_traps else ("halted",)

    def _records(self, engine: Engine, limit: int | None) -> Iterator[Record]:
        """Retirements up to the end or the limit."""
        while self._runs(engine, limit):
            for record in engine.records():
                yield record
                if limit is not None and record.cycle + 1 >= limit:
                    return

    def _runs(self, engine: Engine, limit: int | None) -> bool:
        """Whether the program has not ended, or is made to continue."""
        stop = engine.stop()
        if stop.state == "waiting" and self.resume:
            engine.resume(0)
        elif stop.state != "running":
            return False
        return limit is None or stop.cycles < limit

    def _go(self, engine: Engine, limit: int | None) -> Stop:
        while self._runs(engine, limit):
            slice_end = engine.stop().cycles + SLICE_CYCLES
            engine.go(slice_end if limit is None else min(limit, slice_end))
        return engine.stop()

    def history(self, stops: Sequence[Stop], rounds: int, length: int) -> list[Line]:
        """The last instructions before the last of the stops, the one that stopped it included.

        The job is repeated on the simulator, so that watching costs nothing unless it is asked for. Raises EngineError
        where the simulator stops elsewhere.
        """
        engine = Simulator(rounds)  # of which no observer is told: what is repeated is not counted as coverage
        self.prepare(engine)
        last = stops[-1]
        for entry in self.entries[: len(stops) - 1]:
            engine.start(entry)
            self._go(engine, self.max_cycles)
        engine.start(self.entries[len(stops) - 1])
        self._go(engine, max(0, last.cycles - MOST_CYCLES * (length + 1)))
        trace = Trace.of(engine)
        lines = deque(map(trace.line, self._records(engine, last.cycles)), maxlen=length)
        if last.state != "running" and engine.stop() != last:
            raise EngineError("the simulator stops elsewhere; --engine cosim shows the first difference")
        return list(lines)


def total(stops: Sequence[Stop]) -> Stop:
    """The last stop with the cycles, instructions and stalls of all."""
    stalls = {cause: sum(stop.stalls[cause] for stop in stops) for cause in stops[-1].stalls}
    cycles, instructions = sum(s.cycles for s in stops), sum(s.instructions for s in stops)
    return replace(stops[-1], cycles=cycles, instructions=instructions, stalls=stalls)
