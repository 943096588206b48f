"""Find the names that a statement or an expression uses and defines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lutra.asm.passes import nodes


class Named(NamedTuple):
    """A name with its columns."""

    name: str
    col: int
    end: int
    defines: bool = False


def names(statement: nodes.Statement) -> tuple[Named, ...]:
    """Yield the names of symbols, functions and arrays in a statement, in order of the text; each column once.

    Raises RecursionError if an expression is nested too deeply.
    """
    return tuple(dict.fromkeys(_statement(statement)))


def _statement(statement: nodes.Statement) -> Iterator[Named]:
    for label in statement.labels:
        yield Named(label.name, label.col, label.end, True)
    match statement.body:
        case nodes.Instruction() as body:
            for operand in body.operands:
                yield from of_operand(operand)
        case nodes.Assign() as body:
            yield Named(body.name, body.col, body.end, True)
            yield from of(body.expr)
        case nodes.Directive() as body:
            defines = body.name in (".equ", ".array")
            for arg in body.args:
                if isinstance(arg, nodes.Str):
                    continue
                if defines and isinstance(arg, nodes.Sym):
                    yield Named(arg.name, arg.col, arg.end, True)
                else:
                    yield from of(arg)
                defines = False


def of_operand(node: nodes.OperandNode) -> Iterable[Named]:
    """Return the names in an operand; at once for the most frequent ones, registers and rows by register."""
    if isinstance(node, nodes.Sum) and all(isinstance(t, nodes.Reg) or t.address is None for t in node.terms):
        return ()
    return of(node)


def of(node: nodes.OperandNode | nodes.Reg | nodes.Row | nodes.Expr) -> Iterator[Named]:
    """The names in an operand or expression."""
    match node:
        case nodes.Sym():
            yield Named(node.name, node.col, node.end)
        case nodes.Index() | nodes.Call():
            yield Named(node.name, node.col, node.col + len(node.name))
            for part in node.args if isinstance(node, nodes.Call) else (node.at,):
                yield from of(part)
        case nodes.Unary():
            yield from of(node.arg)
        case nodes.Binary():
            # A long sum is deep on its left side.
            spine: list[nodes.Expr] = [node]
            while isinstance(last := spine[-1], nodes.Binary):
                spine.append(last.left)
            yield from of(spine.pop())
            for inner in reversed(spine):
                if isinstance(inner, nodes.Binary):
                    yield from of(inner.right)
        case nodes.Choice():
            for part in (node.condition, node.yes, node.no):
                yield from of(part)
        case nodes.Row():
            if node.address is not None:
                yield from of(node.address)
        case nodes.Sum():
            for term in node.terms:
                yield from of(term)
        case nodes.Group():
            for item in node.items:
                yield from of(item)
