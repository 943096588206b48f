"""Syntax tree of a line, and the parser that makes it.

The nodes are named tuples instead of dataclasses because one is made for nearly every token, and
because lines of equal text then share one tree: a node has columns, but no file and no line.
Columns count from 0; `end` is exclusive.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources
from typing import Any, NamedTuple, TypeAlias, Union

from lark import Lark, Token

from lutra.asm.errors import LineError
from lutra.isa import Isa, load

# ------------------------------------------------------------------------------- expressions


class Num(NamedTuple):
    """A number."""

    value: int
    col: int
    end: int


class Sym(NamedTuple):
    """A symbol by name."""

    name: str
    col: int
    end: int


class Here(NamedTuple):
    """The current location."""

    col: int
    end: int


class Unary(NamedTuple):
    """An operator before its operand."""

    op: str
    arg: Expr
    col: int
    end: int


class Binary(NamedTuple):
    """An operator between its operands."""

    op: str
    left: Expr
    right: Expr
    col: int
    end: int


class Str(NamedTuple):
    """A quoted string, or a row's digits, as bytes."""

    value: bytes
    col: int
    end: int


# Union and not |, because the names are still strings here.
Expr: TypeAlias = Union[Num, Sym, Here, Unary, Binary]  # noqa: UP007

# ---------------------------------------------------------------------------------- operands


class Reg(NamedTuple):
    """A vector operand, an address register, or stream contexts (`c0:c1`) by name."""

    name: str
    col: int
    end: int


class Row(NamedTuple):
    """A row of a memory or table: by address register and modification, or at an address."""

    space: str
    register: str
    suffix: str
    address: Expr | None
    col: int
    end: int


class Sum(NamedTuple):
    """Terms between `^`; a single register or row is a sum of one term."""

    terms: tuple[Reg | Row, ...]
    col: int
    end: int


class Group(NamedTuple):
    """Destinations in braces."""

    items: tuple[Sum, ...]
    col: int
    end: int


OperandNode: TypeAlias = Union[Num, Sym, Here, Unary, Binary, Sum, Group]  # noqa: UP007
Argument: TypeAlias = Union[Num, Sym, Here, Unary, Binary, Str]  # noqa: UP007

# -------------------------------------------------------------------------------- statements


class Instruction(NamedTuple):
    """A mnemonic and its operands."""

    mnemonic: str
    operands: tuple[OperandNode, ...]
    col: int
    end: int


class Assign(NamedTuple):
    """`name = expression`."""

    name: str
    expr: Expr
    col: int
    end: int


class Directive(NamedTuple):
    """A directive and its arguments."""

    name: str
    args: tuple[Argument, ...]
    col: int
    end: int


class SectionStart(NamedTuple):
    """`.section name`."""

    name: str
    col: int
    end: int


class Statement(NamedTuple):
    """A line: its labels and what follows them."""

    labels: tuple[Sym, ...]
    body: Instruction | Assign | Directive | SectionStart | None


PRECEDENCE = {
    op: level
    for level, ops in enumerate(
        ["||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / %"],
    )
    for op in ops.split()
}
MAX_BITS = 4096  # keeps a chain of products from growing without bounds


def apply_binary(op: str, a: int, b: int, col: int, end: int) -> int:
    """Value of a binary operator, as in C but unbounded. Raises LineError."""
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            if a.bit_length() + b.bit_length() > MAX_BITS:
                raise LineError("the product is too large", col, end)
            return a * b
        case "/" | "%":
            if b == 0:
                raise LineError("division by zero", col, end)
            quotient = abs(a) // abs(b)
            if (a < 0) != (b < 0):
                quotient = -quotient
            return quotient if op == "/" else a - b * quotient
        case "<<" | ">>":
            if not 0 <= b <= 1024:
                raise LineError(f"shift by {b} is out of range", col, end, "legal: 0 to 1024")
            if a.bit_length() > MAX_BITS:
                raise LineError("the value is too large", col, end)
            return a << b if op == "<<" else a >> b
        case "&":
            return a & b
        case "|":
            return a | b
        case "^":
            return a ^ b
        case "==":
            return int(a == b)
        case "!=":
            return int(a != b)
        case "<":
            return int(a < b)
        case "<=":
            return int(a <= b)
        case ">":
            return int(a > b)
        case ">=":
            return int(a >= b)
        case "&&":
            return int(a != 0 and b != 0)
        case _:
            return int(a != 0 or b != 0)


def apply_unary(op: str, a: int) -> int:
    """Value of a unary operator."""
    match op:
        case "-":
            return -a
        case "~":
            return ~a
        case "!":
            return int(a == 0)
        case _:
            return a


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


class _Builder:
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
                raise LineError("a row is written in pairs of hexadecimal digits", _col(token), _end(token))
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
        space, register, pattern = items
        end = _end(pattern if pattern is not None else register)
        suffix = "".join(pattern.split()) if pattern is not None else ""
        return Row("".join(space.split()), str(register), suffix, None, _col(space), end + 1)

    def row_by_address(self, items: list[Any]) -> Row:
        space, address = items
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
            raise LineError("not a single byte", _col(token), _end(token), "write the character's bytes in .byte")
        return Num(data[0], _col(token), _end(token))

    def symbol(self, items: list[Any]) -> Sym:
        token = items[0]
        return Sym(str(token), _col(token), _end(token))

    def here(self, items: list[Any]) -> Here:
        return Here(_col(items[0]), _end(items[0]))


def _words(names: list[str]) -> str:
    """Alternatives, longest first, each ending at a word's end if it ends in a letter or digit."""
    ordered = sorted(names, key=lambda n: (-len(n), n))
    return "|".join(re.escape(n) + (r"(?![A-Za-z0-9_$])" if n[-1].isalnum() else "") for n in ordered)


def _pattern(suffix: str) -> str:
    """A modification's syntax, blanks allowed between operator and word."""
    return r"[ \t]*".join(re.escape(part) for part in re.findall(r"\w+|[^\w\s]+", suffix))


def terminals(isa: Isa) -> str:
    """Grammar text of the terminals that the instruction set decides."""
    memories = [s.name for s in isa.spaces if not s.is_program and ":" not in s.name]
    suffixes = sorted((p.suffix for p in isa.patterns if p.suffix), key=len, reverse=True)
    space = f"(?:{_words(memories)})"
    context = f"(?:{_words(list(isa.stream_contexts))})"
    regexes = {
        "VECTOR.3": _words(list(isa.vector_by_name)),
        "ADDRESS.3": _words(list(isa.address_registers)),
        "CONTEXT.3": rf"{context}(?:[ \t]*:[ \t]*{context})*",
        "SPACE.3": rf"{space}(?:[ \t]*:[ \t]*{space})*",
        "PATTERN.3": "|".join(_pattern(s) for s in suffixes),
    }
    return "".join(f"{name}: /{regex.replace('/', chr(92) + '/')}/\n" for name, regex in regexes.items())


@lru_cache(maxsize=1)
def parser() -> Lark:
    """The parser of lines (start `line`) and of expressions (start `expression`), built once."""
    text = resources.files("lutra.asm").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(
        text + "\n" + terminals(load()),
        parser="lalr",
        lexer="contextual",
        start=["line", "expression"],
        transformer=_Builder(),
        maybe_placeholders=True,
    )


def show(node: OperandNode | Reg | Row) -> str:
    """The node as source text."""
    match node:
        case Num():
            return str(node.value) if -10 < node.value < 10 else hex(node.value)
        case Sym() | Reg():
            return node.name
        case Here():
            return "."
        case Unary():
            return f"{node.op}{show(node.arg)}"
        case Binary():
            return f"({show(node.left)} {node.op} {show(node.right)})"
        case Row():
            inside = node.register + node.suffix if node.address is None else show(node.address)
            return f"{node.space}[{inside}]"
        case Sum():
            return " ^ ".join(show(t) for t in node.terms)
        case Group():
            return "{" + ", ".join(show(i) for i in node.items) + "}"
