"""Hazards as records: resources, the accesses to them, and which instruction waits for which (isa/hazards.td)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import product

from isagen.conditions import Condition
from isagen.description import Access, Hazard, Insn, Resource
from isagen.model import Isa
from isagen.records import Stage, Way
from isagen.selectors import Selector
from isagen.terms import TermError, condition, selector
from isagen.ways import both, way

# Where a source comes from when it is not bypassed; and that of a stage the result is XORed onto what leaves L0.
FILE = "file"
LATE = "{}_late"


class Hazards:
    """The hazards of a description, applied to its instructions.

    What is the same for all instructions is found once: the coverage plan asks for it a hundred thousand times.
    """

    def __init__(self, isa: Isa) -> None:
        self.isa = isa
        self._selectors: dict[str, Selector] = {}
        self._conditions: dict[str, list[Condition]] = {}
        self._labels: dict[tuple[str, int], list[str]] = {}
        self._cells: dict[tuple[int, str], tuple[Insn, set[int]]] = {}
        self._all_cells: dict[str, set[int]] = {}

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
        if access.record not in self._selectors:
            self._selectors[access.record] = selector(self.isa, access.resource, *access.cells)
        return self._selectors[access.record]

    def conditions(self, access: Access) -> list[Condition]:
        if access.record not in self._conditions:
            self._conditions[access.record] = [condition(self.isa, *term) for term in access.when]
        return self._conditions[access.record]

    def cells(self, insn: Insn, access: Access) -> set[int]:
        """Cells to which an instruction can make an access; empty where it cannot make it at all."""
        # A configuration reduces instructions, which keep their names. They are held, so that an identity is of one.
        key = id(insn), access.record
        if key not in self._cells:
            fits = all(c.fits(self.isa.facts[insn.record]) for c in self.conditions(access))
            self._cells[key] = insn, self.selector(access).cells(insn) if fits else set()
        return self._cells[key][1]

    def certain(self, insn: Insn, access: Access) -> set[int]:
        """Those of them to which every word of the instruction makes the access."""
        return {c for c in self.cells(insn, access) if not any(w.fields or w.slots for w in self.ways(access, c))}

    def ways(self, access: Access, cell: int) -> list[Way]:
        """How an instruction word that can make the access makes it to this cell."""
        found = self.selector(access).ways(cell)
        for c in self.conditions(access):
            found = [both(a, b) for a, b in product(found, c.ways())]
        return [both(w, way(label=access.label)) for w in found]

    def labels(self, access: Access, cell: int) -> list[str]:
        """Return the name of the access to a cell for coverage."""
        key = access.record, cell
        if key not in self._labels:
            self._labels[key] = list(dict.fromkeys(w.label for w in self.ways(access, cell)))
        return self._labels[key]

    def met(self, hazard: Hazard, resource: Resource) -> list[int]:
        """Cells of a resource that one instruction can write and another read, so that the hazard holds."""

        def all_of(accesses: tuple[Access, ...]) -> set[int]:
            return set().union(*(self._cells_of_all(a) for a in accesses if a.resource == resource))

        return sorted(all_of(hazard.writes) & all_of(hazard.reads))

    def _cells_of_all(self, access: Access) -> set[int]:
        """Cells to which any instruction can make an access."""
        if access.record not in self._all_cells:
            self._all_cells[access.record] = {c for i in self.isa.described for c in self.cells(i, access)}
        return self._all_cells[access.record]

    @cached_property
    def operands(self) -> Stage:
        """The stage beside which sources are chosen."""
        return self._stage("StageMEM")

    @cached_property
    def forwarding(self) -> tuple[Stage, ...]:
        """The stages from whose end a source can be taken; at the end of the last it is written."""
        return self._stage("StageX1"), self._stage("StageX2")

    def _stage(self, record: str) -> Stage:
        return next(s for s in self.isa.stages if s.record == record)

    def sources(self, hazard: Hazard, rounds: int) -> list[str]:
        """Where a source of a bypassed hazard comes from, by distance from the least on; farther away from the file.

        It is taken beside MEM from the end of a later stage or from the file; or where the result is not there yet,
        XORed on in the stage that the hazard reads in.
        """
        number = {s.record: s.two_rounds if rounds == 2 else s.one_round for s in self.isa.stages}
        operands, last = number[self.operands.record], number[self.forwarding[-1].record]
        found = []
        for distance in range(hazard.distance(rounds), last - operands + 1):
            in_time = operands + distance >= number[hazard.write.record]
            place = distance + (operands if in_time else number[hazard.read.record])
            stage = next(s.name for s in self.forwarding if number[s.record] == place)
            found.append(stage if in_time else LATE.format(stage))
        return [*found, FILE]

    def resources_of(self, hazard: Hazard) -> list[Resource]:
        """The resources that a hazard is about; a configuration can lack all registers of one."""
        return [r for r in dict.fromkeys(a.resource for a in hazard.writes) if self.met(hazard, r)]


def findings(isa: Isa) -> Iterator[str]:
    """Yield errors in the hazards of a description that is otherwise sound."""
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
    yield from _too_late(hazards, hazard)
    for rounds in (1, 2):
        if hazard.distance(rounds) < 1:
            yield f"its distance is {hazard.distance(rounds)} with ROUNDS_PER_INSTR = {rounds}; the least there is is 1"


def _too_late(hazards: Hazards, hazard: Hazard) -> Iterator[str]:
    """A source that has to be there at the end of MEM is not one that a hazard lets be XORed on later."""
    if hazard.read.two_rounds <= hazards.operands.two_rounds:
        return
    for access in hazard.reads:
        if access.cells[0] != "named":
            continue
        early = (i for i in hazards.isa.insns if hazards.isa.facts[i.record].early and hazards.cells(i, access))
        if insn := next(early, None):
            yield (
                f"{access.record} of {insn.record} ({insn.loc}) is read in {hazard.read.name}, and its path does more"
                f" with it than XOR before X1; it must be read in {hazards.operands.name}"
            )
