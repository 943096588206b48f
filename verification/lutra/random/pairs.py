"""Pairs of accesses that meet: a write of a cell, and a read or another write of it a few instructions later.

They are those of the hazard table (`isa/hazards.td`), so that a new record there is met by the next program. What is
written is static: a loop repeats the same pair, and finds nothing by it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from lutra.isa import Access, Insn, Isa, Stall
from lutra.random.forms import weight_of
from lutra.random.words import Wish

if TYPE_CHECKING:
    from lutra.random.programs import Writer

# Distances around the least one without a stall; each is as frequent as it is here.
AROUND = (-1, -1, 0, 0, 0, 1)
# How often nothing between the two waits itself.
QUIET = 0.6
# A count that a loop may have by chance.
FEW_TURNS = 64


@dataclass(frozen=True)
class Pair:
    """Two accesses of a hazard and the least distance without a stall. cells: writers of each, and who comes later."""

    hazard: str
    distance: int
    write: Access
    later: Access
    cells: tuple[tuple[int, Sequence[Insn], Sequence[Insn]], ...]

    def any_distance(self, rng: random.Random) -> int:
        """One around the critical distance, or nearer."""
        if rng.random() < 0.2:
            return rng.randint(1, self.distance + 1)
        return max(1, self.distance + rng.choice(AROUND))

    def any_cell(self, rng: random.Random) -> tuple[int, Insn, Insn]:
        """A cell, who writes it, and who accesses it then."""
        cell, writers, others = rng.choice(self.cells)
        return cell, rng.choice(writers), rng.choice(others)


def pairs(isa: Isa, rounds: int, weights: Mapping[str, float]) -> tuple[Pair, ...]:
    """All pairs that instructions with a weight can make: each write of a hazard with each of its reads and writes.

    Two writes have to stay in their order, which the table takes for granted.
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
    """The accesses of a hazard that can be to one cell: of each write, with each read and each write."""
    of = isa.access_by_name
    both = product(stall.writes, (*stall.reads, *stall.writes))
    return [(of[w], of[r]) for w, r in both if of[w].resource == of[r].resource]


def _makers(insns: Sequence[Insn], access: Access, cell: int) -> list[Insn]:
    return [i for i in insns if cell in i.accesses.get(access.name, ())] if access.ways[cell] else []


def pair(writer: Writer, room: int, budget: int) -> int:
    """Two accesses that meet, at a distance around the least one without a stall; returns what is retired at most."""
    if not writer.made.pairs:
        return writer.plain()
    chosen = writer.rng.choice(writer.made.pairs)
    cell, first, later = chosen.any_cell(writer.rng)
    used = _access(writer, first, chosen.write, cell)
    if not used:
        return writer.plain()
    quiet = writer.rand() < QUIET
    for _ in range(chosen.any_distance(writer.rng) - 1):
        writer.emit(writer.made.control.nop if quiet or writer.rand() < QUIET else _any_vector(writer))
        used += 1
    return used + _access(writer, later, chosen.later, cell)


def _any_vector(writer: Writer) -> int:
    word = None
    while word is None:
        insn = writer.made.plain(writer.rand())
        word = writer.vectors.vector(writer.made.forms[insn.name]) if insn.vector else None
    return word


def _access(writer: Writer, insn: Insn, access: Access, cell: int) -> int:
    """An instruction that accesses a cell; returns what is retired at most, 0 where it cannot be here."""
    legal = {contents.field: contents.codes for contents in insn.facts.contents}
    ways = [w for w in access.ways[cell] if all(v in legal.get(field, (v,)) for field, v in w.fields.items())]
    if not ways:
        return 0
    way = writer.rng.choice(ways)
    wish = {field: value for field, value in way.fields.items() if field in insn.fields}
    if not insn.vector:
        return _control_access(writer, insn, wish)
    target = wish.get("ad", -1)
    if target >= 0:
        if target not in writer.addresses.free():
            return 0
        wish["ra"] = writer.vectors.zero  # an address that is legal everywhere
    word = writer.vectors.vector(writer.made.forms[insn.name], wish)
    if word is None:
        return 0
    writer.emit(word)
    if target >= 0:
        writer.addresses.assign(target, 0, 0, True)
    return 1


def _control_access(writer: Writer, insn: Insn, wish: Wish) -> int:
    """The same of a control instruction; a transfer leads to what comes after it."""
    repeats = insn.facts.sq == "SqRepeatAr"
    if repeats:
        many = writer.addresses.registers[wish["as"]].high > FEW_TURNS
        if many or writer.loops == writer.isa.machine["LoopDepth"]:
            return 0
    word = writer.made.control.accessing(insn, writer, wish)
    if word is None:
        return 0
    at = writer.emit(word)
    if repeats:
        writer.emit(writer.made.control.nop)
        writer.end(at)
        return 1 + FEW_TURNS
    if "e" in insn.fields:
        writer.lead(at, len(writer.words))
        writer.joined = len(writer.words)
    return 1
