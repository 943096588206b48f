"""Evaluate expressions.

A symbol is computed when it is first needed, a function once per combination of arguments. Chains of symbols and calls
may be long: one that is too deep for recursion is continued from its middle. A limit on calls stops endless ones.

Functions are computed thousands of times, so an expression becomes a Python function before it is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from lutra.asm.errors import LineError, plural
from lutra.asm.passes.nodes import Binary, Call, Choice, Expr, Here, Index, Num, Sym, Unary
from lutra.asm.passes.operators import apply_unary, operation, shown
from lutra.asm.passes.symbols import INDEX, LENGTH, Array, Code, Definition, Function, Names

MAX_NESTED = 32  # nested symbols and calls in one recursion
MAX_CALLS = 4096  # nested calls
MAX_WORK = 200_000  # calls of functions in one source file; some seconds at most


class _TooDeepError(Exception):
    """A symbol (or a call, if `definition` is None) has to be computed on its own first."""

    def __init__(self, compute: Callable[[], object], definition: Definition | None = None) -> None:
        super().__init__()
        self.compute = compute
        self.definition = definition


class Evaluator:
    """Computes expressions with the names of a scope."""

    def __init__(self, scope: Names) -> None:
        self._scope = scope
        # Set when all names and addresses are known: a definition that fails then is reported once, in its own line,
        # and not again where it is used.
        self.final = False
        self._nested = 0  # symbols and calls being computed, in this recursion
        self._calls = 0  # being computed within each other, since the last symbol
        self._work = 0
        self._built_in = {LENGTH: self._length, INDEX: self._index}

    def value(self, expr: Expr, here: int | None) -> int:
        """Return the value of an expression. Raises LineError, placed in the expression's line."""
        if isinstance(expr, Num):
            return expr.value
        try:
            code = self._code(expr)
            while True:
                try:
                    return code((), here)
                except _TooDeepError as deep:
                    self._settle(deep, expr)
        except RecursionError:
            raise LineError("the expression is nested too deeply", expr.col, expr.end) from None

    def settle(self, found: Definition) -> None:
        """Compute a symbol or entry when everything is known; store an error as its problem."""
        node = Sym(found.name, found.col, found.end)
        try:
            self._settle(self._later(found, node), node)
        except RecursionError:
            found.problem = LineError("the expression is nested too deeply", found.col, found.end)

    def _later(self, found: Definition, node: Sym | Index) -> _TooDeepError:
        return _TooDeepError(lambda: self.definition(found, node), found)

    def _settle(self, deep: _TooDeepError, expr: Expr) -> None:
        """Compute a symbol or call after those that it needs, without recursion."""
        waiting = [deep]
        inside = {id(deep.definition)}
        while waiting:
            try:
                waiting[-1].compute()
                inside.discard(id(waiting.pop().definition))
            except _TooDeepError as deeper:
                found = deeper.definition
                if found is not None and id(found) in inside:
                    if self.final:
                        found.problem = _circular(found, Sym(found.name, found.col, found.end))
                        continue
                    raise _circular(found, expr) from None
                inside.add(id(found))
                waiting.append(deeper)
            except LineError as problem:
                if not self.final:
                    raise LineError(problem.message, expr.col, expr.end, problem.hint, within=True) from None
                inside.discard(id(waiting.pop().definition))  # those that need it fail as well

    # ---------------------------------------------------------------------- expressions as functions

    def _code(self, expr: Expr, parameters: Sequence[str] = ()) -> Code:
        """Compile an expression to a function of its parameters' values and of the value of `.`."""
        match expr:
            case Num(value):
                return lambda _args, _here: value
            case Sym(name) if name in parameters:
                at = parameters.index(name)
                return lambda args, _here: args[at]
            case Sym() as sym:
                return lambda _args, _here: self.definition(self._scope.definition(sym), sym)
            case Binary():
                return self._chain(expr, parameters)
            case Unary(op, arg):
                inner = self._code(arg, parameters)
                return lambda args, here: apply_unary(op, inner(args, here))
            case Here() as place:
                return lambda _args, here: _known(here, place)
            case Choice():
                parts = (expr.condition, expr.yes, expr.no)
                condition, yes, no = (self._code(part, parameters) for part in parts)
                return lambda args, here: yes(args, here) if condition(args, here) else no(args, here)
            case Index() as index:
                inner = self._code(index.at, parameters)
                return lambda args, here: self._entry(index, inner(args, here))
            case Call() as call if call.name in self._built_in:
                return self._built_in[call.name](call, parameters)
            case Call() as call:
                given = [self._code(arg, parameters) for arg in call.args]
                return lambda args, here: self._call(call, tuple([code(args, here) for code in given]))

    def _chain(self, expr: Binary, parameters: Sequence[str]) -> Code:
        # A long sum is deep on its left side.
        spine = [expr]
        while isinstance(spine[-1].left, Binary):
            spine.append(spine[-1].left)
        first = self._code(spine[-1].left, parameters)
        steps = [(operation(n.op, n.col, n.end), self._code(n.right, parameters)) for n in reversed(spine)]

        def run(args: Sequence[int], here: int | None) -> int:
            value = first(args, here)
            for operate, right in steps:
                value = operate(value, right(args, here))
            return value

        return run

    # ------------------------------------------------------------------------------------------- names

    def definition(self, found: Definition, node: Sym | Index) -> int:
        """Return the value of a symbol or entry; place an error at the node that needs it."""
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
            return found.home.computed(found, node)
        if self._nested >= MAX_NESTED:
            raise self._later(found, node)
        found.busy = True
        # A definition does not count as one of the calls that need it.
        calls, self._calls = self._calls, 0
        self._nested += 1
        try:
            value = self._code(found.expr)((), found.here)
        except LineError as problem:
            if self.final:
                found.problem = problem
            where = f"in the definition of '{found.name}', {found.place}"
            raise _moved(problem, node, where, follows=self.final) from None
        finally:
            self._nested -= 1
            self._calls = calls
            found.busy = False
        # Values from before layout stay valid, since a label gets its address once.
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

    def _length(self, call: Call, _parameters: Sequence[str]) -> Code:
        """`len(NAME)`."""

        def run(_args: Sequence[int], _here: int | None) -> int:
            return len(self._whole(call, 1, "the name of an array").entries)

        return run

    def _index(self, call: Call, parameters: Sequence[str]) -> Code:
        """`index(NAME, VALUE)`: index of the first entry with this value."""
        wanted = self._code(call.args[1], parameters) if len(call.args) == 2 else None

        def run(args: Sequence[int], here: int | None) -> int:
            array = self._whole(call, 2, "the name of an array and a value")
            if not array.places:
                node = Index(array.name, call, call.col, call.end)
                values = [self.definition(entry, node) for entry in array.entries]
                array.places = {value: at for at, value in reversed(list(enumerate(values)))}
            value = wanted(args, here) if wanted else 0
            if value not in array.places:
                text = f"no entry of '{array.name}' is {shown(value)}"
                raise LineError(text, call.col, call.end, f"'{array.name}' is defined in {array.place}")
            return array.places[value]

        return run

    def _whole(self, call: Call, count: int, takes: str) -> Array:
        """Return the array that is the first argument of a built-in function; it gets no more entries."""
        if len(call.args) != count or not isinstance(call.args[0], Sym):
            raise LineError(f"{call.name} takes {takes}", call.col, call.end)
        array = self._scope.array(call.args[0])
        array.counted = True
        return array

    def _call(self, call: Call, values: tuple[int, ...]) -> int:
        function = self._scope.function(call)
        known = function.known.get(values)
        if known is None:
            known = self._compute(function, call, values)
        if isinstance(known, int):
            return known
        given = ", ".join(f"{p} = {shown(v)}" for p, v in zip(function.parameters, values, strict=True))
        where = f"in {function.usage} with {given}, {function.place}" if given else f"in {function.place}"
        raise _moved(known, call, where)

    def _compute(self, function: Function, call: Call, values: tuple[int, ...]) -> int | LineError:
        """Return the value of a function, or its error in its own line; final once everything is known."""
        if self._calls >= MAX_CALLS:
            text = f"calls of functions are nested more than {MAX_CALLS} deep"
            raise LineError(text, call.col, call.end, "does it call itself forever?", within=True)
        if self._nested >= MAX_NESTED:
            raise _TooDeepError(partial(self._resume, self._calls, call, values))
        self._work += 1
        if self._work > MAX_WORK:
            raise LineError(f"more than {MAX_WORK} calls of functions in one file", call.col, call.end)
        if function.code is None:
            function.code = self._code(function.expr, function.parameters)
        self._calls += 1
        self._nested += 1
        try:
            known: int | LineError = function.code(values, None)
        except LineError as problem:
            known = problem
        finally:
            self._calls -= 1
            self._nested -= 1
        if self.final or isinstance(known, int):
            function.known[values] = known
        return known

    def _resume(self, calls: int, call: Call, values: tuple[int, ...]) -> None:
        """Compute a nested call outside the recursion of the calls around it."""
        before, self._calls = self._calls, calls
        try:
            self._call(call, values)
        finally:
            self._calls = before

    def space(self, expr: Expr) -> str:
        """Return the space of an address expression, a label plus or minus numbers; empty for others."""
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


def _known(here: int | None, node: Here) -> int:
    if here is None:
        raise LineError("'.' has no value here", node.col, node.end)
    return here


def _circular(definition: Definition, node: Expr) -> LineError:
    text = f"'{definition.name}' is defined in terms of itself"
    return LineError(text, node.col, node.end, f"defined in {definition.place}")


def _moved(problem: LineError, node: Expr, where: str, *, follows: bool = False) -> LineError:
    """Move a problem of another line to the place that needs that line; name only the innermost place."""
    text = problem.message if problem.within else f"{problem.message} ({where})"
    return LineError(text, node.col, node.end, problem.hint, undefined=problem.undefined, within=True, follows=follows)
