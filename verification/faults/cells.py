"""The cells of a netlist: Yosys' own gates, as the truth tables that the engine evaluates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

FUNCTIONS: Mapping[str, Callable[[int, int, int], int]] = {
    "$_BUF_": lambda a, b, c: a,
    "$_NOT_": lambda a, b, c: 1 - a,
    "$_AND_": lambda a, b, c: a & b,
    "$_NAND_": lambda a, b, c: 1 - (a & b),
    "$_OR_": lambda a, b, c: a | b,
    "$_NOR_": lambda a, b, c: 1 - (a | b),
    "$_XOR_": lambda a, b, c: a ^ b,
    "$_XNOR_": lambda a, b, c: 1 - (a ^ b),
    "$_ANDNOT_": lambda a, b, c: a & (1 - b),
    "$_ORNOT_": lambda a, b, c: a | (1 - b),
    "$_MUX_": lambda a, b, c: b if c else a,
    "$_NMUX_": lambda a, b, c: 1 - (b if c else a),
    "$_AOI3_": lambda a, b, c: 1 - (a & b | c),
    "$_OAI3_": lambda a, b, c: 1 - ((a | b) & c),
}
# Ports of a gate's inputs, the lowest bit of the truth table first. C of a three-input gate is S of a multiplexer.
INPUTS = ("A", "B", "C", "S")
# What ABC maps to: gates that a cell library has, with at most three inputs.
GATES = "AND,NAND,OR,NOR,XOR,XNOR,ANDNOT,ORNOT,MUX,AOI3,OAI3"


@dataclass(frozen=True)
class Reset:
    """An asynchronous reset: the level at which it is active, and the flip-flop's value then."""

    active: int
    value: int


FLIP_FLOPS: Mapping[str, Reset | None] = {
    "$_DFF_P_": None,
    **{f"$_DFF_P{'NP'[active]}{value}_": Reset(active, value) for active in (0, 1) for value in (0, 1)},
}


def table(cell: str) -> int:
    """Return the truth table of a gate: bit i is its output for the inputs i."""
    function = FUNCTIONS[cell]
    return sum(function(i & 1, i >> 1 & 1, i >> 2) << i for i in range(8))
