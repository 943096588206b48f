"""A plan on a machine whose past is kept: the host's part is done again and again, as often as the run comes by."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection
from typing import Literal

from lutra.debug.plan import Plan, Run
from lutra.debug.stops import Watcher
from lutra.iss import engine as engines
from lutra.iss.engine import EngineName
from lutra.iss.timeline import Cell, Progress, Timeline, Why

# `cycles`: the limit of the run.
End = Why | Literal["cycles"]


class Target:
    """The machine of a session. Raises EngineError where the engine is not there or keeps no past."""

    def __init__(self, plan: Plan, engine: EngineName, rounds: int) -> None:
        self.plan = plan
        self.engine = engines.make(engine, rounds)
        self.engine.load(plan.image)
        _write(plan.runs[0], self.engine.write)
        self.timeline = Timeline(self.engine)
        # The times at which the runs were started.
        self._begun: list[int] = []
        # Cycles that a run may take: more, once the user goes on after the limit.
        self._allowed = plan.max_cycles
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

    def changed_by_hand(self) -> None:
        """What was to come is forgotten: runs that were started later are to be started again."""
        self._begun = [time for time in self._begun if time <= self.timeline.now]

    # ------------------------------------------------------------------ forward

    def forward(
        self,
        limit: int | None = None,
        breaks: Collection[int] = (),
        touches: Collection[Cell] = (),
        depth: int | None = None,
        notify: bool = False,
        watcher: Watcher | None = None,
    ) -> End:
        """As Timeline.run, over the ends of runs to the end of the plan."""
        timeline = self.timeline
        goal = None if limit is None else timeline.now + limit
        if not self.runs and not self._host_goes_on():
            return self._ended()
        while True:
            if self._allowed is not None and timeline.cycle >= self._allowed:
                self._allowed += self.plan.max_cycles or 0
                return "cycles"
            why = timeline.run(
                None if goal is None else goal - timeline.now, breaks, touches, depth, notify, self._progress(watcher)
            )
            if why == "interrupted" and self._over_limit():
                continue
            if why not in ("halt", "wait") or not (self.runs or self._host_goes_on()):
                return why
            if timeline.now == goal:
                return "limit"
            if timeline.next_pc in breaks:
                return "break"

    def _progress(self, watcher: Watcher | None) -> Progress:
        def told(time: int) -> bool:
            return not self._over_limit() and (watcher is None or watcher(time, self.timeline.cycle))

        return told

    def _over_limit(self) -> bool:
        return self._allowed is not None and self.timeline.cycle >= self._allowed

    def _host_goes_on(self) -> bool:
        """Have the host do what comes after the end of a run; whether there is something."""
        if self.timeline.state == "waiting" and self.plan.resume:
            self.timeline.resume()
        elif self.timeline.state == "halted" and len(self._begun) < len(self.plan.runs):
            self._begin()
        return self.runs

    def _ended(self) -> End:
        """Why nothing comes any more."""
        ends: dict[str, End] = {"halted": "halt", "waiting": "wait", "trapped": "trap"}
        return ends.get(self.timeline.state, "idle")


def _write(run: Run, write: Callable[[str, int, bytes], None]) -> None:
    for place, data in run.data:
        write(place.space, place.offset, data)
