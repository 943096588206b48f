"""The parser of a line: from text to the syntax tree of `nodes`."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources
from typing import Any

from lark import Lark, Token

from lutra.asm.errors import LineError
from lutra.asm.passes.nodes import (
    Argument,
    Assign,
    Binary,
    Call,
    Choice,
    Directive,
    Expr,
    Group,
    Here,
    Index,
    Instruction,
    Num,
    OperandNode,
    Reg,
    Row,
    SectionStart,
    Statement,
    Str,
    Sum,
    Sym,
    Unary,
)
from lutra.asm.passes.operators import PRECEDENCE, apply_binary, apply_unary
from lutra.asm.passes.virtual import MARK
from lutra.isa import Isa, load


def _binary(op: str, left: Expr, right: Expr) -> Expr:
    col, end = left.col, right.end
    if isinstance(left, Num) and isinstance(right, Num):
        try:
            return Num(apply_binary(op, left.value, right.value, col, end), col, end)
        except LineError:
            pass  # reported when it is evaluated, with everything else
    return Binary(op, left, right, col, end)


def _climb(items: list[Any], at: int, lowest: int) -> tuple[Expr, int]:
    """Precedence climbing over factor, operator, factor, ...: the expression and the next index."""
    left: Expr = items[at]
    at += 1
    while at < len(items) and PRECEDENCE[str(items[at])] >= lowest:
        op = str(items[at])
        right, at = _climb(items, at + 1, PRECEDENCE[op] + 1)
        left = _binary(op, left, right)
    return left, at


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "\\": "\\", "'": "'", '"': '"'}
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|.)")


def _unescape(token: Token) -> bytes:
    out = b""
    text = token[1:-1]
    last = 0
    for found in _ESCAPE.finditer(text):
        out += text[last : found.start()].encode()
        code = found[1]
        if code[0] == "x" and len(code) == 3:
            out += bytes([int(code[1:], 16)])
        elif code in _ESCAPES:
            out += _ESCAPES[code].encode()
        else:
            raise LineError(
                f"unknown escape '\\{code}'",
                _col(token) + 1 + found.start(),
                _col(token) + 1 + found.end(),
                "legal: \\n \\t \\r \\0 \\\\ \\' \\\" \\xNN",
            )
        last = found.end()
    return out + text[last:].encode()


def _col(token: Token) -> int:
    return token.start_pos or 0


def _end(token: Token) -> int:
    return (token.start_pos or 0) + len(token)


class Builder:
    """Callbacks of the parser: rule by rule, children to node. Lark calls them by the rules' names."""

    def line(self, items: list[Any]) -> Statement:
        return Statement(tuple(items[:-1]), items[-1])

    def label(self, items: list[Any]) -> Sym:
        return self.symbol(items)

    def instruction(self, items: list[Any]) -> Instruction:
        name, operands = items
        return Instruction(str(name), operands or (), _col(name), _end(name))

    def operands(self, items: list[Any]) -> tuple[OperandNode, ...]:
        return tuple(items)

    def assign(self, items: list[Any]) -> Assign:
        name, expr = items
        return Assign(str(name), expr, _col(name), _end(name))

    def directive(self, items: list[Any]) -> Directive:
        name, args = items
        return Directive(str(name), args or (), _col(name), _end(name))

    def arguments(self, items: list[Any]) -> tuple[Argument, ...]:
        return tuple(items)

    def section(self, items: list[Any]) -> SectionStart:
        return SectionStart(str(items[1]), _col(items[1]), _end(items[1]))

    def directive_rows(self, items: list[Any]) -> Directive:
        name = items[0]
        rows = []
        for token in items[1:]:
            digits = re.sub(r"[_\s]", "", token.strip('"'))
            if not re.fullmatch(r"([0-9a-fA-F]{2})*", digits):
                raise LineError("a row must be pairs of hexadecimal digits", _col(token), _end(token))
            rows.append(Str(bytes.fromhex(digits), _col(token), _end(token)))
        return Directive(str(name), tuple(rows), _col(name), _end(name))

    def group(self, items: list[Any]) -> Group:
        return Group(tuple(items), items[0].col, items[-1].end)

    def sum(self, items: list[Any]) -> Sum:
        return Sum(tuple(items), items[0].col, items[-1].end)

    def register(self, items: list[Any]) -> Reg:
        token = items[0]
        return Reg(str(token), _col(token), _end(token))

    def contexts(self, items: list[Any]) -> Reg:
        token = items[0]
        return Reg("".join(token.split()), _col(token), _end(token))

    def row_by_register(self, items: list[Any]) -> Row:
        space, register, pattern, _ = items
        end = _end(pattern if pattern is not None else register)
        suffix = "".join(pattern.split()) if pattern is not None else ""
        return Row("".join(space.split()), str(register), suffix, None, _col(space), end + 1)

    def row_by_address(self, items: list[Any]) -> Row:
        space, address, _ = items
        return Row("".join(space.split()), "", "", address, _col(space), address.end + 1)

    def string(self, items: list[Any]) -> Str:
        return Str(_unescape(items[0]), _col(items[0]), _end(items[0]))

    def chain(self, items: list[Any]) -> Expr:
        return _climb(items, 0, 0)[0]

    def unary(self, items: list[Any]) -> Expr:
        op, arg = items
        if isinstance(arg, Num):
            return Num(apply_unary(str(op), arg.value), _col(op), arg.end)
        return Unary(str(op), arg, _col(op), arg.end)

    def choice(self, items: list[Any]) -> Choice:
        condition, yes, no = items
        return Choice(condition, yes, no, condition.col, no.end)

    def call(self, items: list[Any]) -> Call:
        name, *args, closing = items
        return Call(str(name), tuple(a for a in args if a is not None), _col(name), _end(closing))

    def index(self, items: list[Any]) -> Index:
        name, index, closing = items
        return Index(str(name), index, _col(name), _end(closing))

    def inner(self, items: list[Any]) -> Expr:
        expr: Expr = items[0]
        return expr

    def number(self, items: list[Any]) -> Num:
        token = items[0]
        if len(token) > 100:
            raise LineError("the number is too long", _col(token), _end(token))
        digits = token.replace("_", "")
        prefix = digits[:2].lower()
        base = {"0x": 16, "0b": 2, "0o": 8}.get(prefix, 10)
        body = digits[2:] if base != 10 else digits
        if not body:
            raise LineError("the number has no digits", _col(token), _end(token))
        return Num(int(body, base), _col(token), _end(token))

    def character(self, items: list[Any]) -> Num:
        token = items[0]
        data = _unescape(token)
        if len(data) != 1:
            raise LineError("not a single byte", _col(token), _end(token), "write its bytes with .byte")
        return Num(data[0], _col(token), _end(token))

    def symbol(self, items: list[Any]) -> Sym:
        token = items[0]
        return Sym(str(token), _col(token), _end(token))

    def here(self, items: list[Any]) -> Here:
        return Here(_col(items[0]), _end(items[0]))


def _words(names: list[str]) -> str:
    """Join alternatives, longest first; one that ends in a letter or digit must end a word."""
    ordered = sorted(names, key=lambda n: (-len(n), n))
    return "|".join(re.escape(n) + (r"(?![A-Za-z0-9_$])" if n[-1].isalnum() else "") for n in ordered)


def _pattern(suffix: str) -> str:
    """Return the pattern of a modification, with optional blanks between operator and word."""
    return r"[ \t]*".join(re.escape(part) for part in re.findall(r"\w+|[^\w\s]+", suffix))


def terminals(isa: Isa) -> str:
    """Return the grammar of the terminals that depend on the instruction set."""
    memories = [s.name for s in isa.spaces if s.is_single]
    suffixes = sorted((p.suffix for p in isa.patterns if p.suffix), key=len, reverse=True)
    space = f"(?:{_words(memories)})"
    # Accept any word after a colon, so that the message can name an unknown one.
    context = f"(?:{_words(list(isa.stream_contexts))})"
    more = r"(?:[ \t]*:[ \t]*\w+)*"
    regexes = {
        "VECTOR.3": _words(list(isa.vector_by_name)) + rf"|{MARK}[A-Za-z_]\w*",
        "ADDRESS.3": _words(list(isa.address_registers)),
        "CONTEXT.3": context + more,
        "SPACE.3": space + more,
        "PATTERN.3": "|".join(_pattern(s) for s in suffixes),
    }
    return "".join(f"{name}: /{regex.replace('/', chr(92) + '/')}/\n" for name, regex in regexes.items())


@lru_cache(maxsize=1)
def parser() -> Lark:
    """The parser of lines, of expressions and of operands (the rules to start with), built once."""
    text = resources.files("lutra.asm.passes").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(
        text + "\n" + terminals(load()),
        parser="lalr",
        lexer="contextual",
        start=["line", "expression", "operand"],
        transformer=Builder(),
        maybe_placeholders=True,
    )
