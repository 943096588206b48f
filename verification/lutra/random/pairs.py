"""Pairs of accesses that meet: a write of a cell, and a read or another write of it a few instructions later.

They come from the hazard table (`isa/hazards.td`), so that the next program meets a new record there. A pair is static:
a loop repeats it, and finds nothing by that.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from lutra.isa import Access, Insn, Isa, Stall
from lutra.random.pickers import weight_of
from lutra.random.weights import AROUND


@dataclass(frozen=True)
class Pair:
    """Two accesses of a hazard and the least distance without a stall.

    cells: each with the instructions that write it, and those that come later.
    """

    hazard: str
    distance: int
    write: Access
    later: Access
    cells: tuple[tuple[int, Sequence[Insn], Sequence[Insn]], ...]

    def around(self, rng: random.Random) -> int:
        """Draw a distance around the critical one."""
        return max(1, self.distance + rng.choice(AROUND))

    def anywhere(self, rng: random.Random) -> int:
        """Draw a distance up to the critical one and one more."""
        return rng.randint(1, self.distance + 1)

    def any_cell(self, rng: random.Random) -> tuple[int, Insn, Insn]:
        """Draw a cell, an instruction that writes it, and one that accesses it then."""
        cell, writers, others = rng.choice(self.cells)
        return cell, rng.choice(writers), rng.choice(others)


def pairs(isa: Isa, rounds: int, weights: Mapping[str, float]) -> tuple[Pair, ...]:
    """Return all pairs that instructions with a weight can make: a write of a hazard and one of its reads or writes.

    The table takes for granted that two writes stay in their order.
    """
    found = []
    insns = [i for i in isa.instructions if (rounds > 1 or not i.facts.two_rounds) and weight_of(i, weights) > 0]
    for stall in isa.stalls:
        for write, later in met(isa, stall):
            cells = tuple(
                (cell, writers, others)
                for cell in range(len(write.ways))
                if (writers := _makers(insns, write, cell)) and (others := _makers(insns, later, cell))
            )
            if cells:
                found.append(Pair(stall.name, stall.distance[rounds - 1], write, later, cells))
    return tuple(found)


def met(isa: Isa, stall: Stall) -> list[tuple[Access, Access]]:
    """Return accesses of a hazard that can be to one cell: each write with each read and each write."""
    of = isa.access_by_name
    both = product(stall.writes, (*stall.reads, *stall.writes))
    return [(of[w], of[r]) for w, r in both if of[w].resource == of[r].resource]


def _makers(insns: Sequence[Insn], access: Access, cell: int) -> list[Insn]:
    return [i for i in insns if cell in i.accesses.get(access.name, ())] if access.ways[cell] else []
