"""The short way to the tree of a plain line: operands of equal text at equal columns are parsed once.

Firmware repeats its operands far more often than its lines. This module finds labels and where operands begin and end,
and parses the most frequent expressions: names and numbers with operators between them, also as the address of a row.
All else is the grammar's: every other operand, every line that this module does not understand, and every error.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from lark import Token
from lark.exceptions import LarkError

from lutra.asm.errors import LineError
from lutra.asm.passes.nodes import Assign, Directive, Expr, Instruction, OperandNode, Statement, Sym
from lutra.asm.passes.syntax import Builder, parser

# Labels, and operands: commas in brackets are an operand's own. It has one level of brackets, and any in braces.
_LABEL = re.compile(r"[ \t]*((?:[A-Za-z_]|\.L)[A-Za-z0-9_$]*)[ \t]*:")
_MNEMONIC = re.compile(r"[ \t]*([A-Za-z_][A-Za-z0-9_$]*)(?:[ \t]+(?=[^=: \t])|$)")
_OPERANDS = re.compile(r"[\w \t$.,+\-*%<>&|^~!?:=()\[\]{}]*", re.ASCII)
_OPERAND = re.compile(r"[ \t]*((?:[^,()\[\]{}]|\([^()\[\]{}]*\)|\[[^\[\]{}]*\]|\{[^{}]*\})+)(,|$)")


def statement(text: str) -> Statement | None:
    """Return the tree of a plain line as the grammar gives it; None for any other line."""
    labels = []
    at = 0
    while found := _LABEL.match(text, at):
        labels.append(Sym(found[1], *found.span(1)))
        at = found.end()
    if at and not text[at:].strip(" \t"):
        return Statement(tuple(labels), None)
    if found := _MNEMONIC.match(text, at):
        operands = _operands(text, found.end())
        return None if operands is None else Statement(tuple(labels), Instruction(found[1], operands, *found.span(1)))
    try:
        body = _definition(text, at) or _directive(text, at)
    except LineError:
        return None
    return None if body is None else Statement(tuple(labels), body)


def _operands(text: str, at: int) -> tuple[OperandNode, ...] | None:
    """Return the operands in a text without quotes, comments and backslashes."""
    if not _OPERANDS.fullmatch(text, at):
        return None
    operands = []
    length = len(text)
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
    return tuple(operands)


def _definition(text: str, at: int) -> Assign | None:
    """Return `name = expression`, if the expression is simple."""
    simple = _patterns()
    found = simple.definition.fullmatch(text, at)
    if found is None:
        return None
    return Assign(found["name"], _chain(simple, found.start("value"), found["value"]), *found.span("name"))


def _directive(text: str, at: int) -> Directive | None:
    """Return a directive whose arguments are simple expressions."""
    simple = _patterns()
    found = simple.directive.fullmatch(text, at)
    if found is None:
        return None
    given = found["arguments"]
    parts = simple.expression.finditer(given) if given else ()
    arguments = tuple(_chain(simple, found.start("arguments") + part.start(), part[0]) for part in parts)
    return Directive(found["name"], arguments, *found.span("name"))


@lru_cache(maxsize=1 << 15)
def _operand(column: int, text: str) -> OperandNode | None:
    """Parse an operand at a column of its line; None if it is not one."""
    try:
        if (known := _simple(column, text)) is not None:
            return known
        # Blanks keep the columns.
        return parser().parse(" " * column + text, start="operand")  # type: ignore[return-value]
    except (LarkError, LineError, RecursionError):
        return None


class _Simple:
    """Patterns of the operands that are parsed here, made of the grammar's own terminals."""

    def __init__(self) -> None:
        terminals = {t.name: f"(?:{t.pattern.to_regexp()})" for t in parser().terminals}
        # In some places the grammar takes these for names; such an operand is left to it.
        reserved = "|".join(terminals[name] for name in ("VECTOR", "ADDRESS", "CONTEXT", "SPACE"))
        factor = f"(?:{terminals['NUMBER']}|(?!{reserved}){terminals['NAME']})"
        chain = rf"{factor}(?:[ \t]*{terminals['BINARY']}[ \t]*{factor})*"
        self.expression = re.compile(chain)
        self.row = re.compile(rf"(?P<SPACE>{terminals['SPACE']})[ \t]*\[[ \t]*(?P<address>{chain})[ \t]*\]")
        self.part = re.compile("|".join(f"(?P<{name}>{terminals[name]})" for name in ("NUMBER", "NAME", "BINARY")))
        self.definition = re.compile(rf"[ \t]*(?P<name>{terminals['NAME']})[ \t]*=(?!=)[ \t]*(?P<value>{chain})[ \t]*")
        name = rf"(?!{terminals['SECTION']}|{terminals['ROW']}){terminals['DIRECTIVE']}"
        arguments = rf"{chain}(?:[ \t]*,[ \t]*{chain})*"
        self.directive = re.compile(rf"[ \t]*(?P<name>{name})(?:[ \t]+(?P<arguments>{arguments}))?[ \t]*")
        self.builder = Builder()


@lru_cache(maxsize=1)
def _patterns() -> _Simple:
    return _Simple()


def _simple(column: int, text: str) -> OperandNode | None:
    """Parse names and numbers with operators between them, alone or as the address of a row; None for all others."""
    simple = _patterns()
    build = simple.builder
    if simple.expression.fullmatch(text):
        expression: Expr = _chain(simple, column, text)
        return expression
    row = simple.row.fullmatch(text)
    if row is None:
        return None
    address = _chain(simple, column + row.start("address"), row["address"])
    space = Token("SPACE", row["SPACE"], column)
    return build.sum([build.row_by_address([space, address, None])])


def _chain(simple: _Simple, column: int, text: str) -> Any:
    """Return the expression of a text that matches."""
    build = simple.builder
    items: list[Any] = []
    for part in simple.part.finditer(text):
        kind = part.lastgroup or ""
        start, end = part.span()
        if kind == "NUMBER":
            items.append(build.number([Token(kind, part[0], column + start)]))
        else:
            items.append(Sym(part[0], column + start, column + end) if kind == "NAME" else part[0])
    return items[0] if len(items) == 1 else build.chain(items)
