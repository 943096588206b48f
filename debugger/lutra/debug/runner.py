"""Running to breakpoints and watchpoints, forward and back, and why a run ended."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import count

from lutra.debug.breakpoints import Breakpoint, Breakpoints
from lutra.debug.errors import DebugError
from lutra.debug.expressions import Expression
from lutra.debug.history import History
from lutra.debug.inspection import Inspection
from lutra.debug.lines import shown as place
from lutra.debug.points import Point
from lutra.debug.stops import Stop, Watcher
from lutra.debug.target import End, Target
from lutra.debug.values import shown
from lutra.debug.watchpoints import Watchpoint, Watchpoints, cells
from lutra.iss.engine import EngineError
from lutra.iss.traps import explain


class _InterruptedError(Exception):
    """The watcher of a move has ended it."""


class Runner:
    """Runs a target to its breakpoints and watchpoints."""

    def __init__(self, target: Target, inspect: Inspection, history: History) -> None:
        self._target = target
        self._inspect = inspect
        self._history = history
        numbers = count(1)
        self.breakpoints = Breakpoints(inspect.image, inspect.lines, self._file, numbers, self._check)
        self.watchpoints = Watchpoints(inspect.locate, numbers, self._check)
        # Reason why the last condition has no value.
        self._problem = ""

    def _file(self) -> str:
        """The present file."""
        found = self._inspect.where().place
        return found.file if found else ""

    def _check(self, condition: str) -> None:
        Expression.of(condition).value(self._inspect)

    # ------------------------------------------------------------------ why it ended

    def end(self, why: End) -> Stop:
        """A stop that no breakpoint has asked for."""
        if why == "divergence":
            return self._divergence()
        if why == "trap":
            found = self.breakpoints.of("trap")
            return Stop("trap", f"trap: {explain(self._target.engine)}", found.id if found else None)
        if why == "halt" and (failure := self._target.plan.verdict(self._inspect.read)):
            return Stop("failed", failure.text)
        end = self._target.engine.stop()
        counts = f"{end.cycles} cycles, {end.instructions} instructions"
        stops: Mapping[End, Stop] = {
            "halt": Stop("halt", f"halted: {counts}"),
            "wait": Stop("wait", f"waiting for the host, which does not resume: {counts}"),
            "cycles": Stop("limit", f"no halt within {end.cycles} cycles; another move continues"),
            "next": Stop("step", "the run is over before that cycle; the next one begins"),
            "interrupted": Stop("interrupt", "interrupted"),
            "start": Stop("start", "at the start; nothing came before"),
        }
        return stops.get(why, Stop("step", "stepped"))

    def _divergence(self) -> Stop:
        """The report, before the instruction in which the two differ."""
        report = "simulator and RTL diverge"
        try:
            self._target.engine.check()
        except EngineError as error:
            report = str(error)
        self._target.timeline.seek(max(0, self._target.timeline.now - 1))
        text, _, detail = report.partition("\n")
        return Stop("divergence", text, detail=detail)

    # ------------------------------------------------------------------ forward

    def run(self, goals: Collection[int] | None, depth: int | None = None, watcher: Watcher | None = None) -> Stop:
        """To an address of goals with a call stack of at most `depth`; without goals to the depth alone; None for
        both: to the end. Breakpoints and watchpoints stop before that."""
        watched = [(point, self._inspect.at(point.location)) for point in self.watchpoints.active]
        touches = [cell for point, _ in watched for cell in cells(point.location)]
        notify = self.breakpoints.of("notify") is not None
        timeline = self._target.timeline
        while True:
            points = self.breakpoints.addresses
            acted = timeline.acted
            deep = depth is not None and self._target.depth > depth
            breaks = points if deep or not goals else points | frozenset(goals)
            why = self._target.forward(
                watcher, breaks=breaks, touches=touches, depth=depth if deep else None, notify=notify
            )
            host = timeline.acted != acted
            if (watched and (hit := self._watched(watched, host))) or (why == "notify" and (hit := self._notified())):
                return hit
            pc = timeline.next_pc
            if pc is not None and (hit := self._broken(self._active(pc))):
                return hit
            if why not in ("break", "depth", "touch", "notify"):
                return self.end(why)
            deeper = depth is not None and self._target.depth > depth
            if not deeper and goals is not None and (goals == () or pc in goals):
                return self.end("limit")
            # Passes that do not stop may follow each other faster than the machine looks up.
            if watcher is not None and not watcher(timeline.now, timeline.cycle):
                return self.end("interrupted")

    def _active(self, pc: int) -> list[Breakpoint]:
        return [point for point in self.breakpoints.active if pc in point.addresses]

    def _broken(self, points: Sequence[Breakpoint]) -> Stop | None:
        """Count a pass of breakpoints; the stop of the first that stops."""
        stopping = [point for point in points if self._holds(point) and self.breakpoints.passed(point.id)]
        if not stopping:
            return None
        point = stopping[0]
        if point.temporary:
            self.breakpoints.remove(point.id)
        return self._at_point(point)

    def _at_point(self, point: Breakpoint) -> Stop:
        return Stop("breakpoint", f"breakpoint {point.id}, {self._spot()}", point.id, detail=self._problem)

    def _spot(self) -> str:
        where = self._inspect.where()
        return place(where.chain) or where.label or f"pc {where.pc:#06x}"

    def _holds(self, point: Point) -> bool:
        """Whether the condition of a point holds here; one that has no value here stops too, and says so."""
        self._problem = ""
        try:
            return not point.condition or Expression.of(point.condition).holds(self._inspect)
        except DebugError as error:
            self._problem = f"its condition has no value: {error}"
            return True

    def _notified(self) -> Stop | None:
        point = self.breakpoints.of("notify")
        if point is None or not self._holds(point) or not self.breakpoints.passed(point.id):
            return None
        return self._notice(point)

    def _notice(self, point: Breakpoint) -> Stop:
        return Stop("notify", f"notify {self._inspect.registers()['notify'].text}", point.id, detail=self._problem)

    def _watched(self, watched: list[tuple[Watchpoint, int | bytes]], host: bool) -> Stop | None:
        """Count changes of what is watched, and take the new values over; the stop of the first that stops.

        host: it has acted on the way. Its changes are not the program's.
        """
        if host:
            with self._target.excursion() as now:
                found = [(point, self._history.found(now, point.location)) for point, _ in watched]
                self._target.timeline.seek(now, host=False)
                stop = self._changed(found)
        else:
            stop = self._changed(watched)
        watched[:] = [(point, self._inspect.at(point.location)) for point, _ in watched]
        return stop

    def _changed(self, watched: Sequence[tuple[Watchpoint, int | bytes]]) -> Stop | None:
        stop = None
        for point, old in watched:
            new = self._inspect.at(point.location)
            if new != old and self._holds(point) and self.watchpoints.passed(point.id):
                stop = stop or _change(point, old, new)
        return stop

    # ------------------------------------------------------------------ back

    def run_back(
        self,
        goals: Collection[int] | None,
        depth: int | None = None,
        watcher: Watcher | None = None,
        points: bool = True,
    ) -> Stop:
        """As `run`, to the last time before now. points: breakpoints and watchpoints stop too."""
        try:
            change = self._change_before(watcher) if points else None
        except _InterruptedError:
            return self.end("interrupted")
        while True:
            stop = self._back_to(goals, depth, points)
            timeline = self._target.timeline
            if change is not None and change[0] >= timeline.now:
                timeline.seek(change[0])
                return change[1]
            if stop is not None:
                return stop
            if watcher is not None and not watcher(timeline.now, timeline.cycle):
                return self.end("interrupted")

    def _back_to(self, goals: Collection[int] | None, depth: int | None, points: bool) -> Stop | None:
        """Back to where something may be; a stop if it is there."""
        timeline = self._target.timeline
        deep = depth is not None and self._target.depth > depth
        breaks = (self.breakpoints.addresses if points else frozenset()) | (
            frozenset() if deep else frozenset(goals or ())
        )
        notify = points and self.breakpoints.of("notify") is not None
        why = timeline.run_back(breaks=breaks, depth=depth if deep else None, notify=notify)
        if why in ("start", "idle"):
            return self.end("start")
        pc = timeline.next_pc
        if points:
            if why == "notify" and (event := self.breakpoints.of("notify")) and self._holds(event):
                return self._notice(event)
            if pc is not None and (hit := next(filter(self._holds, self._active(pc)), None)):
                return self._at_point(hit)
        level = depth is None or self._target.depth <= depth
        return self.end("limit") if goals is not None and level and (goals == () or pc in goals) else None

    def _change_before(self, watcher: Watcher | None) -> tuple[int, Stop] | None:
        """The last change of what is watched before now: the time of the instruction that makes it, and the stop."""
        found: tuple[int, Stop] | None = None
        with self._target.excursion() as now:
            for point in self.watchpoints.active:
                for time in self._history.times(point.location, now):
                    if found is not None and time - 1 <= found[0]:
                        break
                    if watcher is not None and not watcher(time, self._target.timeline.cycle):
                        raise _InterruptedError
                    if (stop := self._changed_at(point, time)) is not None:
                        found = time - 1, stop
                        break
        return found

    def _changed_at(self, point: Watchpoint, time: int) -> Stop | None:
        new, holds = self._history.left(time, point.location), self._holds(point)
        old = self._history.found(time, point.location)
        return _change(point, old, new) if new != old and holds else None


def _change(point: Watchpoint, old: int | bytes, new: int | bytes) -> Stop:
    before, after = shown(old), shown(new)
    return Stop("watchpoint", f"watchpoint {point.id}, {point.text}: {before} -> {after}", point.id, before, after)
