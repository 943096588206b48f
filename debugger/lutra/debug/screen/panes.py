"""The panes that are lists: pipeline, call and loop stack, breakpoints and watchpoints, messages."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from textwrap import wrap
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from lutra.debug import Frame
from lutra.debug.pipeline import Stage
from lutra.debug.screen.lines import Line, Pane, Part, line
from lutra.debug.screen.source import mark
from lutra.debug.screen.view import Program, View


class Pipeline(Pane):
    """Which instruction is in which stage in the present cycle, and what it does there. The items are addresses."""

    def __init__(self, program: Program, rounds: int) -> None:
        super().__init__("pipeline")
        self._program = program
        self._rounds = rounds

    def show(self, view: View) -> None:
        """The machine has moved."""
        stages = view.pipeline
        self.fill([line((stages, "dim"))] if isinstance(stages, str) else list(self._rows(stages)))

    def _rows(self, stages: Sequence[Stage]) -> Iterator[Line]:
        """A line for each stage, and one below it for what an instruction waits for."""
        width = max(len(stage.name) for stage in stages)
        longest = max(len(stage.instruction) for stage in stages)
        for stage in stages:
            name = Part(f"{stage.name:<{width}}  ", "dim")
            if stage.pc is None:
                yield line(name, ("-", "dim"))
                continue
            work = (self._program.work(stage.pc, stage.name, self._rounds), "dim")
            yield line(name, (f"{stage.pc:04x}  ", "dim"), f"{stage.instruction:<{longest}}  ", work, item=stage.pc)
            if stage.wait:
                yield line(" " * (width + 2), (f"waits for {stage.wait}", "changed"), item=stage.pc)


class Stack(Pane):
    """Macros, loops and calls that are open, innermost first. The items are frames."""

    def __init__(self) -> None:
        super().__init__("stack")

    def show(self, view: View) -> None:
        """The machine has moved."""
        if isinstance(view.frames, str):
            self.fill([line((view.frames, "dim"))])
        else:
            width = max(len(_name(frame)) for frame in view.frames)
            self.fill([_frame(frame, width) for frame in view.frames])


def _frame(frame: Frame, width: int) -> Line:
    place = f"{PurePath(frame.place.file).name}:{frame.place.line}" if frame.place else f"{frame.pc:04x}"
    parts = [Part(f"{frame.kind:<5}  ", "dim"), Part(f"{_name(frame):<{width}}  "), Part(f"{place:<14}", "dim")]
    if frame.kind == "loop":
        passes = f"pass {frame.done + 1} of {frame.done + 1 + frame.left}" if frame.done >= 0 else f"{frame.left} left"
        parts.append(Part(f"  {passes}", "changed"))
    return Line(tuple(parts), frame)


def _name(frame: Frame) -> str:
    """A loop's instruction up to the count: where it ends is seen."""
    return frame.name.partition(",")[0] if frame.kind == "loop" else frame.name


class Stops(Pane):
    """Breakpoints and watchpoints. The items are breakpoints and watchpoints."""

    HINTS: ClassVar[Sequence[tuple[str, str]]] = (("space", "on, off"), ("delete", "remove"), ("enter", "show"))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "switch"),
        Binding("delete,d,x", "remove"),
    ]

    class Changed(Message):
        """A command about a breakpoint or watchpoint."""

        def __init__(self, command: str) -> None:
            super().__init__()
            self.command = command

    def __init__(self) -> None:
        super().__init__("stops")

    def action_switch(self) -> None:
        """On or off."""
        if self.item is not None:
            self.post_message(self.Changed(f"{'disable' if self.item.enabled else 'enable'} {self.item.id}"))

    def action_remove(self) -> None:
        """Away with it."""
        if self.item is not None:
            self.post_message(self.Changed(f"delete {self.item.id}"))

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
    """Commands and their output, in lines that fit; the newest is visible."""

    MOST = 2000

    def __init__(self) -> None:
        super().__init__("messages")
        self._said: deque[tuple[str, str]] = deque(maxlen=self.MOST)

    @property
    def said(self) -> str:
        """All of it, as it was said."""
        return "\n".join(text for text, _ in self._said)

    def say(self, text: str, role: str = "") -> None:
        """More lines."""
        self._said.extend((part, role) for part in text.splitlines())
        self._wrap()

    def on_resize(self, event: events.Resize) -> None:
        self._wrap()

    def _wrap(self) -> None:
        width = max(20, self.scrollable_content_region.width)
        wrapped = [
            line((part, role))
            for text, role in self._said
            for part in wrap(text, width, subsequent_indent="  ", drop_whitespace=False) or [""]
        ]
        self.fill(wrapped, len(wrapped) - 1)
