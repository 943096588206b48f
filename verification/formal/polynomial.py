"""Bit-vector terms as polynomials over GF(2): a normal form in which equal functions look equal.

For linear and bilinear functions it is small, while a solver would have to search through long XORs. The bits of a sum
modulo 2^n are variables of their own: sums of the same addends have the same ones. Two terms with equal polynomials are
equal functions; with additions inside, the converse need not hold.
"""

from __future__ import annotations

from collections import Counter
from functools import reduce
from operator import or_

import z3

# A monomial is the set of its variables as a mask; a polynomial is the set of its monomials. {0} is one, {} zero.
Polynomial = frozenset[int]
ZERO: Polynomial = frozenset()
ONE: Polynomial = frozenset({0})


class NotPolynomialError(Exception):
    """The term has an operation whose polynomial would not be small."""


def add(a: Polynomial, b: Polynomial) -> Polynomial:
    """XOR."""
    return a ^ b


def multiply(a: Polynomial, b: Polynomial) -> Polynomial:
    """AND."""
    if not a or not b:
        return ZERO
    if a == ONE:
        return b
    out: set[int] = set()
    for m in a:
        products = [m | n for n in b]
        distinct = set(products)
        if len(distinct) == len(products):
            out ^= distinct
        else:  # equal products cancel in pairs
            for p in products:
                out ^= {p}
    return frozenset(out)


def choose(condition: Polynomial, a: Polynomial, b: Polynomial) -> Polynomial:
    """A where the condition is one, else b."""
    return add(b, multiply(condition, add(a, b)))


class Reader:
    """Turns terms over the same variables into polynomials, bit 0 (the least significant) first."""

    def __init__(self) -> None:
        self._variables: dict[tuple[str, int], int] = {}
        self._known: dict[int, list[Polynomial]] = {}
        self._sums: dict[object, str] = {}
        self._kept: list[z3.ExprRef] = []

    def name(self, monomial: int) -> list[tuple[str, int]]:
        """The variables of a monomial, as (port, bit)."""
        return [v for v, mask in self._variables.items() if monomial & mask]

    def bits(self, term: z3.ExprRef) -> list[Polynomial]:
        """One polynomial per bit."""
        pending = [term]
        while pending:
            top = pending[-1]
            missing = [c for c in top.children() if c.get_id() not in self._known]
            if top.get_id() in self._known:
                pending.pop()
            elif missing:
                pending += missing
            else:
                pending.pop()
                self._known[top.get_id()] = self._apply(top)
                self._kept.append(top)  # z3 may reuse the number of a deleted term
        return self._known[term.get_id()]

    def _variable(self, name: str, bit: int) -> Polynomial:
        return frozenset({self._variables.setdefault((name, bit), 1 << len(self._variables))})

    def _sum(self, addends: list[list[Polynomial]]) -> list[Polynomial]:
        key = frozenset(Counter(map(tuple, addends)).items())
        name = self._sums.setdefault(key, f"sum {len(self._sums)}")
        return [self._variable(name, i) for i in range(len(addends[0]))]

    def _addends(self, t: z3.ExprRef) -> list[list[Polynomial]]:
        if t.decl().kind() != z3.Z3_OP_BADD:
            return [self._known[t.get_id()]]
        return [a for c in t.children() for a in self._addends(c)]

    def _apply(self, t: z3.ExprRef) -> list[Polynomial]:
        kind = t.decl().kind()
        if z3.is_bv_value(t):
            return [ONE if t.as_long() >> i & 1 else ZERO for i in range(t.size())]
        if kind == z3.Z3_OP_UNINTERPRETED and t.num_args() == 0:
            return [self._variable(str(t), i) for i in range(t.size() if z3.is_bv(t) else 1)]
        args = [self._known[c.get_id()] for c in t.children()]
        match kind:
            case z3.Z3_OP_TRUE:
                return [ONE]
            case z3.Z3_OP_FALSE:
                return [ZERO]
            case z3.Z3_OP_BXOR | z3.Z3_OP_XOR:
                return [reduce(add, column) for column in zip(*args, strict=True)]
            case z3.Z3_OP_BAND | z3.Z3_OP_AND:
                return [reduce(multiply, column) for column in zip(*args, strict=True)]
            case z3.Z3_OP_BOR | z3.Z3_OP_OR:
                inverted = [[add(ONE, p) for p in a] for a in args]
                return [add(ONE, reduce(multiply, column)) for column in zip(*inverted, strict=True)]
            case z3.Z3_OP_BNOT | z3.Z3_OP_NOT:
                return [add(ONE, p) for p in args[0]]
            case z3.Z3_OP_CONCAT:
                return [p for a in reversed(args) for p in a]
            case z3.Z3_OP_EXTRACT:
                high, low = t.params()
                return args[0][low : high + 1]
            case z3.Z3_OP_ZERO_EXT:
                return args[0] + [ZERO] * t.params()[0]
            case z3.Z3_OP_ITE:
                return [choose(args[0][0], a, b) for a, b in zip(args[1], args[2], strict=True)]
            case z3.Z3_OP_BADD:
                return self._sum(self._addends(t))
            case z3.Z3_OP_EQ:
                same = [add(ONE, add(a, b)) for a, b in zip(args[0], args[1], strict=True)]
                if reduce(or_, (m for p in same for m in p), 0).bit_count() > 16:
                    raise NotPolynomialError(str(t.decl()))
                return [reduce(multiply, same, ONE)]
            case _:
                raise NotPolynomialError(str(t.decl()))
