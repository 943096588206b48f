"""Hazards as records: resources, the accesses to them, and which instruction waits for which (isa/hazards.td)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import product

from isagen.model import Access, Hazard, Insn, Isa, Resource
from isagen.records import Way
from isagen.terms import Condition, Selector, TermError, both, condition, selector, way


class Hazards:
    """What the description's hazards mean for its instructions."""

    def __init__(self, isa: Isa) -> None:
        self.isa = isa

    @cached_property
    def accesses(self) -> tuple[Access, ...]:
        """Every access that a hazard names, writes first."""
        writes = (w for h in self.isa.hazards for w in h.writes)
        reads = (r for h in self.isa.hazards for r in h.reads)
        return tuple(dict.fromkeys((*writes, *reads)))

    @cached_property
    def resources(self) -> tuple[Resource, ...]:
        """Every resource that a hazard is about."""
        return tuple(dict.fromkeys(a.resource for a in self.accesses))

    def writes(self) -> tuple[Access, ...]:
        """The accesses that a producer makes."""
        return tuple(dict.fromkeys(w for h in self.isa.hazards for w in h.writes))

    def reads(self) -> tuple[Access, ...]:
        """The accesses that may have to wait."""
        return tuple(dict.fromkeys(r for h in self.isa.hazards for r in h.reads))

    def selector(self, access: Access) -> Selector:
        return selector(self.isa, access.resource, *access.cells)

    def conditions(self, access: Access) -> list[Condition]:
        return [condition(self.isa, *term) for term in access.when]

    def cells(self, insn: Insn, access: Access) -> set[int]:
        """Cells to which an instruction can make an access; empty where it cannot make it at all."""
        if not all(c.fits(self.isa.facts[insn.record]) for c in self.conditions(access)):
            return set()
        return self.selector(access).cells(insn)

    def ways(self, access: Access, cell: int) -> list[Way]:
        """How an instruction word that can make the access makes it to this cell."""
        found = self.selector(access).ways(cell)
        for c in self.conditions(access):
            found = [both(a, b) for a, b in product(found, c.ways())]
        return [both(w, way(label=access.label)) for w in found]

    def labels(self, access: Access, cell: int) -> list[str]:
        """What coverage calls the access to a cell."""
        return list(dict.fromkeys(w.label for w in self.ways(access, cell)))

    def met(self, hazard: Hazard, resource: Resource, insns: tuple[Insn, ...] | None = None) -> list[int]:
        """Cells of a resource that one instruction can write and another read, so that the hazard holds."""

        def all_of(accesses: tuple[Access, ...]) -> set[int]:
            rows = self.isa.insns if insns is None else insns
            return {c for a in accesses if a.resource == resource for i in rows for c in self.cells(i, a)}

        return sorted(all_of(hazard.writes) & all_of(hazard.reads))

    def resources_of(self, hazard: Hazard) -> list[Resource]:
        """The resources that a hazard is about."""
        return list(dict.fromkeys(a.resource for a in hazard.writes))


def findings(isa: Isa) -> Iterator[str]:
    """What is wrong with the hazards of a description that is sound otherwise."""
    hazards = Hazards(isa)
    found = [(a.record, text) for a in isa.accesses for text in _access(hazards, a)]
    # What a hazard is about is known where all accesses are.
    found = found or [(h.record, text) for h in isa.hazards for text in _hazard(hazards, h)]
    for record, text in found:
        yield f"{isa.locs[record]}: {record}: {text}"


def _access(hazards: Hazards, access: Access) -> Iterator[str]:
    try:
        selected, conditions = hazards.selector(access), hazards.conditions(access)
    except TermError as error:
        yield str(error)
        return
    if access not in hazards.accesses:
        yield "no hazard is about this access"
    facts = hazards.isa.facts
    if not any(selected.cells(i) for i in hazards.isa.insns if all(c.fits(facts[i.record]) for c in conditions)):
        yield "no instruction makes this access"


def _hazard(hazards: Hazards, hazard: Hazard) -> Iterator[str]:
    if not hazard.writes or not hazard.reads:
        yield "a hazard needs accesses that write and accesses that read"
    written, read = ({a.resource for a in accesses} for accesses in (hazard.writes, hazard.reads))
    for resource in sorted(written ^ read, key=lambda r: r.record):
        yield f"resource {resource.record} is only {'written' if resource in written else 'read'}"
    for resource in sorted(written & read, key=lambda r: r.record):
        if not hazards.met(hazard, resource):
            yield f"no instruction reads a cell of {resource.record} that another writes"
    for rounds in (1, 2):
        if hazard.distance(rounds) < 1:
            yield f"its distance is {hazard.distance(rounds)} with ROUNDS_PER_INSTR = {rounds}; the least there is is 1"
