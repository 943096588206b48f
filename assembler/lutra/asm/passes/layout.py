"""Layout: assign addresses to statements and values to labels. Contents come later (link.py).

Program memory counts words. Data memories and tables count bytes. A section that is one lane of a
table bank (`t0.5`), or all lanes with equal contents (`t0.*`), counts entries: byte n of the
section goes to entry n, so an S-box is 256 `.byte`s.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from lutra.asm.errors import AsmError, Line, LineError, nearest
from lutra.asm.passes.define import Unit
from lutra.asm.passes.nodes import Argument, Assign, Directive, Instruction, SectionStart, Statement, Str, Sym
from lutra.asm.passes.packing import check_range
from lutra.asm.passes.sources import Sources
from lutra.asm.passes.symbols import Definition
from lutra.asm.reporter import Reporter
from lutra.isa import Isa, Space

# Bytes per value, most significant first, like lanes.
WIDTHS = {".byte": 1, ".half": 2, ".word": 4, ".quad": 8}
_LANE = re.compile(r"(.+)\.(\d+|\*)")


@dataclass(frozen=True)
class Section:
    """A section. `spaces` are the memories that it fills, `lanes` the bytes of an entry or empty."""

    name: str
    space: Space
    spaces: tuple[Space, ...]
    lanes: tuple[int, ...]
    size: int

    @property
    def unit(self) -> str:
        """The unit of its addresses."""
        return "words" if self.space.is_program else "entries" if self.lanes else "bytes"


class Placed(NamedTuple):
    """An instruction or data with its address in units of its section."""

    line: Line
    unit: Unit
    section: Section
    address: int
    body: Instruction | Directive
    data: bytes | None = None  # contents, if already known


class Layout:
    """Places the statements of all units, one unit after another in every section."""

    def __init__(self, isa: Isa, reporter: Reporter, files: Sources, program_words: int) -> None:
        self.placed: list[Placed] = []
        self._isa = isa
        self._reporter = reporter
        self._sources = files
        self._row = isa.machine["VectorBytes"]
        self._program_words = program_words
        self._sections: dict[str, Section] = {}
        self._text = self._section_named("text")
        self._at: dict[str, int] = {}
        self._high: dict[str, int] = {}
        self._full: set[str] = set()  # sections that have been reported as full

    def place(self, units: list[Unit]) -> None:
        """Place everything; labels get their values."""
        for unit in units:
            # A unit begins after the previous one, its data at the start of a row.
            self._at = {
                name: high if self._sections[name].unit != "bytes" else -(-high // self._row) * self._row
                for name, high in self._high.items()
            }
            section: Section | None = self._text
            for line, statement in unit.statements:
                try:
                    section = self._statement(unit, section, line, statement)
                except LineError as problem:
                    self._reporter.problem(line, problem)
                    if isinstance(statement.body, SectionStart):
                        section = None

    def _statement(self, unit: Unit, section: Section | None, line: Line, statement: Statement) -> Section | None:
        """Place one statement; return the section of the next one, None if unknown."""
        body = statement.body
        if section is not None:
            for label in statement.labels:
                self._label(unit.scope.symbols.get(label.name), line, section)
        if isinstance(body, SectionStart):
            return self._section_named(body.name, body.col, body.end)
        if isinstance(body, Directive) and body.name == ".text":
            return self._text
        if section is None or body is None:
            return section
        at = self._at.get(section.name, 0)
        if isinstance(body, Instruction):
            if not section.space.is_program:
                raise LineError(
                    f"section {section.name} cannot hold an instruction",
                    body.col,
                    body.end,
                    "instructions go to .section text",
                )
            self._put(Placed(line, unit, section, at, body), 1)
        elif isinstance(body, Assign):
            self._here(unit, body.name, line, at)
        else:
            self._directive(unit, section, line, body, at)
        return section

    def _label(self, found: Definition | None, line: Line, section: Section) -> None:
        if found is None or found.line is not line or found.expr is not None:
            return  # defined twice, already reported
        at = self._at.get(section.name, 0)
        found.value = at
        found.space = section.space.name
        found.address = at * self._row + section.lanes[0] if section.lanes else at

    def _here(self, unit: Unit, name: str, line: Line, at: int) -> None:
        found = unit.scope.symbols.get(name)
        if found is not None and found.line is line:
            found.here = at

    # --------------------------------------------------------------------------- sections

    def _section_named(self, name: str, col: int = 0, end: int = 0) -> Section:
        if name not in self._sections:
            self._sections[name] = self._make_section(name, col, end)
        return self._sections[name]

    def _make_section(self, name: str, col: int, end: int) -> Section:
        isa = self._isa
        program = isa.program
        if name in ("text", ".text", program.name):
            known = self._sections.get("text")
            return known or Section("text", program, (program,), (), self._program_words)
        found = _LANE.fullmatch(name)
        space = isa.space_by_name.get(found[1] if found else name)
        if space is None or space.is_program or (found and not space.banks):
            names = ["text", *(s.name for s in isa.spaces if not s.is_program)]
            hint = nearest(name, names, "sections: " + " ".join(names) + "; a lane of a table: BANK.LANE, BANK.*")
            raise LineError(f"unknown section '{name}'", col, end, hint)
        spaces = tuple([isa.memory_by_block[b] for b in space.blocks] + [isa.bank_by_number[b] for b in space.banks])
        if not found:
            return Section(name, space, spaces, (), isa.size(space))
        if found[2] != "*" and int(found[2]) >= self._row:
            raise LineError(f"{space.name} has no lane {found[2]}", col, end, f"legal: 0 to {self._row - 1}")
        lanes = tuple(range(self._row)) if found[2] == "*" else (int(found[2]),)
        return Section(name, space, spaces, lanes, isa.size(space) // self._row)

    def _put(self, placed: Placed, count: int) -> None:
        section, body = placed.section, placed.body
        end = placed.address + count
        self._at[section.name] = end
        self._high[section.name] = max(end, self._high.get(section.name, 0))
        if end > section.size:
            if section.name in self._full:
                return
            self._full.add(section.name)
            raise LineError(
                f"section {section.name} is full: this would end at {end}",
                body.col,
                body.end,
                f"{section.space.text} holds {section.size} {section.unit}",
            )
        self.placed.append(placed)

    # ------------------------------------------------------------------------- directives

    def _directive(self, unit: Unit, section: Section, line: Line, body: Directive, at: int) -> None:
        name, args = body.name, body.args
        if name in (".global", ".entry", ".array"):
            return
        if name == ".equ":
            if isinstance(args[0], Sym):
                self._here(unit, args[0].name, line, at)
            return
        if name == ".org":
            self._at[section.name] = self._value(unit, body, at, 0, section.size)
            return
        if name == ".align":
            step = self._value(unit, body, at, 1, section.size)
            self._at[section.name] = -(-at // step) * step
            return
        if section.space.is_program != (name == ".insn"):
            if name == ".insn":
                raise LineError(
                    f"section {section.name} cannot hold .insn", body.col, body.end, "instructions go to .section text"
                )
            hint = "data go to a memory's section; a raw instruction word is .insn"
            raise LineError(f"program memory cannot hold {name}", body.col, body.end, hint)
        if name in WIDTHS or name == ".insn":
            self._numbers(args, body)
            width = 1 if name == ".insn" else WIDTHS[name]
            self._put(Placed(line, unit, section, at, body), width * len(args))
            return
        data = self._data(unit, section, line, body, at)
        self._put(Placed(line, unit, section, at, body, data), len(data))

    def _data(self, unit: Unit, section: Section, line: Line, body: Directive, at: int) -> bytes:
        """Return the contents of a directive whose size depends on its arguments."""
        name, args = body.name, body.args
        room = section.size
        if name == ".row":
            for arg in args:
                if isinstance(arg, Str) and len(arg.value) != self._row:
                    text = f"a row has {self._row} bytes, this has {len(arg.value)}"
                    raise LineError(text, arg.col, arg.end)
            return b"".join(a.value for a in args if isinstance(a, Str))
        if name in (".ascii", ".asciz"):
            strings = [a.value for a in args if isinstance(a, Str)]
            if len(strings) != len(args) or not args:
                raise LineError(f"{name} takes strings", body.col, body.end)
            return b"".join(s + (b"\0" if name == ".asciz" else b"") for s in strings)
        if name == ".incbin":
            return self._incbin(unit, line, body, at)
        if not 1 <= len(args) <= 2 - (name == ".zero"):
            usage = "a size" if name == ".zero" else "a count and a byte"
            raise LineError(f"{name} takes {usage}", body.col, body.end)
        self._numbers(args, body)
        size = self._argument(unit, args[0], at, 0, room)
        fill = self._argument(unit, args[1], at, -128, 255) if len(args) == 2 else 0
        return bytes([fill & 0xFF]) * size

    def _incbin(self, unit: Unit, line: Line, body: Directive, at: int) -> bytes:
        args = body.args
        if not 1 <= len(args) <= 3 or not isinstance(args[0], Str):
            raise LineError(".incbin takes a file name, an offset and a length", body.col, body.end)
        name, col, end = args[0].value.decode(errors="replace"), args[0].col, args[0].end
        try:
            data = self._sources.contents(self._sources.find(name, line.file, col, end))
        except AsmError as error:
            raise LineError(f"'{name}' {error.diagnostics[0].message}", col, end) from None
        offset = self._argument(unit, args[1], at, 0, len(data)) if len(args) > 1 else 0
        length = self._argument(unit, args[2], at, 0, len(data) - offset) if len(args) > 2 else len(data) - offset
        return data[offset : offset + length]

    def _numbers(self, args: tuple[Argument, ...], body: Directive) -> None:
        if not args:
            raise LineError(f"{body.name} takes numbers", body.col, body.end)
        for arg in args:
            if isinstance(arg, Str):
                raise LineError(f"{body.name} takes numbers", arg.col, arg.end, "text is written with .ascii")

    def _value(self, unit: Unit, body: Directive, at: int, low: int, high: int) -> int:
        if len(body.args) != 1 or isinstance(body.args[0], Str):
            raise LineError(f"{body.name} takes one number", body.col, body.end)
        return self._argument(unit, body.args[0], at, low, high)

    def _argument(self, unit: Unit, arg: Argument, at: int, low: int, high: int) -> int:
        """Return a number that affects addresses: its labels must already be placed."""
        if isinstance(arg, Str):
            raise LineError("a number is needed", arg.col, arg.end)
        value = unit.scope.value(arg, at)
        check_range(value, low, high, arg)
        return value
