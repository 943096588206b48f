"""The moves of a session: steps, lines, runs to breakpoints and watchpoints, forward and back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import count
from pathlib import Path

from lutra.debug.breakpoints import Breakpoint, Breakpoints
from lutra.debug.errors import DebugError
from lutra.debug.expressions import Expression
from lutra.debug.lines import shown as place
from lutra.debug.points import Point
from lutra.debug.stops import Stop, Watcher
from lutra.debug.target import End, Target
from lutra.debug.values import shown
from lutra.debug.watchpoints import Watchpoint, Watchpoints, cells
from lutra.debug.writers import Writers
from lutra.iss.engine import EngineError
from lutra.iss.registers import Registers
from lutra.iss.traps import explain

_START = Stop("start", "at the start")


class Moving(Writers):
    """The part of a session that moves."""

    def __init__(self, target: Target, folders: Sequence[Path]) -> None:
        super().__init__(target, folders)
        numbers = count(1)
        self.breakpoints = Breakpoints(self.image, self.lines, self._file, numbers, self._check)
        self.watchpoints = Watchpoints(self.locate, numbers, self._check)
        self.stop = _START
        # How many of the outermost lines of its chain the place has for the user: after `next` fewer than all, where a
        # macro begins.
        self.level = max(1, len(self.where().chain))
        self._before: tuple[Registers, Mapping[str, bytes]] = self.registers(), self._memories()

    def _file(self) -> str:
        """The present file."""
        found = self.where().place
        return found.file if found else ""

    def _check(self, condition: str) -> None:
        Expression.of(condition).value(self)

    # ------------------------------------------------------------------ how a move begins and ends

    def _moves(self) -> None:
        self._before = self.registers(), self._memories()

    def _memories(self) -> dict[str, bytes]:
        spaces = [s.name for s in self._target.engine.isa.spaces if len(s.blocks) + len(s.banks) == 1]
        return {name: self.read(name, 0, self.size(name)) for name in spaces}

    def changed(self) -> frozenset[str]:
        """What the last move has changed: registers by name (`v0`, `ar3.step`), and rows (`m2[0x010]`)."""
        registers, memories = self._before
        now = self.registers()
        found = {name for name, old in registers.items() if now[name].value != old.value}
        row = self._target.engine.isa.machine["VectorBytes"]
        for space, old_bytes in memories.items():
            new = self.read(space, 0, len(old_bytes))
            if new != old_bytes:
                rows = (at for at in range(0, len(new), row) if new[at : at + row] != old_bytes[at : at + row])
                found |= {f"{space}[{at:#05x}]" for at in rows}
        return frozenset(found)

    def _stopped(self, stop: Stop, level: int | None = None) -> Stop:
        """Keep why a move ended."""
        self.stop = stop
        self.level = max(1, len(self.where().chain)) if level is None else level
        return stop

    def _end(self, why: End) -> Stop:
        """A stop that no breakpoint has asked for."""
        if why == "divergence":
            return self._divergence()
        if why == "trap":
            found = self.breakpoints.of("trap")
            return Stop("trap", f"trap: {explain(self._target.engine)}", found.id if found else None)
        if why == "halt" and (failure := self._target.plan.verdict(self.read)):
            return Stop("failed", failure.text)
        end = self._target.engine.stop()
        counts = f"{end.cycles} cycles, {end.instructions} instructions"
        stops: Mapping[End, Stop] = {
            "halt": Stop("halt", f"halted: {counts}"),
            "wait": Stop("wait", f"waiting for the host, which does not resume: {counts}"),
            "cycles": Stop("limit", f"no halt within {end.cycles} cycles; a further move goes on"),
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

    # ------------------------------------------------------------------ by instructions and time

    def step(self, count: int = 1, watcher: Watcher | None = None) -> Stop:
        """Instructions forward; breakpoints do not matter, the end of the program does."""
        self._moves()
        if count < 1:
            raise DebugError(f"{count} steps are none")
        why = self._target.forward(count, watcher=watcher)
        return self._stopped(self._end(why))

    def step_back(self, count: int = 1, watcher: Watcher | None = None) -> Stop:
        """Instructions back."""
        self._moves()
        if count < 1:
            raise DebugError(f"{count} steps are none")
        timeline = self._target.timeline
        there = timeline.now - count
        timeline.seek(max(0, there))
        return self._stopped(self._end("limit" if there >= 0 else "start"))

    def seek(self, time: int, watcher: Watcher | None = None) -> Stop:
        """To a number of retired instructions, forward or back."""
        self._moves()
        now, timeline = self._target.timeline.now, self._target.timeline
        if time < 0:
            raise DebugError(f"time {time} is before the start; time counts instructions from 0 on")
        why: End = "limit"
        if time > now:
            why = self._target.forward(time - now, watcher=watcher)
        else:
            timeline.seek(time)
        return self._stopped(self._end(why))

    def run_to_cycle(self, cycle: int, watcher: Watcher | None = None) -> Stop:
        """To where the present run has used so many cycles, forward or back: to the first such instruction."""
        self._moves()
        progress = None if watcher is None else lambda time: watcher(time, self._target.timeline.cycle)
        why = self._target.timeline.seek_cycle(cycle, progress)
        return self._stopped(self._end(why or "limit"))

    # ------------------------------------------------------------------ by lines

    def step_line(self, watcher: Watcher | None = None) -> Stop:
        """Forward to the next line: into macros, calls and loops; breakpoints stop."""
        self._moves()
        chain = len(self.where().chain)
        return self._stopped(self._run(self._beginnings(max(1, chain)), watcher=watcher))

    def step_line_back(self, watcher: Watcher | None = None) -> Stop:
        """Back to the beginning of the line before."""
        self._moves()
        return self._stopped(self._run_back(self._beginnings(max(1, len(self.where().chain))), points=False))

    def next_line(self, watcher: Watcher | None = None) -> Stop:
        """Forward to the next line of this level: over the macros that are used here and the calls; breakpoints
        stop."""
        self._moves()
        here, level = self.number("pc"), self.level
        stop = self._run(self._beginnings(level), self._target.depth, watcher)
        if stop.kind != "step":
            return self._stopped(stop)
        return self._stopped(stop, min(level, self.lines.common(here, self.number("pc")) + 1))

    def next_line_back(self, watcher: Watcher | None = None) -> Stop:
        """Back to the beginning of the line before in this level."""
        self._moves()
        here, level = self.number("pc"), self.level
        stop = self._run_back(self._beginnings(level), self._target.depth, points=False)
        return self._stopped(stop, max(1, min(level, self.lines.common(here, self.number("pc")) + 1)))

    def finish(self, watcher: Watcher | None = None) -> Stop:
        """Forward to the end of the innermost macro, loop or call; breakpoints stop."""
        frame = self.frames()[0]
        if frame.kind == "entry":
            raise DebugError(f"{frame.name} is the outermost level; `continue` runs to its end")
        self._moves()
        depth = self._target.depth
        if frame.kind == "call":
            return self._stopped(self._run((), depth - 1, watcher))
        outside = frozenset(pc for pc in range(self._words) if not frame.first <= pc <= frame.last)
        return self._stopped(self._run(outside, depth, watcher))

    @property
    def _words(self) -> int:
        return len(self.image.program)

    def _beginnings(self, level: int) -> frozenset[int]:
        """Where a line begins as a level sees it; every word of a program without source lines."""
        return self.lines.beginnings(level) or frozenset(range(self._words))

    # ------------------------------------------------------------------ to breakpoints and watchpoints

    def go(self, watcher: Watcher | None = None) -> Stop:
        """Forward to a breakpoint, a watchpoint or the end. The runs of a plan follow each other."""
        self._moves()
        return self._stopped(self._run(None, None, watcher))

    def back(self, watcher: Watcher | None = None) -> Stop:
        """Back to a breakpoint, a watchpoint (before the instruction that changes the value) or the start."""
        self._moves()
        return self._stopped(self._run_back(None, None, watcher))

    def _run(self, goals: Collection[int] | None, depth: int | None = None, watcher: Watcher | None = None) -> Stop:
        """To an address of goals with a call stack of at most `depth`; without goals to the depth alone; None for
        both: to the end. Breakpoints and watchpoints stop before that."""
        watched = [(point, self.at(point.location)) for point in self.watchpoints.active]
        touches = [cell for point, _ in watched for cell in cells(point.location)]
        notify = self.breakpoints.of("notify") is not None
        while True:
            points = self.breakpoints.addresses
            deep = depth is not None and self._target.depth > depth
            breaks = points if deep or not goals else points | frozenset(goals)
            why = self._target.forward(None, breaks, touches, depth if deep else None, notify, watcher)
            if (hit := self._watched(watched)) or (why == "notify" and (hit := self._notified())):
                return hit
            pc = self._target.timeline.next_pc
            if pc is not None and (hit := self._broken(self._active(pc))):
                return hit
            if why not in ("break", "depth", "touch", "notify"):
                return self._end(why)
            if depth is not None and self._target.depth > depth:
                continue
            if (goals is not None and pc in goals) or (goals == () and why == "depth"):
                return self._end("limit")

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
        return Stop("breakpoint", f"breakpoint {point.id}, {self._spot()}", point.id)

    def _spot(self) -> str:
        where = self.where()
        return place(where.chain) or where.label or f"pc {where.pc:#06x}"

    def _holds(self, point: Point) -> bool:
        return not point.condition or Expression.of(point.condition).holds(self)

    def _notified(self) -> Stop | None:
        point = self.breakpoints.of("notify")
        if point is None or not self._holds(point) or not self.breakpoints.passed(point.id):
            return None
        return Stop("notify", f"notify {self.registers()['notify'].value}", point.id)

    def _watched(self, watched: list[tuple[Watchpoint, int | bytes]]) -> Stop | None:
        """Count changes of what is watched, and take the new values over; the stop of the first that stops."""
        found = None
        for index, (point, old) in enumerate(watched):
            new = self.at(point.location)
            watched[index] = point, new
            if new != old and self._holds(point) and self.watchpoints.passed(point.id):
                found = found or _change(point, old, new)
        return found

    # ------------------------------------------------------------------ back

    def _run_back(
        self,
        goals: Collection[int] | None,
        depth: int | None = None,
        watcher: Watcher | None = None,
        points: bool = True,
    ) -> Stop:
        """As _run, to the last time before now. points: breakpoints and watchpoints stop too."""
        begin = self._target.timeline.now
        change = self._change_before(begin) if points else None
        while True:
            stop = self._back_to(goals, depth, points)
            timeline = self._target.timeline
            if change is not None and change[0] >= timeline.now:
                timeline.seek(change[0])
                return change[1]
            if stop is not None:
                return stop
            if watcher is not None and not watcher(timeline.now, timeline.cycle):
                return self._end("interrupted")

    def _back_to(self, goals: Collection[int] | None, depth: int | None, points: bool) -> Stop | None:
        """Back to where something may be; a stop if it is there."""
        timeline = self._target.timeline
        deep = depth is not None and self._target.depth > depth
        breaks = (self.breakpoints.addresses if points else frozenset()) | (
            frozenset() if deep else frozenset(goals or ())
        )
        notify = points and self.breakpoints.of("notify") is not None
        why = timeline.run_back(None, breaks, (), depth if deep else None, notify)
        if why in ("start", "idle"):
            return self._end("start")
        pc = timeline.next_pc
        if points:
            if why == "notify" and (event := self.breakpoints.of("notify")) and self._holds(event):
                return Stop("notify", f"notify {self.registers()['notify'].value}", event.id)
            if pc is not None and (hit := next(filter(self._holds, self._active(pc)), None)):
                return self._at_point(hit)
        level = depth is None or self._target.depth <= depth
        return self._end("limit") if goals is not None and level and pc in goals else None

    def _change_before(self, now: int) -> tuple[int, Stop] | None:
        """The last change of what is watched before now: the time of the instruction that makes it, and the stop."""
        found: tuple[int, Stop] | None = None
        with self._excursion():
            for point in self.watchpoints.active:
                for time in self.writes(point.location):
                    if found is not None and time - 1 <= found[0]:
                        break
                    if (stop := self._changed_at(point, time)) is not None:
                        found = time - 1, stop
                        break
        return found

    def _changed_at(self, point: Watchpoint, time: int) -> Stop | None:
        self._target.timeline.seek(time)
        new, holds = self.at(point.location), self._holds(point)
        self._target.timeline.seek(time - 1)
        old = self.at(point.location)
        return _change(point, old, new) if new != old and holds else None


def _change(point: Watchpoint, old: int | bytes, new: int | bytes) -> Stop:
    before, after = shown(old), shown(new)
    return Stop("watchpoint", f"watchpoint {point.id}, {point.text}: {before} -> {after}", point.id, before, after)
