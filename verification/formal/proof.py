"""Proofs and their outcomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import z3

from formal.hdl import Sources
from formal.polynomial import Reader
from formal.specification import Bits


@dataclass(frozen=True)
class Refuted:
    """The design differs from its specification, or breaks a property; `values` are those of a counterexample."""

    what: str
    values: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.what + "".join(f"\n    {name} = {value}" for name, value in self.values.items())


@dataclass(frozen=True)
class Proof:
    """One row of the table. `check` returns None if the statement is proven.

    Proofs with the same `shared` share one run of the model checker.
    """

    name: str
    group: str
    statement: str
    method: str
    check: Callable[[Sources], Refuted | None] = field(compare=False)
    shared: str = ""


def unspecified(symbol: str, group: str, file: str) -> Proof:
    """The row of an unspecified function."""
    missing = Refuted(f"{symbol} has no specification: write it from its standard in verification/formal/{file}")
    return Proof(symbol, group, "not specified", "none", lambda _: missing)


class UndecidedError(Exception):
    """The solver gave up."""


def valid(claim: z3.BoolRef, what: str, shown: Mapping[str, z3.ExprRef], *assume: z3.BoolRef) -> Refuted | None:
    """Prove by z3 that the claim holds for all values; a counterexample shows the terms in `shown`."""
    solver = z3.SolverFor("QF_BV")
    solver.add(*assume, z3.Not(claim))
    result = solver.check()
    if result == z3.unsat:
        return None
    if result != z3.sat:
        raise UndecidedError(f"{what}: {solver.reason_unknown()}")
    model = solver.model()
    return Refuted(what, {n: number(model.eval(t, model_completion=True)) for n, t in shown.items()})


def number(value: z3.ExprRef) -> str:
    """A value in hexadecimal with all its digits."""
    return f"0x{value.as_long():0{-(-value.size() // 4)}x}" if z3.is_bv_value(value) else str(value)


def same_polynomials(design: Bits, wanted: Bits, what: str, shown: Mapping[str, Bits]) -> Refuted | None:
    """Compare the normal forms of two terms. If they differ, a solver looks for values that distinguish them."""
    design, wanted = z3.simplify(design), z3.simplify(wanted)
    reader = Reader()
    if reader.bits(design) == reader.bits(wanted):
        return None
    return valid(design == wanted, what, {**shown, "design": design, "specification": wanted})
