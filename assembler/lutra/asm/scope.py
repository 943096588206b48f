"""Symbols of one source file, and the value of an expression among them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lutra.asm.errors import Line, LineError, nearest
from lutra.asm.syntax import Binary, Expr, Here, Num, Sym, Unary, apply_binary, apply_unary


@dataclass
class Definition:
    """A symbol: a label (`expr` is None) or a named expression. Filled in as assembly goes on."""

    name: str
    line: Line
    col: int
    end: int
    expr: Expr | None = None
    space: str = ""  # of a label; empty for a number
    value: int | None = None  # of a label, once it is placed; of an expression, once it is computed
    address: int = 0  # of a label: its address in the space's own unit
    here: int | None = None  # what `.` means in the expression
    busy: bool = False

    @property
    def place(self) -> str:
        """Where it is defined."""
        return f"{self.line.file}:{self.line.number}"


@dataclass
class Scope:
    """Names of one source file, and after them the global names of all."""

    symbols: dict[str, Definition] = field(default_factory=dict)
    globals: Mapping[str, Definition] = field(default_factory=dict)
    # Names that the instruction set has; a program may use them for something else.
    predefined: Mapping[str, Definition] = field(default_factory=dict)
    # Names that other files define without making them global: for hints only.
    elsewhere: Mapping[str, str] = field(default_factory=dict)

    def find(self, name: str) -> Definition | None:
        """The definition a name refers to."""
        return self.symbols.get(name) or self.globals.get(name) or self.predefined.get(name)

    def definition(self, sym: Sym) -> Definition:
        """The definition a symbol refers to. Raises LineError."""
        found = self.find(sym.name)
        if found is not None:
            return found
        if sym.name in self.elsewhere:
            hint = f"{self.elsewhere[sym.name]} defines it, but not as .global"
        else:
            hint = nearest(sym.name, [*self.symbols, *self.globals, *self.predefined])
        raise LineError(f"undefined symbol '{sym.name}'", sym.col, sym.end, hint)

    def value(self, expr: Expr, here: int | None = None) -> int:
        """The number an expression stands for. Raises LineError, placed in the expression's line."""
        try:
            return self._value(expr, here)
        except RecursionError:
            raise LineError("the expression is nested too deeply", expr.col, expr.end) from None

    def _value(self, expr: Expr, here: int | None) -> int:
        match expr:
            case Num():
                return expr.value
            case Sym():
                return self._symbol(expr)
            case Here():
                if here is None:
                    raise LineError("'.' is not known here", expr.col, expr.end)
                return here
            case Unary():
                return apply_unary(expr.op, self._value(expr.arg, here))
            case Binary():
                left = self._value(expr.left, here)
                right = self._value(expr.right, here)
                return apply_binary(expr.op, left, right, expr.col, expr.end)

    def _symbol(self, sym: Sym) -> int:
        found = self.definition(sym)
        if found.value is not None:
            return found.value
        if found.expr is None:
            text = f"the address of '{sym.name}' is not known yet"
            raise LineError(text, sym.col, sym.end, f"label in {found.place}")
        if found.busy:
            raise LineError(
                f"'{sym.name}' is defined in terms of itself", sym.col, sym.end, f"defined in {found.place}"
            )
        found.busy = True
        try:
            value = self._value(found.expr, found.here)
        except LineError as problem:
            # The columns are of the line of the definition; show the use instead.
            text = f"{problem.message} (in the definition of '{sym.name}', {found.place})"
            raise LineError(text, sym.col, sym.end, problem.hint) from None
        finally:
            found.busy = False
        # What was computed before layout stays valid: labels have one address.
        found.value = value
        return value

    def space(self, expr: Expr) -> str:
        """The space that an address expression lies in: of a label, plus or minus numbers; else empty."""
        match expr:
            case Sym():
                found = self.find(expr.name)
                if found is None or found.busy:
                    return ""
                if found.expr is None:
                    return found.space
                found.busy = True
                try:
                    return self.space(found.expr)
                finally:
                    found.busy = False
            case Binary(op="+"):
                left, right = self.space(expr.left), self.space(expr.right)
                return left or right if not (left and right) else ""
            case Binary(op="-"):
                return self.space(expr.left) if not self.space(expr.right) else ""
        return ""
