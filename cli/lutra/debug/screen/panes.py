"""The panes that are lists: pipeline, call and loop stack, breakpoints and watchpoints, messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import ClassVar

from textual.binding import Binding, BindingType

from lutra.debug import Frame
from lutra.debug.screen.lines import Line, Pane, Part, line
from lutra.debug.screen.source import mark
from lutra.debug.screen.view import Program, View


class Pipeline(Pane):
    """Which instruction is in which stage in the present cycle. The items are program addresses."""

    def __init__(self, program: Program) -> None:
        super().__init__("pipeline")
        self._program = program

    def show(self, view: View) -> None:
        """The machine has moved."""
        self.fill([line((view.pipeline, "dim"))] if isinstance(view.pipeline, str) else list(self._rows(view)))

    def _rows(self, view: View) -> Iterator[Line]:
        width = max(len(stage) for stage in view.pipeline)
        for stage, held in view.pipeline.items():
            if held is None:
                yield line((f"{stage:<{width}}  ", "dim"), ("-", "dim"))
                continue
            pc = held.passage.pc
            text = self._program.text(pc)
            yield line((f"{stage:<{width}}  ", "dim"), (f"{pc:04x}  ", "dim"), text, item=pc)
            if held.wait is not None:
                waits = f"waits for {held.wait.cause}: {held.wait.pc:04x} {self._program.text(held.wait.pc)}"
                yield line(" " * (width + 2), (waits, "changed"), item=held.wait.pc)


class Stack(Pane):
    """Macros, loops and calls that are open, innermost first. The items are frames."""

    def __init__(self) -> None:
        super().__init__("stack")

    def show(self, view: View) -> None:
        """The machine has moved."""
        if isinstance(view.frames, str):
            self.fill([line((view.frames, "dim"))])
        else:
            self.fill([_frame(frame) for frame in view.frames])


def _frame(frame: Frame) -> Line:
    place = f"{PurePath(frame.place.file).name}:{frame.place.line}" if frame.place else f"{frame.pc:04x}"
    parts = [Part(f"{frame.kind:<6} ", "dim"), Part(f"{frame.name:<28} "), Part(f"{place:<24}", "dim")]
    if frame.kind == "loop":
        passes = f"pass {frame.done + 1} of {frame.done + 1 + frame.left}" if frame.done >= 0 else f"{frame.left} left"
        parts.append(Part(f" {passes}", "changed"))
    return Line(tuple(parts), frame)


class Stops(Pane):
    """Breakpoints and watchpoints. The items are breakpoints and watchpoints."""

    HINTS: ClassVar[Sequence[tuple[str, str]]] = (("space", "on, off"), ("delete", "remove"), ("enter", "show"))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "switch"),
        Binding("delete,d,x", "remove"),
    ]

    def __init__(self) -> None:
        super().__init__("stops")

    def show(self, view: View) -> None:
        """The machine has moved, or a breakpoint has changed."""
        rows: list[Line] = []
        for point in view.breakpoints:
            text = point.message or f"{point.text}{f' if {point.condition}' if point.condition else ''}"
            what = f"{point.kind:<8}"
            rows.append(
                _stop(point.id, point.enabled and point.verified, what, text, point.hits, point.condition, point)
            )
        for watched in view.watchpoints:
            text = f"{watched.text}{f' if {watched.condition}' if watched.condition else ''}"
            rows.append(_stop(watched.id, watched.enabled, "watch   ", text, watched.hits, watched.condition, watched))
        self.fill(
            rows or [line(("no breakpoints: F9 in source or disassembly sets one, w on a value watches it", "dim"))]
        )


def _stop(number: int, enabled: bool, kind: str, text: str, hits: int, condition: str, item: object) -> Line:
    return line(
        mark(enabled, condition),
        (f" {number:<3} ", "dim"),
        (kind, "dim"),
        f" {text:<30}",
        (f"  hit {hits}", "dim"),
        item=item,
    )


class Messages(Pane):
    """What commands were given and what they said; the newest is seen."""

    MOST = 5000

    def __init__(self) -> None:
        super().__init__("messages")

    def say(self, text: str, role: str = "") -> None:
        """More lines."""
        self.lines = [*self.lines, *(line((part, role)) for part in text.splitlines())][-self.MOST :]
        self.fill(self.lines, len(self.lines) - 1)
