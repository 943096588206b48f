"""Source files to an image: expansion, global names, layout, contents."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from lutra.asm.encode import Encoder
from lutra.asm.errors import AsmError, Line, LineError, Reporter
from lutra.asm.expand import Expander, Unit, read_source
from lutra.asm.image import Image, Symbol
from lutra.asm.layout import WIDTHS, Layout, Placed
from lutra.asm.packing import check_range
from lutra.asm.scope import Definition
from lutra.asm.syntax import Directive, Instruction, Str
from lutra.isa import Isa, load


def assemble(
    sources: Sequence[Path],
    include_dirs: Sequence[Path] = (),
    defines: Mapping[str, int | str] | None = None,
    *,
    program_words: int | None = None,
) -> Image:
    """Assemble files and place them one behind the other.

    `defines` are names with a number or an expression, known to every file. `program_words` is
    the depth of program memory if it is not the machine's default. Raises AsmError with all
    findings.
    """
    reporter = Reporter()
    texts: list[tuple[str, str]] = []
    for path in sources:
        try:
            texts.append((str(path), read_source(Path(path))))
        except AsmError as error:
            reporter.diagnostics += error.diagnostics
    return _assemble(texts, reporter, include_dirs, defines or {}, program_words)


def assemble_text(
    text: str,
    name: str = "<text>",
    include_dirs: Sequence[Path] = (),
    defines: Mapping[str, int | str] | None = None,
    *,
    program_words: int | None = None,
) -> Image:
    """Assemble a program given as text; `name` stands for the file's name in messages."""
    return _assemble([(name, text)], Reporter(), include_dirs, defines or {}, program_words)


@contextmanager
def _without_gc() -> Iterator[None]:
    """No cyclic garbage collection: a parse makes many objects that all stay (three times as fast)."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _assemble(
    texts: Sequence[tuple[str, str]],
    reporter: Reporter,
    include_dirs: Sequence[Path],
    defines: Mapping[str, int | str],
    program_words: int | None,
) -> Image:
    isa = load()
    folders = [Path(d) for d in include_dirs]
    with _without_gc():
        units = [Expander(isa, reporter, folders, defines).unit(name, text) for name, text in texts]
        exported = _exports(units, reporter)
        layout = Layout(isa, reporter, folders, program_words or isa.machine["ProgramWords"])
        layout.place(units)
        contents = _Contents(isa, reporter)
        contents.fill(layout.placed)
        entry = _entry(isa, units, reporter)
        symbols = _symbols(units, exported)
    reporter.raise_if_failed()
    return Image(contents.program, contents.segments(), symbols, contents.lines, entry, tuple(reporter.diagnostics))


def _exports(units: Sequence[Unit], reporter: Reporter) -> dict[str, Definition]:
    """The global names; every unit's scope gets them."""
    exported: dict[str, Definition] = {}
    for unit in units:
        for name, (line, node) in unit.globals.items():
            new = unit.scope.symbols.get(name)
            if new is None:
                continue  # declares a name of another file
            old = exported.setdefault(name, new)
            if old is not new:
                text = f"global symbol '{name}' is defined twice"
                reporter.problem(line, LineError(text, node.col, node.end, f"first defined in {old.place}"))
    private: dict[str, str] = {}
    for unit in units:
        for name, found in unit.scope.symbols.items():
            if name not in exported and found.line.number:
                private.setdefault(name, found.line.file)
    for unit in units:
        unit.scope.globals = exported
        unit.scope.elsewhere = private
    for unit in units:
        for line, node in unit.globals.values():
            _report_undefined(unit, line, reporter, lambda u=unit, n=node: u.scope.definition(n))  # type: ignore[misc]
    return exported


def _report_undefined(unit: Unit, line: Line, reporter: Reporter, look_up: Callable[[], Definition]) -> None:
    try:
        look_up()
    except LineError as problem:
        reporter.problem(line, problem)


def _entry(isa: Isa, units: Sequence[Unit], reporter: Reporter) -> int:
    """Address of the `.entry` label; 0 without one."""
    entries = [(unit, *unit.entry) for unit in units if unit.entry is not None]
    address = 0
    for unit, line, node in entries[:1]:
        try:
            found = unit.scope.definition(node)
            if found.space and found.space != isa.program.name:
                raise LineError(f"'{node.name}' is an address in {found.space}", node.col, node.end)
            address = unit.scope.value(node)
            check_range(address, 0, (1 << isa.machine["AddressBits"]) - 1, node)
        except LineError as problem:
            reporter.problem(line, problem)
    for _, line, node in entries[1:]:
        first = entries[0][1]
        hint = f"the first is in {first.file}:{first.number}"
        reporter.problem(line, LineError("a second .entry", node.col, node.end, hint))
    return address


def _symbols(units: Sequence[Unit], exported: Mapping[str, Definition]) -> tuple[Symbol, ...]:
    """Every symbol but `.L` ones; expressions nobody could compute are left out."""
    symbols = []
    for unit in units:
        for name, found in unit.scope.symbols.items():
            if name.startswith(".L"):
                continue
            if found.expr is None:
                value = found.address
            else:
                try:
                    value = unit.scope.value(found.expr, found.here)
                except LineError:
                    continue
            symbols.append(Symbol(name, found.space, value, exported.get(name) is found, unit.name))
    return tuple(symbols)


class _Contents:
    """Memory contents; two things in one place are an error."""

    def __init__(self, isa: Isa, reporter: Reporter) -> None:
        self.program: list[int] = []
        self.lines: dict[int, tuple[str, int]] = {}
        self._isa = isa
        self._reporter = reporter
        self._encoder = Encoder(isa)
        self._row = isa.machine["VectorBytes"]
        self._word_owners: dict[int, Line] = {}
        self._bytes: dict[str, bytearray] = {}
        self._owners: dict[str, list[Line | None]] = {}

    def fill(self, placed: Sequence[Placed]) -> None:
        """Encode everything and put it in place."""
        for item in placed:
            try:
                if isinstance(item.body, Instruction):
                    word = self._encoder.encode(item.body, item.unit.scope, item.address)
                    self._put_word(item, item.address, word)
                elif item.section.space.is_program:
                    for i, word in enumerate(self._numbers(item, item.body, self._isa.machine["InsnBits"])):
                        self._put_word(item, item.address + i, word & (1 << self._isa.machine["InsnBits"]) - 1)
                else:
                    self._put_bytes(item, item.body)
            except LineError as problem:
                self._reporter.problem(item.line, problem)

    def segments(self) -> dict[str, list[tuple[int, bytes]]]:
        """(offset, contents) of every data memory and table bank."""
        found: dict[str, list[tuple[int, bytes]]] = {}
        for space in self._isa.spaces:
            if len(space.blocks) + len(space.banks) != 1:
                continue
            runs: list[tuple[int, bytes]] = []
            data, owners = self._bytes.get(space.name, b""), self._owners.get(space.name, [])
            start = None
            for i, owner in enumerate([*owners, None]):
                if owner is not None and start is None:
                    start = i
                elif owner is None and start is not None:
                    runs.append((start, bytes(data[start:i])))
                    start = None
            found[space.name] = runs
        return found

    def _numbers(self, item: Placed, body: Directive, bits: int) -> list[int]:
        values = []
        for arg in body.args:
            if not isinstance(arg, Str):
                value = item.unit.scope.value(arg, item.address)
                check_range(value, -(1 << bits - 1), (1 << bits) - 1, arg)
                values.append(value)
        return values

    def _put_word(self, item: Placed, address: int, word: int) -> None:
        old = self._word_owners.setdefault(address, item.line)
        if old is not item.line:
            self._overlap(item, old)
        if address >= len(self.program):
            self.program.extend([0] * (address + 1 - len(self.program)))
        self.program[address] = word
        self.lines[address] = item.line.flow

    def _put_bytes(self, item: Placed, body: Directive) -> None:
        data = item.data
        if data is None:
            width = WIDTHS[body.name]
            mask = (1 << 8 * width) - 1
            data = b"".join((v & mask).to_bytes(width, "big") for v in self._numbers(item, body, 8 * width))
        section = item.section
        for space in section.spaces:
            size = self._isa.size(space)
            memory = self._bytes.setdefault(space.name, bytearray(size))
            owners = self._owners.setdefault(space.name, [None] * size)
            for i, byte in enumerate(data):
                entry = item.address + i
                places = [entry * self._row + lane for lane in section.lanes] if section.lanes else [entry]
                for place in places:
                    old = owners[place]
                    if old is not None:
                        self._overlap(item, old)
                    owners[place] = item.line
                    memory[place] = byte

    def _overlap(self, item: Placed, old: Line) -> None:
        body = item.body
        raise LineError(
            f"overlap: address {item.address} of section {item.section.name} is taken",
            body.col,
            body.end,
            f"by {old.file}:{old.number}",
        )
