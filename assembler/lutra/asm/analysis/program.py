"""The checks that need the flow graph of the whole program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lutra.asm.analysis import flow, lint, stalls
from lutra.asm.analysis.documented import Documented, Routine
from lutra.asm.analysis.graph import Graph
from lutra.asm.analysis.routines import Registers, Routines
from lutra.asm.image import Image
from lutra.asm.passes.contents import Contents
from lutra.asm.passes.define import Unit
from lutra.asm.reporter import Reporter
from lutra.isa import load


def check(
    units: Sequence[Unit], contents: Contents, image: Image, texts: Mapping[str, str], reporter: Reporter
) -> None:
    """Run these checks. image: symbols and entry of the program; texts: source texts by file name."""
    isa = load()
    entries = flow.starts(isa, units, image.entry)
    graph = Graph({pc: contents.program[pc] for pc in contents.owners}, entries)
    routines = Routines(graph, entries)
    documented = Documented(texts, _routines(units, routines), reporter)
    given = _given(routines, documented) if _names_starts(units) else {}
    lint.Lint(graph, contents, routines, given, image, reporter).check()
    documented.check(graph, routines, image)
    stalls.check(graph, contents, entries, reporter)


def _names_starts(units: Sequence[Unit]) -> bool:
    """Whether the program declares where it starts; otherwise it starts once, after a reset, with zero everywhere."""
    program = load().program.name
    named = (unit.scope.symbols.get(name) for unit in units for name in unit.globals)
    return any(unit.entry is not None for unit in units) or any(found and found.space == program for found in named)


def _given(routines: Routines, documented: Documented) -> dict[int, Registers]:
    """Return, by start address, the registers that are set there.

    A routine that returns is not a start: it is called, perhaps by other programs. A program with a single start runs
    once, after a reset.
    """
    starts = [entry for entry in routines.entries if not routines.returns(entry)]
    zero = lint.zero_after_reset() if len(starts) == 1 else frozenset()
    inputs = documented.inputs()
    return {start: zero | inputs.get(start, frozenset()) for start in starts}


def _routines(units: Sequence[Unit], routines: Routines) -> Iterator[Routine]:
    """Return the labels at which the host starts the program, and those that are called."""
    for unit in units:
        for name, found in unit.scope.symbols.items():
            if found.space == load().program.name and found.address in routines.entries | routines.called:
                yield Routine(name, found.address, found.line)
