"""Definitions of statements: symbols, functions and arrays of constants, and global names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from lutra.asm.errors import Line, LineError
from lutra.asm.passes import suggest
from lutra.asm.passes.events import Event
from lutra.asm.passes.macros import Macro
from lutra.asm.passes.nodes import Argument, Assign, Directive, Expr, Index, Instruction, Num, Statement, Str, Sym
from lutra.asm.passes.parse import parse_expression, strip_comment
from lutra.asm.passes.scope import Scope
from lutra.asm.passes.symbols import BUILT_IN, Array, Definition, Function
from lutra.isa import Isa, missing, predefined

COMMAND_LINE = "<command line>"
# Directives that accept a whole array in place of a number.
NUMBERS = frozenset({".byte", ".half", ".word", ".quad"})
_NAME = re.compile(r"[A-Za-z_]\w*")
_FUNCTION = re.compile(r"\s*([A-Za-z_]\w*)\s*\(([^()]*)\)\s*=(?!=)")


@dataclass
class Unit:
    """One source file after expansion.

    names: whether names stand for registers. streams: lines of `.interleave` by their identity, with the number of the
    block and of the stream.
    """

    name: str
    statements: list[tuple[Line, Statement]] = field(default_factory=list)
    scope: Scope = field(default_factory=Scope)
    globals: dict[str, tuple[Line, Sym]] = field(default_factory=dict)
    entry: tuple[Line, Sym] | None = None
    events: list[Event] = field(default_factory=list)
    macros: dict[str, Macro] = field(default_factory=dict)
    names: bool = False
    streams: dict[int, tuple[Line, tuple[int, int]]] = field(default_factory=dict)


class Definer:
    """Enters the definitions of statements into a unit. Raises LineError."""

    def __init__(self, isa: Isa, unit: Unit, macros: Iterable[str]) -> None:
        self._isa = isa
        self._unit = unit
        self._macros = macros
        place = Line("", "<instruction set>", 0)
        unit.scope.predefined = {n: Definition(n, place, 0, 0, value=v) for n, v in predefined(isa).items()}
        self._reserved = {*isa.vector_by_name, *isa.address_registers, *isa.space_by_name, *isa.stream_contexts}

    def command_line(self, line: Line, name: str, value: int | str) -> None:
        """Define a symbol of `-D`."""
        whole = len(line.text)
        if not _NAME.fullmatch(name):
            raise LineError(f"'{name}' is not a name", 0, whole)
        try:
            expr = parse_expression(str(value))
        except LineError as problem:
            raise LineError(problem.message, 0, whole, problem.hint) from None
        self._enter(Definition(name, line, 0, len(name), expr))

    def statement(self, line: Line, statement: Statement) -> Statement:
        """Enter the definitions of a statement, check its names, and replace arrays in it by their entries."""
        for label in statement.labels:
            self._enter(Definition(label.name, line, label.col, label.end))
        body = statement.body
        match body:
            case Instruction():
                if body.mnemonic not in self._isa.by_mnemonic:
                    if absent := missing(self._isa, body.mnemonic):
                        raise LineError(absent[0], body.col, body.end, absent[1], absent=True)
                    hint = suggest.instruction(body.mnemonic, self._isa, self._macros)
                    raise LineError(f"unknown instruction '{body.mnemonic}'", body.col, body.end, hint)
            case Assign():
                self._enter(Definition(body.name, line, body.col, body.end, body.expr))
            case Directive():
                return statement._replace(body=self._directive(line, body))
        return statement

    def _directive(self, line: Line, body: Directive) -> Directive:
        if body.name == ".equ":
            if len(body.args) != 2 or not isinstance(body.args[0], Sym) or isinstance(body.args[1], Str):
                raise LineError(".equ takes a name and an expression", body.col, body.end)
            name = body.args[0]
            self._enter(Definition(name.name, line, name.col, name.end, body.args[1]))
        elif body.name in (".global", ".entry"):
            if not body.args or not all(isinstance(a, Sym) for a in body.args):
                raise LineError(f"{body.name} takes names", body.col, body.end)
            for arg in body.args:
                if isinstance(arg, Sym):
                    self._export(line, body.name, arg)
        elif body.name == ".array":
            self._array(line, body)
        elif body.name not in suggest.LAYOUT_DIRECTIVES:
            hint = suggest.directive(body.name, self._isa)
            raise LineError(f"unknown directive '{body.name}'", body.col, body.end, hint)
        elif body.name in NUMBERS and self._unit.scope.arrays:
            return body._replace(args=tuple(part for arg in body.args for part in self._spelt(arg)))
        return body

    def _export(self, line: Line, directive: str, name: Sym) -> None:
        if directive == ".global":
            self._unit.globals.setdefault(name.name, (line, name))
        elif self._unit.entry is not None:
            first = self._unit.entry[0]
            raise LineError(".entry is given twice", name.col, name.end, f"the first is in {first.file}:{first.number}")
        else:
            self._unit.entry = (line, name)

    def _enter(self, new: Definition) -> None:
        self._check_free(new.name, new.col, new.end)
        self._unit.scope.symbols[new.name] = new

    def _check_free(self, name: str, col: int, end: int) -> None:
        if name in self._reserved:
            raise LineError(f"'{name}' names a register or memory", col, end)
        if place := self._unit.scope.place(name):
            raise LineError(f"'{name}' is defined twice", col, end, f"first defined in {place}")

    # ------------------------------------------------------------------ functions and arrays

    def function(self, line: Line, col: int, end: int) -> None:
        """Carry out `.function`; the columns are those of the directive."""
        text = strip_comment(line.text)
        found = _FUNCTION.match(text, end)
        if found is None:
            usage = "usage: .function NAME(PARAMETERS) = EXPRESSION"
            raise LineError(".function takes a name with parameters and an expression", col, end, usage)
        name = found[1]
        if name in BUILT_IN:
            raise LineError(f"'{name}' is a built-in function; choose another name", found.start(1), found.end(1))
        self._check_free(name, found.start(1), found.end(1))
        parameters = tuple(p.strip() for p in found[2].split(",")) if found[2].strip() else ()
        for i, parameter in enumerate(parameters):
            if not _NAME.fullmatch(parameter) or parameter in self._reserved or parameter in parameters[:i]:
                raise LineError(f"'{parameter}' cannot be a parameter", found.start(2), found.end(2))
        # Blanks keep the expression's columns.
        expr = parse_expression(" " * found.end() + text[found.end() :])
        self._unit.scope.functions[name] = Function(name, parameters, expr, line, found.start(1), found.end(1))

    def _array(self, line: Line, body: Directive) -> None:
        name, *entries = body.args or (None,)
        if not isinstance(name, Sym):
            raise LineError(".array takes a name and entries", body.col, body.end, "usage: .array NAME, EXPRESSIONS")
        arrays = self._unit.scope.arrays
        if name.name not in arrays:
            self._check_free(name.name, name.col, name.end)
            arrays[name.name] = Array(name.name, line, name.col, name.end)
        array = arrays[name.name]
        if array.counted and entries:
            text = f"'{name.name}' cannot get more entries after its first use"
            raise LineError(text, name.col, name.end, f"begun in {array.place}; define all of it first")
        for entry in entries:
            for expr in _entries(entry):
                new = Definition(f"{array.name}[{len(array.entries)}]", line, entry.col, entry.end, expr)
                array.entries.append(new)

    def _spelt(self, arg: Argument) -> Iterable[Argument]:
        """Replace the name of an array by its entries."""
        array = self._unit.scope.arrays.get(arg.name) if isinstance(arg, Sym) else None
        if array is None:
            return (arg,)
        array.counted = True
        return [Index(array.name, Num(i, arg.col, arg.end), arg.col, arg.end) for i in range(len(array.entries))]


def _entries(entry: Argument) -> list[Expr]:
    """Return the entries that an argument of `.array` adds: a number, or the bytes of a string of hex digits."""
    if not isinstance(entry, Str):
        return [entry]
    digits = re.sub(rb"[_\s]", b"", entry.value)
    if not re.fullmatch(rb"([0-9a-fA-F]{2})*", digits):
        text = "a string in .array must be pairs of hexadecimal digits"
        raise LineError(text, entry.col, entry.end, "as in .row")
    return [Num(byte, entry.col, entry.end) for byte in bytes.fromhex(digits.decode())]
