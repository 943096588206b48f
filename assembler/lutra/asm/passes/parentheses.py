"""Find comparisons next to `&`, `^` or `|`: as in C the comparison comes first, which is seldom intended."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lutra.asm.errors import Line
from lutra.asm.passes.blocks import HEAD
from lutra.asm.reporter import Reporter

_COMPARISONS = frozenset(["==", "!=", "<", "<=", ">", ">="])
_BITWISE = frozenset(["&", "^", "|"])
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
# Operators that end an operand of these.
_PART = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'|<<|>>|&&|\|\||[=!<>]=|[<>&|^()\[\]{},?:=]')


@dataclass
class _Operation:
    """Yield the operators of an expression outside of brackets, with columns; `start`: column of the expression."""

    start: int
    operators: list[tuple[str, int]] = field(default_factory=list)


def check(line: Line, text: str, reporter: Reporter) -> None:
    """Report such comparisons in a line; text: the line without its comment."""
    if not ("<" in text or ">" in text or "=" in text):
        return
    head = HEAD.match(text)
    open_ = [_Operation(head.end() if head else 0)]
    for found in _PART.finditer(text, open_[0].start):
        part, col = found[0], found.start()
        if part in _OPEN:
            open_.append(_Operation(found.end()))
        elif part in _COMPARISONS | _BITWISE:
            open_[-1].operators.append((part, col))
        elif part in _CLOSE:
            _report(open_.pop(), text[:col], line, reporter)
            open_ = open_ or [_Operation(found.end())]
        elif part in ("&&", "||", ",", "?", ":", "="):
            _report(open_[-1], text[:col], line, reporter)
            open_[-1] = _Operation(found.end())
    for operation in open_:
        _report(operation, text, line, reporter)


def _report(operation: _Operation, text: str, line: Line, reporter: Reporter) -> None:
    """Check an expression; text: the line up to its end."""
    compared = [(op, col) for op, col in operation.operators if op in _COMPARISONS]
    bitwise = [(op, col) for op, col in operation.operators if op in _BITWISE]
    if not compared or not bitwise:
        return
    (op, col), (other, _) = compared[0], bitwise[0]
    hint = "put parentheses around the part to compute first"
    if len(operation.operators) == 2:
        (first, at), (second, then) = operation.operators
        spans = ((operation.start, at), (at + len(first), then), (then + len(second), len(text)))
        a, b, c = (text[start:stop].strip() for start, stop in spans)
        hint = f"write ({a} {first} {b}) {second} {c} or {a} {first} ({b} {second} {c})"
    reporter.check("parentheses", line, f"'{op}' is computed before '{other}'", col, col + len(op), hint)
