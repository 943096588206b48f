"""Find names that a program defines but does not use.

Names of included files and macros do not count, since other programs may use them. Neither do global names, which the
host may use, and the label at which the program starts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lutra.asm.passes.define import COMMAND_LINE, Unit
from lutra.asm.passes.symbols import Array, Definition, Function
from lutra.asm.reporter import Reporter
from lutra.isa import Isa


def check(isa: Isa, units: Sequence[Unit], entry: int, reporter: Reporter) -> None:
    """Report empty files and unused names."""
    for unit in units:
        if not any(statement.body for _, statement in unit.statements):
            reporter.check_file("empty-file", unit.name, "the file has no instructions and no data")
        for found in _unused(unit):
            if isinstance(found, Definition) and found.expr is None:
                if (found.space, found.value) == (isa.program.name, entry):
                    continue
                text, hint = f"label '{found.name}' is not used", "make it .global if the host uses it"
                reporter.check("unused-label", found.line, text, found.col, found.end, hint)
            else:
                text = f"'{found.name}' is not used"
                reporter.check("unused-symbol", found.line, text, found.col, found.end)
    _check_defines(units, reporter)


def _unused(unit: Unit) -> Iterator[Definition | Function | Array]:
    """Yield unused names of the source file itself."""
    scope = unit.scope
    known: list[Definition | Function | Array] = [*scope.symbols.values(), *scope.functions.values()]
    for found in [*known, *scope.arrays.values()]:
        if not found.used and found.line.origin is None and found.line.file != COMMAND_LINE:
            yield found


def _check_defines(units: Sequence[Unit], reporter: Reporter) -> None:
    """Report symbols of the command line that no source uses."""
    found: dict[str, list[Definition]] = {}
    for unit in units:
        for symbol in unit.scope.symbols.values():
            if symbol.line.file == COMMAND_LINE:
                found.setdefault(symbol.name, []).append(symbol)
    for name, symbols in found.items():
        if not any(symbol.used for symbol in symbols):
            line = symbols[0].line
            reporter.check("unused-define", line, f"'{name}' is not used in any source", 0, len(name))
