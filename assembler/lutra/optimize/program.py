"""A program whose loops are optimised, before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from lutra.asm.analysis import flow
from lutra.asm.analysis.graph import Graph
from lutra.asm.analysis.schedule import pieces
from lutra.asm.errors import AsmError
from lutra.asm.link import Analysis, Defines, analyse
from lutra.asm.passes.sources import Sources
from lutra.asm.passes.virtual import is_virtual
from lutra.asm.registers.allocate import Allocation, plain
from lutra.asm.reporter import Reporter
from lutra.isa import load
from lutra.optimize.body import Body
from lutra.optimize.errors import OptimizeError
from lutra.optimize.loops import Loop, innermost
from lutra.optimize.rewrite import Place, place


class _Given(Sources):
    """Sources of which one file has another text than on the disk."""

    def __init__(self, include: Sequence[Path], path: Path, text: str | None) -> None:
        super().__init__(include)
        self._path, self._text = path, text

    def source(self, path: Path) -> str:
        """Return the text of a source file."""
        if self._text is None or path != self._path:
            return super().source(path)
        self.texts[str(path)] = self._text
        return self._text


class Program:
    """A source file, assembled. Raises AsmError."""

    def __init__(
        self, path: Path, include: Sequence[Path] = (), defines: Defines | None = None, text: str | None = None
    ) -> None:
        files = _Given(include, path, text)
        self.path = path
        self.analysis: Analysis = analyse([path], files, defines)
        if self.analysis.image is None:
            raise AsmError(self.analysis.diagnostics)
        self.text = files.texts[str(path)]
        self.words = list(self.analysis.program)
        self.entries = flow.starts(load(), self.analysis.units, self.analysis.image.entry)

    @cached_property
    def allocation(self) -> Allocation:
        """The values of the program, also of one without names."""
        if self.analysis.allocation is not None:
            return self.analysis.allocation
        owners = list({id(item): item for item in self.analysis.owners.values()}.values())
        allocation = Allocation(load(), owners, self.entries, Reporter())
        allocation.choose()
        return allocation

    @cached_property
    def graph(self) -> Graph:
        """The words with the registers that names have got: other registers would wait for other words."""
        return Graph(dict(enumerate(self.words)), self.entries)

    def loops(self) -> list[Loop]:
        """The loops that can be optimised."""
        return list(innermost(self.allocation, self.graph, self.entries))

    def name(self, loop: Loop) -> str:
        """The place of a loop, as in messages."""
        line = self.allocation.locals[loop.repeat].item.line
        return f"{line.root.file}:{line.root.number}"

    def place(self, loop: Loop) -> Place:
        """Where a loop is written. OptimizeError where that is not in one piece of this file."""
        found = place(self.allocation, loop)
        if Path(found.file) != self.path:
            raise OptimizeError(f"{found.file}:{found.repeat}: the loop is in an included file; optimise that file")
        return found


@dataclass(frozen=True)
class Region:
    """The words of lines from one to another: where they begin, the first loop in them, and the word after them."""

    start: int
    repeat: int
    last: int
    end: int


def region(program: Program, first: int, last: int) -> Region:
    """Return the words of some lines of the file."""
    found = sorted(
        pc
        for pc, item in program.analysis.owners.items()
        if item.line.root.file == str(program.path) and first <= item.line.root.number <= last
    )
    graph = program.graph
    repeat = next(pc for pc in found if graph.words[pc].is_loop)
    return Region(found[0], repeat, graph.words[repeat].target, found[-1] + 1)


def shared(body: Body) -> Mapping[str, int]:
    """Return the values that a loop takes over or leaves, by name, with their registers. OptimizeError if two have one
    name."""
    found: dict[str, int] = {}
    values = [r.value for r in body.ranges if r.carried or r.leaves] + list(body.kept)
    number = {v.name: v.code for v in load().vectors}
    for value in values:
        if is_virtual(value.name) and not any(body.first <= pc <= body.last for pc in value.sets | value.uses):
            continue  # the assembler keeps it
        name = plain(value.name)
        if name in found:
            raise OptimizeError(f"two values of {name} reach the loop; give them two names")
        found[name] = number[body.allocation.chosen[value] if is_virtual(value.name) else value.name]
    return found


def registers(program: Program, names: Mapping[str, int], where: Region) -> Mapping[str, int]:
    """Return the registers that the values of these names have in a region; those that are registers stay."""
    isa = load()
    number = {v.name: v.code for v in isa.vectors}
    found = dict(names)
    for name in filter(is_virtual, names):
        of = program.allocation
        value = next(
            (v for v in of.values if v.name == name and any(where.start <= pc < where.end for pc in v.sets | v.uses)),
            None,
        )
        if value is None:
            raise OptimizeError(f"{name} is not in the loop any more")
        found[name] = number[of.chosen[value]]
    return found


def cycles(program: Program, repeat: int) -> int:
    """Return the cycles of a pass of a loop after the first."""
    found = pieces(program.graph, program.entries)
    return next(p.end for p in found if p.first == repeat + 1 and p.turn)


def leaving(program: Program, register: str, end: int) -> bool:
    """Whether an address register may be read from a word on before it is set."""
    seen, todo = {end}, [end]
    while todo:
        pc = todo.pop()
        local = program.allocation.locals.get(pc)
        if local is not None and register in local.cells.reads:
            return True
        if local is None or register not in local.cells.writes:
            more = program.allocation.steps.next.get(pc, set()) - seen
            seen |= more
            todo += more
    return False
