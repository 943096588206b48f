"""The checks that need the flow graph of the whole program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lutra.asm import flow, lint, stalls
from lutra.asm.contents import Contents
from lutra.asm.define import Unit
from lutra.asm.documented import Documented, Routine
from lutra.asm.graph import Graph
from lutra.asm.image import Image
from lutra.asm.reporter import Reporter
from lutra.asm.routines import Routines
from lutra.isa import load


def check(
    units: Sequence[Unit], contents: Contents, image: Image, texts: Mapping[str, str], reporter: Reporter
) -> None:
    """Make them. image: symbols and entry of the program; texts: of all its source files by name."""
    isa = load()
    graph = Graph({pc: contents.program[pc] for pc in contents.owners})
    entries = flow.starts(isa, units, image.entry)
    routines = Routines(graph, entries)
    documented = Documented(texts, _routines(units, routines), reporter)
    # A program with one start is started once, after a reset.
    zero = lint.zero_after_reset() if len(entries) == 1 else frozenset()
    inputs = documented.inputs()
    given = {entry: zero | inputs.get(entry, frozenset()) for entry in entries}
    lint.check(graph, contents, given, image, reporter)
    documented.check(graph, routines, image)
    stalls.check(graph, contents, entries, reporter)


def _routines(units: Sequence[Unit], routines: Routines) -> Iterator[Routine]:
    """The labels at which the host starts the program, or which are called."""
    for unit in units:
        for name, found in unit.scope.symbols.items():
            if found.space == load().program.name and found.address in routines.entries | routines.called:
                yield Routine(name, found.address, found.line)
