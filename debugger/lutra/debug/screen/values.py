"""The panes of values: registers, memories, tables, contexts. Their items are what the command language calls them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from lutra.debug import FORMS, Location, Value
from lutra.debug.screen.lines import Line, Pane, Part, line
from lutra.debug.screen.view import View
from lutra.debug.values import ROW
from lutra.iss.engine import EngineError
from lutra.iss.registers import Register

# Forms that `v` cycles through; a view is the one of a source comment, or words without one.
LANES, VIEW = "lanes", "view"
SHAPES = ("words", *(form for form in FORMS if form != "words"), VIEW)
# How many numbers of one kind a line holds, and how long a line of others may be.
NUMBERS = 4
WIDTH = 42

Show = Callable[[Value, str], str]


class Values(Pane):
    """Values in a form that can be changed."""

    HINTS: ClassVar[Sequence[tuple[str, str]]] = (
        ("v", "form"),
        ("w", "watch"),
        ("l", "last writer"),
        ("h", "history"),
        ("e", "edit"),
        ("enter", "all"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v", "form(1)"),
        Binding("V", "form(-1)"),
        Binding("w", "ask('watch')"),
        Binding("l", "ask('last')"),
        Binding("L", "ask('goto')"),
        Binding("h", "ask('history')"),
        Binding("e", "ask('set')"),
        Binding("enter", "ask('')"),
    ]

    class Wanted(Message):
        """A command about a value; without one, all that is known of it."""

        def __init__(self, command: str, item: str) -> None:
            super().__init__()
            self.command = command
            self.item = item

    def __init__(self, name: str, show: Show) -> None:
        super().__init__(name)
        self._show = show
        self.form = SHAPES[0]
        self.view: View | None = None

    def show(self, view: View) -> None:
        """The machine has moved."""
        self.view = view
        self.fill(list(self.rows(view)))

    @abstractmethod
    def rows(self, view: View) -> Iterator[Line]:
        """The lines for a view."""

    def action_form(self, direction: int) -> None:
        """The next form."""
        self.form = SHAPES[(SHAPES.index(self.form) + direction) % len(SHAPES)]
        self.again()

    def again(self) -> None:
        """Show the same in another way."""
        if self.view is not None:
            self.show(self.view)
        self.post_message(self.Titled())

    def action_ask(self, what: str) -> None:
        """Something about the value."""
        if self.item is not None:
            self.post_message(self.Wanted(what, self.item))

    def text_of(self, value: Value) -> list[str]:
        """A value in the present form, of which a view may have several lines."""
        form = "" if self.form == VIEW else self.form
        try:
            lines = self._show(value, form).splitlines()
        except EngineError:
            lines = self._show(value, SHAPES[0]).splitlines()
        return lines[1:] if self.form == LANES else lines

    def head(self, margin: int) -> Iterator[Line]:
        """The numbers of the lanes, once for all values."""
        if self.form == LANES:
            numbers = self._show(Value("", bytes(ROW)), LANES).splitlines()[0]
            yield line((" " * (margin + 1) + numbers, "dim"))

    def lines_of(self, name: str, value: Value, margin: int, changed: bool, note: str = "") -> Iterator[Line]:
        """The lines of one value: its name, a mark if it has changed, the text."""
        zero = isinstance(value.value, bytes) and not any(value.value)
        role = "changed" if changed else "dim" if zero else ""
        first, *more = self.text_of(value)
        head = Part(f"{name:<{margin}}{'*' if changed else ' '}", role or "dim")
        yield Line((head, Part(first, role), Part(note, "dim")), item=value.text)
        for text in more:
            yield Line((Part(" " * (margin + 1)), Part(text, role)), item=value.text)


class Registers(Values):
    """Vector registers by line, numbers several a line; what belongs to a register where it is not zero."""

    def rows(self, view: View) -> Iterator[Line]:
        self.note = self.form
        vectors = [r for r in view.registers.values() if isinstance(r.value, bytes) and "." not in r.name]
        margin = max((len(r.name) for r in vectors), default=0)
        yield from self.head(margin)
        for register in vectors:
            value = Value(register.name, register.value, Location("", register.name, 0, ROW))
            yield from self.lines_of(register.name, value, margin, register.name in view.changed)
        yield from self._numbers(view)

    def _numbers(self, view: View) -> Iterator[Line]:
        """Registers of a file stay together; of what belongs to others only what is not zero or has changed."""
        plain = [r for r in view.registers.values() if not isinstance(r.value, bytes) and "." not in r.name and r.used]
        files = groupby(plain, key=lambda register: register.name.rstrip("0123456789"))
        groups = [list(group) for _, group in files]
        single = [group[0] for group in groups if len(group) == 1]
        owned = [
            r
            for r in view.registers.values()
            if not isinstance(r.value, bytes)
            and r.base in view.registers
            and "." in r.name
            and (r.value or r.name in view.changed)
        ]
        for group in (group for group in groups if len(group) > 1):
            for first in range(0, len(group), NUMBERS):
                yield Line(tuple(_numbers(group[first : first + NUMBERS], view.changed)))
        yield from _flowing([list(_numbers([register], view.changed)) for register in (*owned, *single)])


def _numbers(registers: Sequence[Register], changed: frozenset[str]) -> Iterator[Part]:
    for register in registers:
        mark, role = ("*", "changed") if register.name in changed else (" ", "")
        yield Part(f"{register.name}{mark}", role or "dim")
        yield Part(register.text.removeprefix("0x"), role, register.name)
        yield Part(" ")


def _flowing(groups: Sequence[Sequence[Part]]) -> Iterator[Line]:
    """Return as many groups per line as fit."""
    parts: list[Part] = []
    for group in groups:
        if parts and sum(len(part.text) for part in (*parts, *group)) > WIDTH:
            yield Line(tuple(parts))
            parts = []
        parts += group
    if parts:
        yield Line(tuple(parts))


class Contexts(Values):
    """The rows of the stream contexts."""

    def rows(self, view: View) -> Iterator[Line]:
        rows = [r for r in view.registers.values() if isinstance(r.value, bytes) and "." in r.name]
        margin = max((len(r.name) for r in rows), default=0)
        yield from self.head(margin)
        for register in rows:
            value = Value(register.name, register.value, Location("", register.name, 0, ROW))
            yield from self.lines_of(register.name, value, margin, register.name in view.changed)


class Memory(Values):
    """One of several spaces, by rows, next to the labels of the program."""

    HINTS: ClassVar[Sequence[tuple[str, str]]] = ((", .", "other"), *Values.HINTS)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("full_stop", "space(1)"),
        Binding("comma", "space(-1)"),
    ]

    def __init__(self, name: str, show: Show, spaces: Sequence[str], labels: Mapping[str, Mapping[int, str]]) -> None:
        super().__init__(name, show)
        self.spaces = spaces
        self.space = spaces[0]
        self._labels = labels

    def rows(self, view: View) -> Iterator[Line]:
        self.label = self.space
        data = view.memory[self.space]
        labels = self._labels[self.space]
        yield from self.head(3)
        for offset in range(0, len(data), ROW):
            name = f"{self.space}[{offset:#05x}]"
            value = Value(name, data[offset : offset + ROW], Location(self.space, "", offset, ROW))
            note = " ".join(labels[at] for at in range(offset, offset + ROW) if at in labels)
            yield from self.lines_of(f"{offset:03x}", value, 3, name in view.changed, f"  {note}" if note else "")

    def action_space(self, direction: int) -> None:
        """The next space."""
        self.space = self.spaces[(self.spaces.index(self.space) + direction) % len(self.spaces)]
        self.row = 0
        self.again()
        self.reveal()

    def find(self, text: str) -> bool:
        """In this space, then in the others."""
        start = self.space
        if super().find(text):
            return True
        for _ in self.spaces[1:]:
            self.action_space(1)
            if super().find(text):
                return True
        self.action_space(self.spaces.index(start) - self.spaces.index(self.space))
        return False

    def open(self, space: str, offset: int) -> None:
        """A row that somebody has asked for."""
        self.space = space
        self.again()
        name = f"{space}[{offset // ROW * ROW:#05x}]"
        self.place(next((row for row, shown in enumerate(self.lines) if shown.item == name), 0))
