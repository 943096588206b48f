"""A plan on a machine whose past is kept: the host's part is done again and again, as often as the run comes by."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal, Unpack

from lutra.debug.plan import Plan, Run
from lutra.debug.stops import Watcher
from lutra.iss import engine as engines
from lutra.iss.engine import EngineName
from lutra.iss.fault import Fault
from lutra.iss.registers import Registers
from lutra.iss.timeline import Progress, Timeline, Until, Why

# `cycles`: the limit of the run. `next`: the run is over, and the next one begins.
End = Why | Literal["cycles", "next"]


class Target:
    """The machine of a session. Raises EngineError if the engine is missing or keeps no past."""

    def __init__(self, plan: Plan, engine: EngineName, rounds: int) -> None:
        self.plan = plan
        self._made = engine, rounds
        self.restart()

    def restart(self) -> None:
        """Put a new machine at the start of the first run; all changes by hand are forgotten."""
        self.engine = engines.make(*self._made)
        self.engine.load(self.plan.image)
        _write(self.plan.runs[0], self.engine.write)
        self.timeline = Timeline(self.engine)
        # The times at which the runs were started.
        self._begun: list[int] = []
        # The cycles that runs may take after which the user has gone on at the limit, by their numbers.
        self._allowed: dict[int, int] = {}
        # With the time and the number of the host's actions up to there.
        self._registers: tuple[tuple[int, int], Registers] | None = None
        self._begin()

    def _begin(self) -> None:
        """Start the next run."""
        run = self.plan.runs[len(self._begun)]
        if self._begun:
            if run.reset:
                self.timeline.reset()
            _write(run, self.timeline.write)
        self.timeline.start(run.entry)
        self._begun.append(self.timeline.now)

    # ------------------------------------------------------------------ where

    @property
    def run(self) -> int:
        """Which of the plan's runs this is, from 0."""
        return bisect_right(self._begun, self.timeline.now) - 1

    @property
    def runs(self) -> bool:
        """Whether an instruction comes."""
        return self.timeline.next_pc is not None

    @property
    def depth(self) -> int:
        """Entries of the call stack."""
        return int(self.timeline.registers()["calls"].value)

    def registers(self) -> Registers:
        """The architectural registers."""
        now = self.timeline.now, self.timeline.acted
        if self._registers is None or self._registers[0] != now:
            self._registers = now, self.timeline.registers()
        return self._registers[1]

    @contextmanager
    def excursion(self) -> Iterator[int]:
        """Return to the present time at the end of the block, which gets that time."""
        now = self.timeline.now
        try:
            yield now
        finally:
            self.timeline.seek(now)

    # ------------------------------------------------------------------ changes by hand

    def write(self, space: str, offset: int, data: bytes) -> None:
        """Set bytes of a memory."""
        self.timeline.write(space, offset, data)
        self._changed_by_hand()

    def poke(self, name: str, value: int | bytes) -> None:
        """Set a register."""
        self.timeline.poke(name, value)
        self._changed_by_hand()

    def inject(self, fault: Fault) -> None:
        """Flip bits of a stream context at a cycle that is still to come."""
        self.timeline.inject(fault)
        self._changed_by_hand()

    def _changed_by_hand(self) -> None:
        """Forget the future: runs that were started later must be started again."""
        self._begun = [time for time in self._begun if time <= self.timeline.now]
        self._registers = None

    # ------------------------------------------------------------------ forward

    def forward(self, watcher: Watcher | None = None, **until: Unpack[Until]) -> End:
        """Run like Timeline.run, but past the ends of runs up to the end of the plan."""
        timeline, limit = self.timeline, until.get("limit")
        goal = None if limit is None else timeline.now + limit
        if not self.runs and not self._host_goes_on():
            return self._ended()
        while True:
            until["limit"] = None if goal is None else goal - timeline.now
            why = timeline.run(progress=self._progress(watcher), **until)
            if why != "divergence" and self._over_limit() and self._limited(why):
                return "cycles"
            if why not in ("halt", "wait", "trap") or not (self.runs or self._host_goes_on()):
                return why
            if timeline.now == goal:
                return "limit"
            if timeline.next_pc in until.get("breaks", ()):
                return "break"

    def to_cycle(self, cycle: int, watcher: Watcher | None = None) -> End:
        """To where the present run has used so many cycles, forward or back; over waits that the host ends."""
        timeline = self.timeline
        progress = None if watcher is None else lambda time: watcher(time, timeline.cycle)
        why = timeline.seek_cycle(cycle, progress)
        while why == "wait" and self._host_goes_on():
            why = timeline.seek_cycle(cycle, progress)
        if why in ("halt", "trap") and (self.runs or self._host_goes_on()):
            return "next"
        return why or "limit"

    def _progress(self, watcher: Watcher | None) -> Progress:
        def told(time: int) -> bool:
            return not self._over_limit() and (watcher is None or watcher(time, self.timeline.cycle))

        return told

    def _over_limit(self) -> bool:
        limit = self._allowed.get(self.run, self.plan.max_cycles)
        return limit is not None and self.timeline.cycle >= limit

    def _limited(self, why: Why) -> bool:
        """Back to where the limit was reached; it is as far away again from there. False where that is the end."""
        end = self.timeline.now
        limit = self._allowed.get(self.run, self.plan.max_cycles) or 0
        self.timeline.seek_cycle(limit)
        if self.timeline.now == end and why in ("halt", "wait", "trap"):
            return False
        self._allowed[self.run] = self.timeline.cycle + (self.plan.max_cycles or 0)
        return True

    def _host_goes_on(self) -> bool:
        """Have the host do what comes after the end of a run; whether there is something."""
        if self.timeline.state == "waiting" and self.plan.resume:
            self.timeline.resume()
        elif self.timeline.state in self.plan.ends and len(self._begun) < len(self.plan.runs):
            self._begin()
        return self.runs

    def _ended(self) -> End:
        """Why nothing comes any more."""
        ends: dict[str, End] = {"halted": "halt", "waiting": "wait", "trapped": "trap", "faulted": "trap"}
        return ends.get(self.timeline.state, "idle")


def _write(run: Run, write: Callable[[str, int, bytes], None]) -> None:
    for place, data in run.data:
        write(place.space, place.offset, data)
