"""The value of an expression.

A symbol is computed when it is first needed. A chain of symbols that need each other may be as long as it likes: one
that is too deep for recursion is taken up from its middle. What never ends is stopped by a count of calls.
"""

from __future__ import annotations

from collections.abc import Mapping

from lutra.asm.errors import LineError, plural
from lutra.asm.nodes import Binary, Call, Choice, Expr, Here, Index, Num, Sym, Unary
from lutra.asm.operators import apply_binary, apply_unary, shown
from lutra.asm.scope import LENGTH, Definition, Function, Scope

MAX_SYMBOLS = 16  # needed by each other, in one recursion
MAX_CALLS = 64  # within each other
MAX_WORK = 200_000  # calls of functions in one source file; some seconds at most


class _TooDeepError(Exception):
    """A symbol has to be computed on its own first."""

    def __init__(self, definition: Definition, sym: Sym | Index) -> None:
        super().__init__()
        self.definition = definition
        self.sym = sym


class Evaluator:
    """Computes expressions with the names of a scope."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        # From then on all names and addresses are known: a definition that fails has failed for good, which is reported
        # where it stands and not again where it is used.
        self.final = False
        self._symbols = 0  # being computed, in this recursion
        self._calls: list[Function] = []  # being computed
        self._work = 0

    def value(self, expr: Expr, here: int | None) -> int:
        """The number an expression stands for. Raises LineError, placed in the expression's line."""
        if isinstance(expr, Num):
            return expr.value
        try:
            while True:
                try:
                    return self._value(expr, here, None)
                except _TooDeepError as deep:
                    self._settle(deep, expr)
        except RecursionError:
            raise LineError("the expression is nested too deeply", expr.col, expr.end) from None

    def settle(self, found: Definition) -> None:
        """Compute a symbol or entry, now that everything is known; what is wrong stays with it as its problem."""
        node = Sym(found.name, found.col, found.end)
        try:
            self._settle(_TooDeepError(found, node), node)
        except RecursionError:
            found.problem = LineError("the expression is nested too deeply", found.col, found.end)

    def _settle(self, deep: _TooDeepError, expr: Expr) -> None:
        """Compute a symbol, and before it those that it needs, without recursion."""
        waiting = [deep]
        inside = {id(deep.definition)}
        while waiting:
            found = waiting[-1].definition
            try:
                self.definition(found, waiting[-1].sym)
                inside.discard(id(found))
                waiting.pop()
            except _TooDeepError as deeper:
                if id(deeper.definition) in inside:
                    if self.final:
                        first = deeper.definition
                        first.problem = _circular(first, Sym(first.name, first.col, first.end))
                        continue
                    raise _circular(deeper.definition, expr) from None
                inside.add(id(deeper.definition))
                waiting.append(deeper)
            except LineError as problem:
                if not self.final:
                    raise LineError(problem.message, expr.col, expr.end, problem.hint, within=True) from None
                inside.discard(id(found))
                waiting.pop()  # what needs it fails as well

    def _value(self, expr: Expr, here: int | None, args: Mapping[str, int] | None) -> int:
        match expr:
            case Num():
                return expr.value
            case Sym():
                if args is not None and expr.name in args:
                    return args[expr.name]
                return self.definition(self._scope.definition(expr), expr)
            case Binary():
                # A long sum is deep on its left side.
                spine = [expr]
                while isinstance(spine[-1].left, Binary):
                    spine.append(spine[-1].left)
                value = self._value(spine[-1].left, here, args)
                for node in reversed(spine):
                    right = self._value(node.right, here, args)
                    value = apply_binary(node.op, value, right, node.col, node.end)
                return value
            case Unary():
                return apply_unary(expr.op, self._value(expr.arg, here, args))
            case Here():
                if here is None:
                    raise LineError("'.' is not known here", expr.col, expr.end)
                return here
            case Choice():
                chosen = expr.yes if self._value(expr.condition, here, args) else expr.no
                return self._value(chosen, here, args)
            case Index():
                return self._entry(expr, self._value(expr.at, here, args))
            case Call():
                if expr.name == LENGTH:
                    return self._length(expr)
                return self._call(expr, tuple(self._value(a, here, args) for a in expr.args))

    def definition(self, found: Definition, node: Sym | Index) -> int:
        """The value of a symbol or of an entry; what is wrong is placed at the node that needs it."""
        if found.value is not None:
            return found.value
        if found.expr is None:
            text = f"the address of '{node.name}' is not known yet"
            raise LineError(text, node.col, node.end, f"label in {found.place}", follows=self.final)
        if found.problem is not None:
            raise LineError(found.problem.message, node.col, node.end, found.problem.hint, follows=True)
        if found.busy:
            raise _circular(found, node)
        if found.home is not None and found.home is not self._scope:
            return found.home.evaluator.definition(found, node)
        if self._symbols >= MAX_SYMBOLS:
            raise _TooDeepError(found, node)
        found.busy = True
        # A definition stands on its own: it does not count among the calls that need it.
        calls, self._calls = self._calls, []
        self._symbols += 1
        try:
            value = self._value(found.expr, found.here, None)
        except LineError as problem:
            if self.final:
                found.problem = problem
            where = f"in the definition of '{found.name}', {found.place}"
            raise _moved(problem, node, where, follows=self.final) from None
        finally:
            self._symbols -= 1
            self._calls = calls
            found.busy = False
        # What was computed before layout stays valid: labels have one address.
        found.value = value
        found.lies_in = self.space(found.expr)
        return value

    def _entry(self, node: Index, index: int) -> int:
        array = self._scope.array(node)
        count = len(array.entries)
        if not 0 <= index < count:
            text = f"index {shown(index)} is out of range"
            hint = f"'{node.name}' has {plural(count, 'entry', 'entries')}" + (f": 0 to {count - 1}" if count else "")
            raise LineError(text, node.col, node.end, hint)
        return self.definition(array.entries[index], node)

    def _length(self, call: Call) -> int:
        if len(call.args) != 1 or not isinstance(call.args[0], Sym):
            raise LineError(f"{LENGTH} takes the name of an array", call.col, call.end)
        array = self._scope.array(call.args[0])
        array.counted = True
        return len(array.entries)

    def _call(self, call: Call, values: tuple[int, ...]) -> int:
        function = self._scope.function(call)
        known = function.known.get(values)
        if known is not None:
            return known
        self._work += 1
        if self._work > MAX_WORK:
            raise LineError(f"more than {MAX_WORK} calls of functions in one file", call.col, call.end)
        if len(self._calls) >= MAX_CALLS:
            hint = "does it call itself without an end?" if function in self._calls else ""
            text = f"calls of functions are nested more than {MAX_CALLS} deep"
            raise LineError(text, call.col, call.end, hint, within=True)
        self._calls.append(function)
        try:
            value = self._value(function.expr, None, dict(zip(function.parameters, values, strict=True)))
        except LineError as problem:
            given = ", ".join(f"{p} = {shown(v)}" for p, v in zip(function.parameters, values, strict=True))
            where = f"in {function.usage} with {given}, {function.place}" if given else f"in {function.place}"
            raise _moved(problem, call, where) from None
        finally:
            self._calls.pop()
        function.known[values] = value
        return value

    def space(self, expr: Expr) -> str:
        """The space that an address expression lies in: of a label, plus or minus numbers; else empty."""
        match expr:
            case Sym():
                found = self._scope.find(expr.name)
                return "" if found is None else found.lies_in if found.expr is not None else found.space
            case Binary(op="+"):
                left, right = self.space(expr.left), self.space(expr.right)
                return left or right if not (left and right) else ""
            case Binary(op="-"):
                return self.space(expr.left) if not self.space(expr.right) else ""
        return ""


def _circular(definition: Definition, node: Expr) -> LineError:
    text = f"'{definition.name}' is defined in terms of itself"
    return LineError(text, node.col, node.end, f"defined in {definition.place}")


def _moved(problem: LineError, node: Expr, where: str, *, follows: bool = False) -> LineError:
    """A problem of another line, at what needs that line; only the innermost place is named."""
    text = problem.message if problem.within else f"{problem.message} ({where})"
    return LineError(text, node.col, node.end, problem.hint, undefined=problem.undefined, within=True, follows=follows)
