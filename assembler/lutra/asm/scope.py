"""Names of one source file: symbols, functions and arrays of constants."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from lutra.asm.errors import Line, LineError, nearest, plural
from lutra.asm.nodes import Call, Expr, Index, Sym

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
    home: Scope | None = None  # scope of the names in the expression, if the symbol is global
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


@dataclass
class Scope:
    """Names of one source file, and the global names of all files."""

    symbols: dict[str, Definition] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    arrays: dict[str, Array] = field(default_factory=dict)
    globals: Mapping[str, Definition] = field(default_factory=dict)
    # Names of the instruction set; a program may redefine them.
    predefined: Mapping[str, Definition] = field(default_factory=dict)
    # Names that other files define but do not make global; only for hints.
    elsewhere: Mapping[str, str] = field(default_factory=dict)

    def find(self, name: str) -> Definition | None:
        """Return the definition of a name."""
        found = self.symbols.get(name) or self.globals.get(name) or self.predefined.get(name)
        if found is not None:
            found.used = True
        return found

    def place(self, name: str) -> str:
        """Return where the file defines a name of any kind; empty if it does not."""
        found = self.symbols.get(name) or self.functions.get(name) or self.arrays.get(name)
        return found.place if found is not None else ""

    def definition(self, sym: Sym) -> Definition:
        """Return the definition of a symbol. Raises LineError."""
        found = self.find(sym.name)
        if found is not None:
            return found
        if sym.name in self.arrays:
            hint = f"write {sym.name}[INDEX], or {LENGTH}({sym.name})"
            raise LineError(f"'{sym.name}' is an array, not a number", sym.col, sym.end, hint)
        if sym.name in self.functions:
            hint = f"usage: {self.functions[sym.name].usage}"
            raise LineError(f"'{sym.name}' is a function, not a number", sym.col, sym.end, hint)
        if sym.name in self.elsewhere:
            hint = f"{self.elsewhere[sym.name]} defines it, but not as .global"
        else:
            hint = nearest(sym.name, [*self.symbols, *self.globals, *self.predefined])
        raise LineError(f"undefined symbol '{sym.name}'", sym.col, sym.end, hint, undefined=sym.name)

    def function(self, call: Call) -> Function:
        """Return the function of a call after checking the number of arguments. Raises LineError."""
        end = call.col + len(call.name)
        found = self.functions.get(call.name)
        if found is None:
            if known := self.place(call.name):
                raise LineError(f"'{call.name}' is not a function", call.col, end, f"defined in {known}")
            hint = nearest(call.name, [*self.functions, *BUILT_IN])
            raise LineError(f"undefined function '{call.name}'", call.col, end, hint, undefined=call.name)
        found.used = True
        if len(call.args) != len(found.parameters):
            text = f"{call.name} takes {plural(len(found.parameters), 'argument')}, {len(call.args)} given"
            raise LineError(text, call.col, call.end, f"usage: {found.usage}")
        return found

    def array(self, node: Index | Sym) -> Array:
        """Return the array of a name. Raises LineError."""
        found = self.arrays.get(node.name)
        if found is not None:
            found.used = True
            return found
        end = node.col + len(node.name)
        if known := self.place(node.name):
            raise LineError(f"'{node.name}' is not an array", node.col, end, f"defined in {known}")
        raise LineError(f"undefined array '{node.name}'", node.col, end, nearest(node.name, self.arrays))

    def value(self, expr: Expr, here: int | None = None) -> int:
        """Return the value of an expression. Raises LineError, placed in the expression's line."""
        return self.evaluator.value(expr, here)

    def space(self, expr: Expr) -> str:
        """Return the space of an address expression, a label plus or minus numbers; empty for others."""
        return self.evaluator.space(expr)

    def __post_init__(self) -> None:
        from lutra.asm.evaluate import Evaluator

        self.evaluator = Evaluator(self)
