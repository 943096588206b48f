"""The short way to the tree of a plain instruction line: operands of equal text at equal columns are parsed once.

Firmware repeats its operands far more often than its lines. The grammar parses each operand; this module only finds
where they begin and end, and leaves every line that it does not understand, and every error, to the grammar.
"""

from __future__ import annotations

import re
from functools import lru_cache

from lark.exceptions import LarkError

from lutra.asm.errors import LineError
from lutra.asm.passes.nodes import Instruction, OperandNode, Statement
from lutra.asm.passes.syntax import parser

# A mnemonic, and operands without quotes, comments and backslashes.
_LINE = re.compile(r"[ \t]*([A-Za-z_][A-Za-z0-9_$]*)(?:[ \t]+(?=[^=: \t])[\w \t$.,+\-*%<>&|^~!?:=()\[\]{}]*)?", re.ASCII)
# An operand: commas in brackets are its own. It has at most one level of brackets of each kind.
_OPERAND = re.compile(r"[ \t]*((?:[^,()\[\]{}]|\([^()\[\]{}]*\)|\[[^\[\]{}]*\]|\{[^{}]*\})+)(,|$)")


def statement(text: str) -> Statement | None:
    """Return the tree of a plain instruction line as the grammar gives it; None for any other line."""
    line = _LINE.fullmatch(text)
    if line is None:
        return None
    operands = []
    begin, end = line.span(1)
    at, length = end, len(text)
    if not text[end:].isspace():
        while at < length:
            found = _OPERAND.match(text, at)
            if found is None:
                return None
            node = _operand(found.start(1), found[1].rstrip())
            if node is None:
                return None
            operands.append(node)
            at = found.end()
            if at == length and found[2]:
                return None  # nothing after the comma
    return Statement((), Instruction(line[1], tuple(operands), begin, end))


@lru_cache(maxsize=1 << 16)
def _operand(column: int, text: str) -> OperandNode | None:
    """Parse an operand at a column of its line; None if it is not one."""
    try:
        # Blanks keep the columns.
        return parser().parse(" " * column + text, start="operand")  # type: ignore[return-value]
    except (LarkError, LineError, RecursionError):
        return None
