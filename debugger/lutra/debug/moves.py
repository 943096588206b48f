"""The moves of a session: steps, lines, runs, forward and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lutra.debug.errors import DebugError
from lutra.debug.inspection import Inspection
from lutra.debug.runner import Runner
from lutra.debug.stops import Stop, Watcher
from lutra.debug.target import End, Target
from lutra.iss.registers import Registers


def _at_start() -> Stop:
    """A new stop each time: front ends see by it that the machine has moved."""
    return Stop("start", "at the start")


class Moves:
    """Moves a target. stop: why the last move ended."""

    def __init__(self, target: Target, inspect: Inspection, runner: Runner) -> None:
        self._target = target
        self._inspect = inspect
        self._runner = runner
        self.stop = _at_start()
        # How many of the outermost lines of its chain the place has for the user: after `next` fewer than all, where a
        # macro begins.
        self.level = max(1, len(self._inspect.where().chain))
        self._before: tuple[Registers, Mapping[str, bytes]] = self._inspect.registers(), self._memories()

    # ------------------------------------------------------------------ how a move begins and ends

    def _moves(self) -> None:
        self._before = self._inspect.registers(), self._memories()

    def _memories(self) -> dict[str, bytes]:
        spaces = [s.name for s in self._target.engine.isa.spaces if s.is_single]
        return {name: self._inspect.read(name, 0, self._inspect.size(name)) for name in spaces}

    def changed(self) -> frozenset[str]:
        """Changes of the last move: registers by name (`v0`, `ar3.step`), and rows (`m2[0x010]`)."""
        registers, memories = self._before
        now = self._inspect.registers()
        found = {name for name, old in registers.items() if now[name].value != old.value}
        row = self._target.engine.isa.machine["VectorBytes"]
        for space, old_bytes in memories.items():
            new = self._inspect.read(space, 0, len(old_bytes))
            if new != old_bytes:
                rows = (at for at in range(0, len(new), row) if new[at : at + row] != old_bytes[at : at + row])
                found |= {f"{space}[{at:#05x}]" for at in rows}
        return frozenset(found)

    def _stopped(self, stop: Stop, level: int | None = None) -> Stop:
        """Keep why a move ended."""
        self.stop = stop
        self.level = max(1, len(self._inspect.where().chain)) if level is None else level
        return stop

    def restart(self) -> Stop:
        """Back to the start of the first run; what has been set by hand since then is forgotten."""
        self._moves()
        self._target.restart()
        return self._stopped(_at_start())

    # ------------------------------------------------------------------ by instructions and time

    def step(self, count: int = 1, watcher: Watcher | None = None) -> Stop:
        """Instructions forward; breakpoints do not matter, the end of the program does."""
        self._moves()
        if count < 1:
            raise DebugError(f"{count} steps are none")
        why = self._target.forward(watcher, limit=count)
        return self._stopped(self._runner.end(why))

    def step_back(self, count: int = 1, watcher: Watcher | None = None) -> Stop:
        """Instructions back."""
        self._moves()
        if count < 1:
            raise DebugError(f"{count} steps are none")
        timeline = self._target.timeline
        there = timeline.now - count
        timeline.seek(max(0, there))
        return self._stopped(self._runner.end("limit" if there >= 0 else "start"))

    def seek(self, time: int, watcher: Watcher | None = None) -> Stop:
        """To a number of retired instructions, forward or back."""
        self._moves()
        now, timeline = self._target.timeline.now, self._target.timeline
        if time < 0:
            raise DebugError(f"time {time} is before the start; time counts instructions from 0 on")
        why: End = "limit"
        if time > now:
            why = self._target.forward(watcher, limit=time - now)
        else:
            timeline.seek(time)
        return self._stopped(self._runner.end(why))

    def run_to_cycle(self, cycle: int, watcher: Watcher | None = None) -> Stop:
        """To where the present run has used so many cycles, forward or back: to the first such instruction. Where the
        run ends before, to its end, which is the start of the next one."""
        self._moves()
        why = self._target.to_cycle(cycle, watcher)
        stop = self._runner.end(why)
        if why in ("halt", "wait", "trap"):
            stop = replace(stop, text=f"the run is over before cycle {cycle}; {stop.text}")
        return self._stopped(stop)

    # ------------------------------------------------------------------ by lines

    def step_line(self, watcher: Watcher | None = None) -> Stop:
        """Forward to the next line: into macros, calls and loops; breakpoints stop."""
        self._moves()
        return self._stopped(self._runner.run(self._beginnings(), watcher=watcher))

    def step_line_back(self, watcher: Watcher | None = None) -> Stop:
        """Back to the beginning of the line before."""
        self._moves()
        return self._stopped(self._runner.run_back(self._beginnings(), points=False))

    def next_line(self, watcher: Watcher | None = None) -> Stop:
        """Forward to the next line of this level: over the macros that are used here and the calls; breakpoints
        stop."""
        self._moves()
        here, level = self._inspect.number("pc"), self.level
        stop = self._runner.run(self._beginnings(level), self._target.depth, watcher)
        if stop.kind != "step":
            return self._stopped(stop)
        return self._stopped(stop, min(level, self._inspect.lines.common(here, self._inspect.number("pc")) + 1))

    def next_line_back(self, watcher: Watcher | None = None) -> Stop:
        """Back to the beginning of the line before in this level."""
        self._moves()
        here, level = self._inspect.number("pc"), self.level
        stop = self._runner.run_back(self._beginnings(level), self._target.depth, points=False)
        return self._stopped(stop, max(1, min(level, self._inspect.lines.common(here, self._inspect.number("pc")) + 1)))

    def finish(self, watcher: Watcher | None = None) -> Stop:
        """Forward to the end of the innermost macro, loop or call; breakpoints stop."""
        frame = self._inspect.frames()[0]
        if frame.kind == "entry":
            raise DebugError(f"{frame.name} is the outermost level; `continue` runs to its end")
        self._moves()
        depth = self._target.depth
        if frame.kind == "call":
            return self._stopped(self._runner.run((), depth - 1, watcher))
        outside = frozenset(pc for pc in range(self._words) if not frame.first <= pc <= frame.last)
        return self._stopped(self._runner.run(outside, depth, watcher))

    def finish_back(self, watcher: Watcher | None = None) -> Stop:
        """Back to where the innermost macro, loop or call begins: to its first line, to the instruction that opens it;
        from the first line of a macro to where what is around it begins. Breakpoints stop."""
        pc = self._inspect.number("pc")
        frame = next(frame for frame in self._inspect.frames() if not (frame.kind == "macro" and frame.first == pc))
        if frame.kind == "entry":
            raise DebugError(f"{frame.name} is the outermost level; `reverse-continue` goes back to its start")
        self._moves()
        depth = self._target.depth
        if frame.kind == "call":
            return self._stopped(self._runner.run_back((), depth - 1, watcher))
        outside = {pc for pc in range(self._words) if not frame.first <= pc <= frame.last}
        begin = {frame.first} if frame.kind == "macro" else set[int]()
        return self._stopped(self._runner.run_back(frozenset(outside | begin), depth, watcher))

    @property
    def _words(self) -> int:
        return len(self._inspect.image.program)

    def _beginnings(self, level: int | None = None) -> frozenset[int]:
        """Where a line begins as a level sees it, or the innermost; every word of a program without source lines."""
        return self._inspect.lines.beginnings(level) or frozenset(range(self._words))

    # ------------------------------------------------------------------ to breakpoints and watchpoints

    def go(self, watcher: Watcher | None = None) -> Stop:
        """Forward to a breakpoint, a watchpoint or the end. The runs of a plan follow each other."""
        self._moves()
        return self._stopped(self._runner.run(None, None, watcher))

    def back(self, watcher: Watcher | None = None) -> Stop:
        """Back to a breakpoint, a watchpoint (before the instruction that changes the value) or the start."""
        self._moves()
        return self._stopped(self._runner.run_back(None, None, watcher))
