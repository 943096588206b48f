"""Assemble source files to an image: expansion, global names, layout, contents, checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lutra.asm.analysis import flow, loops, program, unused
from lutra.asm.analysis.decoded import decode_all
from lutra.asm.checks import severities
from lutra.asm.errors import AsmError, Diagnostic, Line, LineError
from lutra.asm.expansions import expansions_of
from lutra.asm.image import Image, Symbol
from lutra.asm.memory import without_collection
from lutra.asm.passes.contents import Contents
from lutra.asm.passes.define import COMMAND_LINE, Unit
from lutra.asm.passes.expand import Expander
from lutra.asm.passes.layout import Layout, Placed
from lutra.asm.passes.packing import check_range
from lutra.asm.passes.sources import Sources
from lutra.asm.passes.symbols import Definition
from lutra.asm.registers.allocate import Allocation, wanted
from lutra.asm.reporter import Reporter, TooManyErrorsError
from lutra.isa import Isa, load

Defines = Mapping[str, int | str] | Sequence[tuple[str, int | str]]


def assemble(
    sources: Sequence[Path],
    include_dirs: Sequence[Path] = (),
    defines: Defines | None = None,
    *,
    program_words: int | None = None,
    warnings: Sequence[str] = (),
    max_errors: int | None = None,
) -> Image:
    """Assemble files and place them one after another.

    `defines` are names with a number or an expression, visible to every file; given as pairs, a repeated name is
    reported. `program_words` is the depth of program memory, by default the machine's. `warnings` are options as after
    `-W`, such as "error" and "no-unused-label". With `max_errors` the assembler stops at one error more.

    The image contains the warnings. Raises AsmError with all findings, and ValueError for an unknown warning.
    """
    return _Assembly(Sources(include_dirs), defines, program_words, warnings, max_errors).image(sources, None)


def assemble_text(
    text: str,
    name: str = "<text>",
    include_dirs: Sequence[Path] = (),
    defines: Defines | None = None,
    *,
    program_words: int | None = None,
    warnings: Sequence[str] = (),
    max_errors: int | None = None,
) -> Image:
    """Assemble a program given as text; `name` is the file's name in messages."""
    return _Assembly(Sources(include_dirs), defines, program_words, warnings, max_errors).image(
        [Path(name)], (name, text)
    )


@dataclass(frozen=True)
class Analysis:
    """The analysis of a program that may have errors; without errors `image` is set. `files` are all files read.

    allocation: the values of the program, if it has names that need registers.
    """

    units: Sequence[Unit]
    exported: Mapping[str, Definition]
    owners: Mapping[int, Placed]  # of the program words that could be encoded
    program: Sequence[int]
    diagnostics: tuple[Diagnostic, ...]
    image: Image | None
    files: tuple[str, ...]
    allocation: Allocation | None = None


def analyse(
    sources: Sequence[Path],
    files: Sources,
    defines: Defines | None = None,
    *,
    warnings: Sequence[str] = (),
    max_errors: int | None = None,
) -> Analysis:
    """Analyse files as `assemble` does, even if they have errors; `files` reads them.

    Raises ValueError for an unknown warning.
    """
    assembly = _Assembly(files, defines, None, warnings, max_errors)
    image = None
    try:
        image = assembly.image(sources, None)
    except AsmError as error:
        findings = error.diagnostics
    else:
        findings = image.warnings
    contents = assembly.contents
    return Analysis(
        assembly.units,
        assembly.exported,
        contents.owners,
        contents.program,
        findings,
        image,
        files.read,
        assembly.allocation,
    )


class _Assembly:
    """One run of all passes."""

    def __init__(
        self,
        sources: Sources,
        defines: Defines | None,
        program_words: int | None,
        warnings: Sequence[str],
        max_errors: int | None,
    ) -> None:
        self._isa = load()
        self._reporter = Reporter(severities(warnings), max_errors)
        self._sources = sources
        # Set by the passes so far.
        self.units: list[Unit] = []
        self.exported: dict[str, Definition] = {}
        self.allocation: Allocation | None = None
        self.contents = Contents(self._isa, self._reporter)
        pairs = defines.items() if isinstance(defines, Mapping) else defines or ()
        self._defines = tuple(pairs)
        self._program_words = program_words or self._isa.machine["ProgramWords"]

    def image(self, sources: Sequence[Path], given: tuple[str, str] | None) -> Image:
        """Return the image of source files, or of a text."""
        try:
            with without_collection():
                return self._image([given] if given else self._texts(sources))
        except TooManyErrorsError:
            raise AsmError(self._reporter.diagnostics, stopped=True) from None

    def _texts(self, sources: Sequence[Path]) -> list[tuple[str, str]]:
        texts = []
        for path in sources:
            try:
                texts.append((str(path), self._sources.source(Path(path))))
            except AsmError as error:
                for found in error.diagnostics:
                    self._reporter.add(found)
        return texts

    def _image(self, texts: Sequence[tuple[str, str]]) -> Image:
        isa, reporter = self._isa, self._reporter
        defines = _once(self._defines, reporter)
        units = self.units
        for name, text in texts:
            units.append(Expander(isa, reporter, self._sources, defines).unit(name, text))
        exported = self.exported = _exports(units, reporter)
        layout = Layout(isa, reporter, self._sources, self._program_words)
        layout.place(units)
        _settle(units, reporter)
        contents = self.contents
        placed = layout.placed
        if wanted(units):
            starts = flow.starts(isa, units, _entry(isa, units, Reporter()))
            self.allocation = Allocation(isa, placed, starts, reporter)
            placed = self.allocation.run(units)
        contents.fill(placed)
        entry = _entry(isa, units, reporter)
        symbols = _symbols(units, exported)
        if not reporter.failed:
            words = decode_all(isa, {pc: contents.program[pc] for pc in contents.owners})
            flow.check(isa, contents, words, flow.starts(isa, units, entry), reporter)
            loops.check(isa, contents, words, reporter)
            unused.check(isa, units, entry, reporter)
            program.check(
                units, contents, Image(symbols=symbols, entry=entry), dict(texts) | self._sources.texts, reporter
            )
        reporter.raise_if_failed()
        return Image(
            contents.program,
            contents.segments(),
            symbols,
            contents.lines,
            entry,
            tuple(reporter.diagnostics),
            self._sources.read,
            *expansions_of({pc: item.line for pc, item in contents.owners.items()}),
        )


def _once(defines: Sequence[tuple[str, int | str]], reporter: Reporter) -> list[tuple[str, int | str]]:
    """Return the definitions of the command line without repeated ones."""
    found: dict[str, int | str] = {}
    for name, value in defines:
        line = Line(f"{name}={value}", COMMAND_LINE, 1)
        if name not in found:
            found[name] = value
        elif found[name] == value:
            reporter.check("repeated-define", line, f"'{name}' is defined twice", 0, len(name))
        else:
            reporter.report(line, f"'{name}' is defined twice", 0, len(name), f"first as {found[name]}")
    return list(found.items())


def _exports(units: Sequence[Unit], reporter: Reporter) -> dict[str, Definition]:
    """Collect the global names and give them to the scope of every unit."""
    exported: dict[str, Definition] = {}
    for unit in units:
        for name, (line, node) in unit.globals.items():
            new = unit.scope.symbols.get(name)
            if new is None:
                continue  # declares a name of another file
            new.home = unit.scope
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
            try:
                unit.scope.definition(node)
            except LineError as problem:
                reporter.problem(line, problem)
    return exported


def _entry(isa: Isa, units: Sequence[Unit], reporter: Reporter) -> int:
    """Return the address of the `.entry` label; 0 without one."""
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
        reporter.problem(line, LineError(".entry is given twice", node.col, node.end, hint))
    return address


def _settle(units: Sequence[Unit], reporter: Reporter) -> None:
    """Compute every symbol and entry, used or not; report those that cannot be computed where they are defined."""
    for unit in units:
        unit.scope.evaluator.final = True
    for unit in units:
        entries = [entry for array in unit.scope.arrays.values() for entry in array.entries]
        for found in (*unit.scope.symbols.values(), *entries):
            if found.expr is not None:
                unit.scope.evaluator.settle(found)
        for found in (*unit.scope.symbols.values(), *entries):
            if found.problem is not None:
                reporter.problem(found.line, found.problem)


def _symbols(units: Sequence[Unit], exported: Mapping[str, Definition]) -> tuple[Symbol, ...]:
    """Return every symbol except `.L` ones and those that cannot be computed."""
    symbols = []
    for unit in units:
        for name, found in unit.scope.symbols.items():
            value = found.address if found.expr is None else found.value
            if value is not None and not name.startswith(".L"):
                symbols.append(Symbol(name, found.space, value, exported.get(name) is found, unit.name))
    return tuple(symbols)
