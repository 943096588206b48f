"""Symbols, functions and arrays of constants, and the names that an expression needs from a scope."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from lutra.asm.errors import Line, LineError
from lutra.asm.passes.nodes import Call, Expr, Index, Sym

# Built-in functions of an array: number of entries, and index of a value.
LENGTH, INDEX = "len", "index"
BUILT_IN = (LENGTH, INDEX)

# A function of the parameters' values and of the value of `.` (None: no value).
Code: TypeAlias = Callable[[Sequence[int], int | None], int]


@dataclass
class Definition:
    """A symbol: a label (`expr` is None) or a named expression. Filled in during assembly."""

    name: str
    line: Line
    col: int
    end: int
    expr: Expr | None = None
    space: str = ""  # of a label; empty for a number
    value: int | None = None  # of a label, once it is placed; of an expression, once it is computed
    address: int = 0  # of a label: its address in the space's own unit
    here: int | None = None  # value of `.` in the expression
    lies_in: str = ""  # space of the address, if the value of the expression is one
    home: Names | None = None  # scope of the names in the expression, if the symbol is global
    problem: LineError | None = None  # reason why it has no value, placed in its own line
    busy: bool = False
    used: bool = False

    @property
    def place(self) -> str:
        """Where it is defined."""
        return f"{self.line.file}:{self.line.number}"


@dataclass
class Function:
    """`.function NAME(PARAMETERS) = EXPRESSION`."""

    name: str
    parameters: tuple[str, ...]
    expr: Expr
    line: Line
    col: int
    end: int
    used: bool = False
    code: Code | None = None  # the compiled expression, once it is needed
    # Values by arguments, or the reason why there is none.
    known: dict[tuple[int, ...], int | LineError] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """Where it is defined."""
        return f"{self.line.file}:{self.line.number}"

    @property
    def usage(self) -> str:
        """Usage of the function."""
        return f"{self.name}({', '.join(self.parameters)})"


@dataclass
class Array:
    """`.array NAME, EXPRESSIONS`: entries are definitions without a name of their own."""

    name: str
    line: Line
    col: int
    end: int
    used: bool = False
    entries: list[Definition] = field(default_factory=list)
    counted: bool = False  # its length has been used, so it cannot get more entries
    places: dict[int, int] = field(default_factory=dict)  # value -> index, once needed

    @property
    def place(self) -> str:
        """Where it is defined."""
        return f"{self.line.file}:{self.line.number}"


class Names(Protocol):
    """The names that an expression has. Those that find nothing raise LineError, except `find`."""

    def find(self, name: str) -> Definition | None:
        """The definition a name refers to."""

    def definition(self, sym: Sym) -> Definition:
        """The definition a symbol refers to."""

    def function(self, call: Call) -> Function:
        """The function of a call that fits it."""

    def array(self, node: Index | Sym) -> Array:
        """The array of a name."""

    def computed(self, found: Definition, node: Sym | Index) -> int:
        """The value of a definition whose expression has these names, needed at a node."""
