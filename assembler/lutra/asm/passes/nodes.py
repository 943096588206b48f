"""Syntax tree of a line.

The nodes are named tuples instead of dataclasses because one is made for nearly every token, and
because lines of equal text then share one tree: a node has columns, but no file and no line.
Columns count from 0; `end` is exclusive.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias, Union

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


class Choice(NamedTuple):
    """`condition ? yes : no`; only one of the two is computed."""

    condition: Expr
    yes: Expr
    no: Expr
    col: int
    end: int


class Call(NamedTuple):
    """A function of constants with its arguments."""

    name: str
    args: tuple[Expr, ...]
    col: int
    end: int


class Index(NamedTuple):
    """An entry of an array of constants."""

    name: str
    at: Expr
    col: int
    end: int


class Str(NamedTuple):
    """A quoted string, or a row's digits, as bytes."""

    value: bytes
    col: int
    end: int


# Union and not |, because the names are still strings here.
Expr: TypeAlias = Union[Num, Sym, Here, Unary, Binary, Choice, Call, Index]  # noqa: UP007

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


OperandNode: TypeAlias = Union[Expr, Sum, Group]  # noqa: UP007
Argument: TypeAlias = Union[Expr, Str]  # noqa: UP007

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


def has_here(node: object) -> bool:
    """Whether the current location is in a tree."""
    return isinstance(node, Here) or (isinstance(node, tuple) and any(map(has_here, node)))


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
        case Choice():
            return f"({show(node.condition)} ? {show(node.yes)} : {show(node.no)})"
        case Call():
            return f"{node.name}({', '.join(show(a) for a in node.args)})"
        case Index():
            return f"{node.name}[{show(node.at)}]"
        case Row():
            inside = node.register + node.suffix if node.address is None else show(node.address)
            return f"{node.space}[{inside}]"
        case Sum():
            return " ^ ".join(show(t) for t in node.terms)
        case Group():
            return "{" + ", ".join(show(i) for i in node.items) + "}"
