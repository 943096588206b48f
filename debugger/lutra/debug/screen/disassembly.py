"""The disassembly: all program words under their labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import ClassVar

from textual import events

from lutra.debug import Instruction
from lutra.debug.screen.lines import Line, Pane, Part, line
from lutra.debug.screen.source import mark
from lutra.debug.screen.view import Program, View
from lutra.isa import load

# Columns next to the operands, with the places.
_PLACES = 36


class Disassembly(Pane):
    """The program. The cursor's item is a program address, None on a label."""

    HINTS: ClassVar[Sequence[tuple[str, str]]] = (("F4", "run here"),)

    def __init__(self, program: Program) -> None:
        super().__init__("disassembly")
        self.program = program
        self._labels = program.symbols(load().program.name)
        self._rows: dict[int, int] = {}
        self._width = max((len(_operands(found)) for found in program.instructions), default=0)
        self._view: View | None = None

    def show(self, view: View) -> None:
        """The machine has moved."""
        self._view = view
        places = self.size.width > self._width + _PLACES
        marks = {pc: mark(point.enabled, point.condition) for point in view.breakpoints for pc in point.addresses}
        lines: list[Line] = []
        for instruction in self.program.instructions:
            if instruction.pc in self._labels:
                lines.append(line((f"{self._labels[instruction.pc]}:", "label")))
            self._rows[instruction.pc] = len(lines)
            here = instruction.pc == view.where.pc
            lines.append(Line(tuple(self._parts(instruction, marks, here, places)), instruction.pc, here))
        self.fill(lines, self._rows.get(view.where.pc, 0))

    def open(self, pc: int) -> None:
        """An instruction that somebody has asked for."""
        self.place(self._rows.get(pc, 0))

    def on_resize(self, event: events.Resize) -> None:
        if self._view is not None:
            self.show(self._view)

    def _parts(self, instruction: Instruction, marks: dict[int, Part], here: bool, places: bool) -> Iterator[Part]:
        yield marks.get(instruction.pc, Part(" "))
        yield Part(f"{instruction.pc:04x}", "dim")
        yield Part(" ▶ ", "here") if here else Part("   ")
        yield Part(f"{instruction.text.partition(' ')[0]:<8} ", "name")
        yield Part(f"{_operands(instruction):<{self._width}}")
        if instruction.chain and places:
            place = instruction.chain[0]
            yield Part(f"  {PurePath(place.file).name}:{place.line}", "dim")


def _operands(instruction: Instruction) -> str:
    return instruction.text.partition(" ")[2]
