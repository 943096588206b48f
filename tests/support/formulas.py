"""Evaluates the formulas that the manual prints; the notation is that of `isa/datapath.td`.

Values are numbers and byte strings, and what an environment holds in addition: functions, tables, lists. A formula is
parsed into functions of the environment, so that `byte i:` can evaluate its part sixteen times.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

from models.lanes import lanes, rotate, unlanes

Env = dict[str, Any]
Part = Callable[[Env], Any]

TOKEN = re.compile(r"\s*(<<<|>>|\|\||==|!=|[0-9]+|\.?[A-Za-z]\w*|\S)")
ASSIGNMENT = re.compile(r"\s*\w+(\([^()]*\)|\[[^\[\]]*\])?\s*=[^=]")
# Operators by precedence, the lowest first; those of one row are left-associative.
ROWS = (("||",), ("==", "!=", "<"), ("|",), ("^",), ("&",), ("<<<", ">>"), ("+",), ("*", "div", "mod"))


def number(value: Any) -> int:
    """A byte or a row as a number."""
    return int.from_bytes(value, "big") if isinstance(value, bytes) else value


def _bitwise(apply: Callable[[int, int], int]) -> Callable[[Any, Any], Any]:
    """On rows byte by byte, where a number stands for as many bytes as the row has."""

    def whole(a: Any, b: Any) -> Any:
        if not isinstance(a, bytes) and not isinstance(b, bytes):
            return apply(a, b)
        size = len(a if isinstance(a, bytes) else b)
        return apply(number(a), number(b)).to_bytes(size, "big")

    return whole


def _add(a: Any, b: Any) -> Any:
    if isinstance(a, bytes) and len(a) == 16:
        b = b if isinstance(b, bytes) else b.to_bytes(16, "big")
        return unlanes([(p + q) % 2**32 for p, q in zip(lanes(a, 4), lanes(b, 4), strict=True)], 4)
    return number(a) + number(b)


def _join(a: Any, b: Any) -> bytes:
    """A number represents as many bytes as the other operand has."""
    size = len(a if isinstance(a, bytes) else b)
    return b"".join(v if isinstance(v, bytes) else v.to_bytes(size, "big") for v in (a, b))


def _compare(apply: Callable[[int, int], bool]) -> Callable[[Any, Any], int]:
    return lambda a, b: int(apply(number(a), number(b)))


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "||": _join,
    "==": _compare(operator.eq),
    "!=": _compare(operator.ne),
    "<": _compare(operator.lt),
    "|": _bitwise(operator.or_),
    "^": _bitwise(operator.xor),
    "&": _bitwise(operator.and_),
    "<<<": lambda a, b: rotate(a, number(b) % 128),
    ">>": lambda a, b: number(a) >> number(b),
    "+": _add,
    "*": lambda a, b: number(a) * number(b),
    "div": lambda a, b: number(a) // number(b),
    "mod": lambda a, b: number(a) % number(b),
}
HALVES = {".h": slice(0, 8), ".l": slice(8, 16)}


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens = TOKEN.findall(text)
        self.assigns = ASSIGNMENT.match(text) is not None

    def peek(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def take(self, *wanted: str) -> str:
        """The next token if it is one of those; empty otherwise."""
        return self.tokens.pop(0) if self.peek() in wanted else ""

    def need(self, token: str) -> None:
        assert self.take(token), f"{token} expected before {self.tokens}"

    def statement(self) -> Part:
        """An assignment, or a value with what the names in it stand for."""
        if self.assigns:
            return self.assignment()
        value, names = self.value(), []
        while self.take(","):
            name = self.tokens.pop(0)
            self.need("=")
            names.append((name, self.value()))
        return lambda env: value(env | {name: part(env) for name, part in names})

    def assignment(self) -> Part:
        """To a name, to a place of what a name stands for, or to what a function's arguments name."""
        name, places = self.tokens.pop(0), []
        if self.take("[", "("):
            places.append(self.value())
            while self.take(","):
                places.append(self.value())
            self.tokens.pop(0)
        self.need("=")
        value = self.value()

        def assign(env: Env) -> None:
            result = value(env)
            if places:
                env["assigned"][name, *(part(env) for part in places)] = result
            else:
                env[name] = env["assigned"][(name,)] = result

        return assign

    def value(self) -> Part:
        if self.tokens[:3] == ["byte", "i", ":"]:
            del self.tokens[:3]
            part = self.value()
            return lambda env: bytes(number(part(env | {"i": i})) for i in range(16))
        condition = self.row(0)
        if not self.take("?"):
            return condition
        yes = self.value()
        self.need(":")
        no = self.value()
        return lambda env: yes(env) if condition(env) else no(env)

    def row(self, level: int) -> Part:
        if level == len(ROWS):
            return self.unary()
        left = self.row(level + 1)
        while sign := self.take(*ROWS[level]):
            left = self._applied(OPERATORS[sign], left, self.row(level + 1))
        return left

    @staticmethod
    def _applied(apply: Callable[[Any, Any], Any], left: Part, right: Part) -> Part:
        return lambda env: apply(left(env), right(env))

    def unary(self) -> Part:
        if self.take("~"):
            part = self.unary()
            return lambda env: bytes(255 - byte for byte in part(env))
        part = self.primary()
        while True:
            if half := self.take(*HALVES):
                part = self._applied(lambda whole, at: whole[at], part, lambda _env, at=HALVES[half]: at)  # type: ignore[misc]
            elif self.take("["):
                part = self._applied(_element, part, self.value())
                self.need("]")
            else:
                return part

    def primary(self) -> Part:
        if self.take("("):
            parts = self.list(")")
            return parts[0] if len(parts) == 1 else lambda env: tuple(part(env) for part in parts)
        token = self.tokens.pop(0)
        if token.isdigit():
            return lambda _: int(token)
        if self.take("("):
            parts = self.list(")")
            return lambda env: env[token](*(part(env) for part in parts))
        return lambda env: env[token]

    def list(self, end: str) -> list[Part]:
        parts: list[Part] = []
        while not self.take(end):
            parts.append(self.value())
            self.take(",")
        return parts


def _element(whole: Any, at: Any) -> Any:
    """A byte of a row as a row of one byte, or an element of a table."""
    n = number(at)
    return whole[n : n + 1] if isinstance(whole, bytes) else whole[n]


def evaluate(formula: str, env: Env) -> Any:
    """The value of a formula's last statement. Assignments go to `env` and, with their places, to env["assigned"]."""
    env.setdefault("assigned", {})
    result = None
    for statement in formula.split(";"):
        parser = _Parser(statement)
        part = parser.statement()
        assert not parser.tokens, f"{formula}: {parser.tokens} left"
        result = part(env)
    return result
