"""Operators of expressions: their precedence and results."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from lutra.asm.errors import LineError

PRECEDENCE = {
    op: level
    for level, ops in enumerate(
        ["||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / %"],
    )
    for op in ops.split()
}
MAX_BITS = 4096  # of a value; keeps results from growing without bounds
MAX_SHIFT = 1024


def _quotient(a: int, b: int) -> int:
    """Division as in C: towards zero."""
    quotient = abs(a) // abs(b)
    return -quotient if (a < 0) != (b < 0) else quotient


BINARY: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _quotient,
    "%": lambda a, b: a - b * _quotient(a, b),
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "&&": lambda a, b: int(a != 0 and b != 0),
    "||": lambda a, b: int(a != 0 or b != 0),
}
UNARY: Mapping[str, Callable[[int], int]] = {
    "+": operator.pos,
    "-": operator.neg,
    "~": operator.invert,
    "!": lambda a: int(a == 0),
}


def apply_binary(op: str, a: int, b: int, col: int, end: int) -> int:
    """Value of a binary operator, as in C but without overflow. Raises LineError."""
    if op in ("/", "%") and b == 0:
        raise LineError("division by zero", col, end)
    if op in ("<<", ">>") and not 0 <= b <= MAX_SHIFT:
        raise LineError(f"shift by {shown(b)} is out of range", col, end, f"legal: 0 to {MAX_SHIFT}")
    value = BINARY[op](a, b)
    if value.bit_length() > MAX_BITS:
        raise LineError(f"the value has more than {MAX_BITS} bits", col, end)
    return value


# Two values that fit always have a result that fits.
_SAFE = frozenset(["&", "|", "^", "==", "!=", "<", "<=", ">", ">=", "&&", "||"])


def operation(op: str, col: int, end: int) -> Callable[[int, int], int]:
    """A binary operator at its place in a line, as a function that raises LineError."""
    return BINARY[op] if op in _SAFE else lambda a, b: apply_binary(op, a, b, col, end)


def apply_unary(op: str, a: int) -> int:
    """Value of a unary operator."""
    return UNARY[op](a)


def shown(value: int) -> str:
    """Format a value for a message; a very long one is not written out."""
    return str(value) if abs(value) < 1 << 64 else "the value"
