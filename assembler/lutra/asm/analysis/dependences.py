"""The order that two words keep, and how far apart they must issue."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from lutra.asm.analysis.interlock import touched
from lutra.asm.analysis.uses import Access, Effects, effects
from lutra.isa import load

# Units whose registers no word names: all of their words keep their order.
_HASH, _STREAM = "hash unit", "stream unit"


@dataclass(frozen=True)
class Cells:
    """Registers, flags, tables and units that a word reads and writes, and its rows; vector registers too.

    fixed: it must stay where it is, because control depends on it.
    """

    reads: frozenset[str]
    writes: frozenset[str]
    rows: tuple[Access, ...]
    store: Access | None
    fixed: bool


@lru_cache(maxsize=1 << 14)
def cells(word: int) -> Cells:
    """Return what a word reads and writes."""
    isa = load()
    insn, found = isa.decode(word), effects(word)
    if insn is None:
        return Cells(frozenset(), frozenset(), (), None, True)
    facts = insn.facts
    units = set()
    if facts.hashes or facts.reads_sum or (facts.beside and insn.get(word, facts.beside)):
        units.add(_HASH)
    if facts.stream:
        units.add(_STREAM)
    banks = _banks(found)
    reads = found.reads | frozenset(found.tables) | units
    writes = found.writes | units | (banks if found.store is not None else set())
    if facts.res == "Scatter":
        writes |= {isa.bank_by_number[0].name}
    return Cells(reads, writes, found.rows, None if banks else found.store, found.transfer)


def _banks(found: Effects) -> set[str]:
    """Return the table banks that a word stores to."""
    space = None if found.store is None else load().space_by_name[found.store.space]
    return set() if space is None else {load().bank_by_number[bank].name for bank in space.banks}


def ordered(first: Cells, second: Cells, ignore: Iterable[str] = ()) -> bool:
    """Whether two words must keep their order, but for the cells to ignore; memories are looked at by `meet`."""
    both = (first.writes & (second.reads | second.writes)) | (first.reads & second.writes)
    return first.fixed or second.fixed or not both <= frozenset(ignore)


def meet(first: Access, second: Access, apart: int | None) -> bool:
    """Whether two accesses may touch the same bytes.

    apart: bytes from the first address to the second one, if that is known from their registers.
    """
    if not {*first.space.split(":")} & {*second.space.split(":")}:
        return False
    if not first.register and not second.register:
        apart = second.address - first.address
    return apart is None or abs(apart) < load().machine["VectorBytes"]


def distance(first: int, second: int, rounds: int = 2) -> int:
    """Return the least number of cycles from a word to a later one that does not wait for it, but for registers.

    Registers that are named by fields of the words are looked at by `register_distance`.
    """
    reads = {place for place in touched(second).reads if place[1] != VECTORS}
    found = [gap[rounds - 1] for place, gap in touched(first).writes if place in reads]
    return max([1, *found])


VECTORS = "Registers"


def register_distance(first: int, written: str, second: int, read: str, rounds: int = 2) -> int:
    """Return the least number of cycles from a word that writes a vector register to one that reads the value.

    written, read: the register's name in each of the words, which may be another one in the end.
    """
    names = load().resource_by_record[VECTORS].cells
    to, of = names.index(written), names.index(read)
    hazards = {hazard for hazard, resource, cell in touched(second).reads if resource == VECTORS and cell == of}
    found = [
        gap[rounds - 1]
        for (hazard, resource, cell), gap in touched(first).writes
        if resource == VECTORS and cell == to and hazard in hazards
    ]
    return max([1, *found])
