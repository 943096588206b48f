"""Names of one source file: symbols, functions and arrays of constants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lutra.asm.errors import LineError, nearest, plural
from lutra.asm.passes.evaluate import Evaluator
from lutra.asm.passes.nodes import Call, Expr, Index, Sym
from lutra.asm.passes.symbols import BUILT_IN, LENGTH, Array, Definition, Function


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

    def computed(self, found: Definition, node: Sym | Index) -> int:
        """The value of a definition whose expression has these names, needed at a node. Raises LineError."""
        return self.evaluator.definition(found, node)

    def __post_init__(self) -> None:
        self.evaluator = Evaluator(self)
