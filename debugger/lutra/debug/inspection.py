"""Inspect the present state: place, registers, memories, values, frames, code. Nothing here moves the machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from lutra.asm import Image, Place
from lutra.asm.files import normal
from lutra.debug.errors import DebugError
from lutra.debug.expressions import Expression
from lutra.debug.frames import Frame, Frames
from lutra.debug.lines import Lines
from lutra.debug.stops import Where
from lutra.debug.target import Target
from lutra.debug.values import FORMS, ROW, Location, Value, shown
from lutra.debug.views import View, Views
from lutra.debug.views import parse as parse_view
from lutra.isa import load
from lutra.iss.operands import Values
from lutra.iss.registers import Registers
from lutra.iss.trace import Line, Names, Trace

_WORD = load().machine["InsnBits"] // 8


@dataclass(frozen=True)
class Instruction:
    """A line of a disassembly. label: `main+2`, or "". chain: innermost macro first."""

    pc: int
    word: int
    text: str
    label: str
    chain: tuple[Place, ...]


class Inspection:
    """Looks at the present state of a target. folders: where source files are searched, after the present folder."""

    def __init__(self, target: Target, folders: Sequence[Path]) -> None:
        self._target = target
        self.lines = Lines(target.plan.image, folders)
        self.names = Names(target.plan.image)
        self._frames = Frames(self.lines, self._word, self.text, self.names.label, self._turns)

    @property
    def image(self) -> Image:
        """The program and its data."""
        return self._target.plan.image

    # ------------------------------------------------------------------ place

    def where(self) -> Where:
        """Return the position of the machine."""
        timeline = self._target.timeline
        coming = timeline.next_pc
        pc = self._target.engine.stop().pc if coming is None else coming
        return Where(
            timeline.now,
            timeline.cycle,
            pc,
            timeline.state,
            self.lines.chain(pc),
            self.names.label(pc),
            self._target.run,
            self.text(pc),
        )

    @property
    def latest(self) -> int:
        """The farthest time that was reached since something was set by hand."""
        return self._target.timeline.latest

    def records(self, count: int) -> Iterator[Line]:
        """The last instructions before now as lines of a trace, oldest first."""
        timeline = self._target.timeline
        now = timeline.now
        first = max(1, now - count + 1)
        with self._target.excursion():
            timeline.seek(first - 1)
            spaces = [space.name for space in load().memory_by_block.values()]
            memories = {name: self.read(name, 0, self.size(name)) for name in spaces}
            registers = {name: register.value for name, register in timeline.registers().items()}
        trace = Trace(self.image, Values(registers, memories))
        yield from map(trace.line, timeline.records(first, now))

    def number(self, name: str) -> int:
        """One of syntax.NUMBERS."""
        timeline = self._target.timeline
        pc = timeline.next_pc
        values = {"pc": self._target.engine.stop().pc if pc is None else pc, "cycle": timeline.cycle}
        return values.get(name, timeline.now)

    def frames(self) -> list[Frame]:
        """Macros, loops and calls that are open, innermost first; the last is the entry."""
        entry = self._target.plan.runs[self._target.run].entry
        return self._frames.at(self.number("pc"), entry, self.registers())

    def _turns(self, pc: int) -> int | None:
        """Return the number of passes of the loop that last began at an address."""
        timeline = self._target.timeline
        time = timeline.last((load().program.name, pc))
        return None if time is None else timeline.record(time).fields.get("loop_remaining")

    # ------------------------------------------------------------------ state

    def registers(self) -> Registers:
        """The architectural registers."""
        return self._target.registers()

    def size(self, space: str) -> int:
        """Bytes of a space."""
        return self._target.engine.size(space)

    def read(self, space: str, offset: int, length: int) -> bytes:
        """Bytes of a space, without effect on the run."""
        return self._target.timeline.read(space, offset, length)

    # ------------------------------------------------------------------ code

    def _word(self, pc: int) -> int:
        if pc >= self.size(load().program.name) // _WORD:
            return 0
        return int.from_bytes(self.read(load().program.name, pc * _WORD, _WORD), "little")

    def text(self, pc: int) -> str:
        """Return the instruction at an address as assembly."""
        return self.names.instruction(self._word(pc), pc)

    def instructions(self, first: int, count: int) -> list[Instruction]:
        """Program words from an address on; fewer at the end of program memory."""
        end = min(first + count, self.size(load().program.name) // _WORD)
        return [
            Instruction(pc, self._word(pc), self.text(pc), self.names.label(pc), self.lines.chain(pc))
            for pc in range(first, end)
        ]

    def source(self, file: str) -> Sequence[str]:
        """The lines of a source file as the image names it. Raises DebugError where it cannot be read."""
        return self.lines.text(file)

    def addresses(self, file: str, line: int) -> tuple[int, ...]:
        """All program addresses at which a use of a line begins, whether in the open or in macros."""
        return self.lines.addresses(file, line)

    # ------------------------------------------------------------------ values

    def evaluate(self, text: str) -> Value:
        """The value of an expression. Raises DebugError with the place in the text."""
        return Expression.of(text).value(self)

    def locate(self, text: str) -> Location:
        """Return the place of an expression, including SYMBOL+OFFSET. Raises DebugError if it is computed."""
        location = Expression.of(text).location(self)
        if location is None:
            forms = "a register, SPACE[ADDRESS], SPACE@OFFSET, a symbol, SYMBOL+OFFSET, or a part of one"
            raise DebugError(f"{text.strip()}: is not a place; write {forms}")
        return location

    def what_is_at(self, text: str) -> Value:
        """The value of a place, which SYMBOL+OFFSET is here. Raises DebugError as `locate`."""
        location = self.locate(text)
        value = self.evaluate(text)
        return value if value.location else Value(value.text, self.at(location), location)

    def at(self, location: Location) -> int | bytes:
        """Return the contents of a place."""
        if location.space:
            return self.read(location.space, location.offset, location.length)
        value = self.registers()[location.name].value
        if isinstance(value, bytes):
            return value[location.offset : location.offset + location.length]
        return value

    @cached_property
    def known_views(self) -> Views:
        """The views of the sources, and those of the user."""
        views = Views()
        for file in self.lines.sources():
            try:
                views.read(normal(file), self.lines.text(file))
            except DebugError:
                continue  # a source file that is not here has no views
        return views

    def add_view(self, text: str) -> None:
        """Add a view: `TARGET NAME SHAPE`, as in a source comment. Raises DebugError."""
        self.known_views.add(parse_view(text))

    def views(self) -> Sequence[str]:
        """The names of all views."""
        return list(dict.fromkeys(view.name for view in self.known_views.all()))

    def show(self, value: Value, form: str = "") -> str:
        """A value in one of `values.FORMS` or a view; without a form, as its source comment or its kind says. Views
        and more than a row have several lines. Raises DebugError."""
        view = self.known_views.named(form, value.text) if form else self.known_views.of(value.text)
        if view is not None and form not in FORMS:
            return "\n".join(view.lines(self._viewed(value, view)))
        if form and form not in FORMS:
            known = ", ".join([*FORMS, *self.views()])
            raise DebugError(f"no form or view {form!r}; choose from {known}")
        return shown(value.value, form, value.location.length if value.location else 0)

    def _viewed(self, value: Value, view: View) -> bytes:
        """The bytes that a view shows: in a memory from the value's place on, as many as it takes."""
        size, location = view.shape.size, value.location
        if location is not None and location.space and location.length == ROW and size > ROW:
            return self.read(location.space, location.offset, min(size, self.size(location.space) - location.offset))
        if isinstance(value.value, int):
            raise DebugError(f"view {view.name} takes {size} bytes, and {value.text} is a number")
        return value.value
