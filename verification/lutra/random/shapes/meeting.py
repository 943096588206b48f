"""A pair of accesses that meet (`pairs`), at a distance around the least one without a stall."""

from __future__ import annotations

from lutra.isa import Access, Insn
from lutra.random.operands import Wish
from lutra.random.weights import CHANCE_TURNS
from lutra.random.writer import Writer


def pair(writer: Writer, room: int, budget: int) -> int:
    """Write two accesses that meet, and what is between them."""
    if not writer.made.pairs:
        return writer.plain()
    chosen = writer.rng.choice(writer.made.pairs)
    cell, first, later = chosen.any_cell(writer.rng)
    used = _access(writer, first, chosen.write, cell)
    if not used:
        return writer.plain()
    quiet = writer.chance("quiet")
    distance = (chosen.anywhere if writer.chance("any_distance") else chosen.around)(writer.rng)
    for _ in range(distance - 1):
        writer.emit(writer.made.control.nop if quiet or writer.chance("quiet") else _any_vector(writer))
        used += 1
    return used + _access(writer, later, chosen.later, cell)


def _any_vector(writer: Writer) -> int:
    word = None
    while word is None:
        insn = writer.made.plain(writer.rand())
        word = writer.vectors.vector(writer.made.forms[insn.name]) if insn.vector else None
    return word


def _access(writer: Writer, insn: Insn, access: Access, cell: int) -> int:
    """Write an instruction that accesses a cell; returns what is retired at most, 0 where it cannot be here."""
    legal = {contents.field: contents.codes for contents in insn.facts.contents}
    ways = [w for w in access.ways[cell] if all(v in legal.get(field, (v,)) for field, v in w.fields.items())]
    if not ways:
        return 0
    way = writer.rng.choice(ways)
    wish = {field: value for field, value in way.fields.items() if field in insn.fields}
    return _vector_access(writer, insn, wish) if insn.vector else _control_access(writer, insn, wish)


def _vector_access(writer: Writer, insn: Insn, wish: Wish) -> int:
    target = wish.get("ad", -1)
    if target >= 0:
        if target not in writer.addresses.free():
            return 0
        wish = {**wish, "ra": writer.vectors.zero}  # an address that is legal everywhere
    word = writer.vectors.vector(writer.made.forms[insn.name], wish)
    if word is None:
        return 0
    writer.emit(word)
    if target >= 0:
        writer.addresses.assign(target, 0, 0, True)
    return 1


def _control_access(writer: Writer, insn: Insn, wish: Wish) -> int:
    """Write an access of a control instruction; a transfer leads to what comes after it."""
    repeats = insn.facts.sq == "SqRepeatAr"
    if repeats:
        many = writer.addresses.registers[wish["as"]].high > CHANCE_TURNS
        if many or writer.loops == writer.isa.machine["LoopDepth"]:
            return 0
    word = writer.control.accessing(insn, wish)
    if word is None:
        return 0
    at = writer.emit(word)
    if repeats:
        writer.emit(writer.made.control.nop)
        writer.end(at)
        return 1 + CHANCE_TURNS
    if "e" in insn.fields:
        writer.lead(at, len(writer.words))
        writer.join()
    return 1
