"""The loops of a program that can be optimised."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lutra.asm.analysis.graph import Graph
from lutra.asm.analysis.schedule import pieces
from lutra.asm.registers.allocate import Allocation


@dataclass(frozen=True)
class Loop:
    """A `repeat` at a program address, with the first and last word of its body; cycles: of a pass after the first."""

    repeat: int
    first: int
    last: int
    cycles: int


def innermost(allocation: Allocation, graph: Graph, entries: set[int], rounds: int = 2) -> Iterator[Loop]:
    """Yield the loops whose body has no transfer of control, in order. graph: of the words as they are executed."""
    turns = {p.first: p for p in pieces(graph, entries, rounds) if p.turn}
    for last, begins in sorted(graph.loops.items()):
        for repeat in begins:
            piece = turns.get(repeat + 1)
            body = range(repeat + 1, last + 1)
            if piece is not None and piece.last == last and all(pc in allocation.locals for pc in body):
                yield Loop(repeat, repeat + 1, last, piece.end)
