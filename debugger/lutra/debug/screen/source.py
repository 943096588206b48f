"""The source pane: the line of the next instruction, and the lines of the macros around it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.markup import escape

from lutra.asm import Place
from lutra.debug.screen.lines import Line, Pane, Part, line
from lutra.debug.screen.view import Program, View

# A line of assembly, without knowing any name: labels, the first word, a comment.
_WORDS = re.compile(
    r"(?P<comment>//.*|;.*|/\*.*)|(?P<label>^\s*[\w.$\\@()]+:)|(?P<directive>(?<![\w\\])\.[a-z]\w*)"
    r"|(?P<parameter>\\[\w@()+]+)|(?P<text>\"[^\"]*\")|(?P<other>[\w$.]+|\s+|.)"
)
_ROLES = {"comment": "comment", "label": "label", "directive": "directive", "parameter": "name"}


def coloured(text: str) -> Iterator[Part]:
    """The pieces of a line of assembly with their roles."""
    for match in _WORDS.finditer(text):
        yield Part(match.group(), _ROLES.get(match.lastgroup or "", ""))


def mark(enabled: bool, condition: str = "") -> Part:
    """The sign of a breakpoint."""
    return Part(("◆" if condition else "●") if enabled else "○", "stop" if enabled else "dim")


class Source(Pane):
    """A source file. The cursor's item is the line's number.

    level: how many macros outwards from the innermost the line is that is shown.
    """

    HINTS: ClassVar[Sequence[tuple[str, str]]] = (("[ ]", "out, in"), ("F4", "run here"))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left_square_bracket", "level(1)"),
        Binding("right_square_bracket", "level(-1)"),
    ]

    def __init__(self, program: Program) -> None:
        super().__init__("source")
        self.program = program
        self.view: View | None = None
        self.file = ""
        self.level = 0
        self.chain: tuple[Place, ...] = ()

    def show(self, view: View) -> None:
        """The machine has moved."""
        self.view = view
        self.chain = view.where.chain
        self.level = 0
        self._show_level()

    def open(self, place: Place, view: View) -> None:
        """A line that somebody has asked for."""
        self.view = view
        self._show(place.file, place.line)

    def action_level(self, outwards: int) -> None:
        """The line that uses the macro, or back."""
        self.level = max(0, min(self.level + outwards, len(self.chain) - 1))
        self._show_level()

    def _show_level(self) -> None:
        if self.chain:
            place = self.chain[self.level]
            self._show(place.file, place.line)
        else:
            self.file = ""
            self.label, self.note = "source", ""
            self.fill([line(("no source line for this address", "dim"))], 0)

    def _show(self, file: str, number: int) -> None:
        self.file = file
        self.label = escape(PurePath(file).name)
        self.note = self._macros()
        self.fill(list(self._lines()), number - 1)

    def _macros(self) -> str:
        """The macros that are open, innermost first, as markup: the one whose line is shown stands out."""
        names = [place.macro for place in self.chain if place.macro]
        marked = [f"[b]{escape(name)}[/b]" if level == self.level else escape(name) for level, name in enumerate(names)]
        return " < ".join(marked)

    def _lines(self) -> Iterator[Line]:
        assert self.view is not None
        marks = {}
        for point in self.view.breakpoints:
            if point.place is not None and point.place.file == self.file:
                marks[point.place.line] = mark(point.enabled and point.verified, point.condition)
        here = {place.line: level for level, place in reversed(list(enumerate(self.chain))) if place.file == self.file}
        code = self.program.lines.get(self.file, {})
        source = self.program.source(self.file)
        digits = len(str(len(source)))
        for number, text in enumerate(source, 1):
            arrow = (
                Part("   ") if number not in here else Part(" ▶ ", "here") if not here[number] else Part(" ▷ ", "here")
            )
            yield Line(
                (
                    marks.get(number, Part(" ")),
                    Part(f"{number:{digits}}", "" if number in code else "dim"),
                    arrow,
                    *coloured(text),
                ),
                item=number,
                current=here.get(number) == 0,
            )
