"""Programs aimed at hazards: a write and a read of one cell, at a distance."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import product

from lutra.coverage.aimed.pieces import Aim, Code, Labels, Pieces
from lutra.coverage.words import NoSuchWordError
from lutra.isa import Access, Insn


class InsnHazard(Aim):
    point = "insn.hazard"

    def code(self, labels: Labels) -> Code:
        name, consumer, hazard, distance = labels
        return waiting(self.p, hazard, int(distance), name=name, consumer=consumer)


class InsnBypass(Aim):
    point = "insn.bypass"

    def code(self, labels: Labels) -> Code:
        name, operand, source = labels
        return _bypassed(self.p, operand, source, name=name, result="result")


class Distance(Aim):
    point = "hazard.distance"

    def code(self, labels: Labels) -> Code:
        hazard, producer, consumer, distance = labels
        return waiting(self.p, hazard, int(distance), consumer=consumer, producer=producer)


class Bypass(Aim):
    point = "hazard.bypass"

    def code(self, labels: Labels) -> Code:
        operand, ready, result, source = labels
        return _bypassed(self.p, operand, source, ready=ready, result=result)


def waiting(p: Pieces, hazard: str, distance: int, name: str = "", consumer: str = "", producer: str = "") -> Code:
    """Write a producer and a consumer of a hazard; empty names stand for any instruction or access."""
    insns = [p.words.by_name[name]] if name else p.words.insns
    write, read, cell = _meeting(p, insns, hazard, consumer, producer)
    producing = accessing(p, p.words.insns, write, cell, producer)
    consuming = accessing(p, insns, read, cell)
    # A transfer goes to what is after it.
    insn = next(i for i in insns if consuming & i.mask == i.match)
    if insn.facts.transfer and "e" in insn.fields:
        consuming = insn.insert(consuming, e=distance + 1)
    return [producing, *[p.words.nop] * (distance - 1), consuming]


def _meeting(
    p: Pieces, readers: Sequence[Insn], hazard: str, consumer: str, producer: str
) -> tuple[Access, Access, int]:
    """Draw a write of a hazard, a read by one of the readers, and a cell to which both are."""
    isa = p.isa
    stall = isa.stall_by_name[hazard]
    writes, reads = ([isa.access_by_name[a] for a in names] for names in (stall.writes, stall.reads))
    found = [
        (write, read, cell)
        for write, read in product(writes, reads)
        if write.resource == read.resource and consumer in ("", read.label)
        for cell in range(len(read.ways))
        if any(producer in ("", way.label) for way in write.ways[cell])
        and any(cell in i.accesses.get(write.name, ()) for i in p.words.insns)
        and any(cell in i.accesses.get(read.name, ()) for i in readers)
    ]
    if not found:
        raise NoSuchWordError
    return p.rng.choice(found)


def accessing(p: Pieces, insns: Sequence[Insn], access: Access, cell: int, label: str = "") -> int:
    """Draw a word that accesses a cell, in a way that has the label."""
    way = p.rng.choice([w for w in access.ways[cell] if label in ("", w.label)])
    insn = p.rng.choice([i for i in insns if cell in i.accesses.get(access.name, ())])
    wishes = {**way.fields, **{slot: p.words.slot() for slot in way.slots}}
    # What the encoding fixes is as it must be. An address register gets an address that is legal everywhere.
    wishes = {field: value for field, value in wishes.items() if field in insn.fields}
    if "ad" in wishes and "ra" in insn.fields:
        wishes["ra"] = p.words.zero
    return p.words.word(insn, **wishes)


def _bypassed(p: Pieces, operand: str, source: str, name: str = "", ready: str = "", result: str = "") -> Code:
    """Write a producer and a consumer at a distance at which the register comes from this source."""
    least = {s.name: s.distance[p.rounds - 1] for s in p.isa.stalls}
    ways = [
        (stall.name, least[stall.name] + beyond)
        for stall in p.isa.stalls
        if ready in ("", stall.ready)
        for beyond, way in enumerate(stall.sources[p.rounds - 1])
        if way == source
    ]
    p.rng.shuffle(ways)
    for hazard, distance in ways:
        with suppress(NoSuchWordError):
            return waiting(p, hazard, distance, name=name, consumer=operand, producer=result)
    raise NoSuchWordError
