"""The description as a collector sees it: labels that it gives to dimensions, and what each instruction can do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

from isagen.coverage.dimension import ABSENT, SLOTS, Bin, Dimension, numbered
from isagen.description import Access, Hazard, Insn
from isagen.hazards import FILE, LATE, Hazards
from isagen.model import Isa
from isagen.records import InsnFacts, Pattern, Space

# Immediates that have a bin for every value; of wider ones the ends are told apart.
EVERY_VALUE = 256
FIRST_VALUE, BETWEEN, LAST = "0", "between", "last"
# Consumer, hazard and its producers.
Wait = tuple[str, Hazard, list[str]]


class View:
    """The parts that coverpoints are made of."""

    def __init__(self, isa: Isa) -> None:
        self.isa = isa
        self.hazards = Hazards(isa)
        self.spaces = [s for s in isa.spaces if s.blocks or s.banks]
        self._waits: dict[tuple[str, int], list[Wait]] = {}

    # ------------------------------------------------------------------ dimensions: instructions and operands

    @cached_property
    def insn(self) -> Dimension:
        return Dimension("instruction", tuple(i.record for i in self.isa.insns))

    @cached_property
    def source(self) -> Dimension:
        kinds = dict.fromkeys(self.kind_of(v.code) for v in self.isa.vectors if v.source)
        return Dimension("source", (ABSENT, *kinds))

    @cached_property
    def destination(self) -> Dimension:
        kinds = dict.fromkeys(self.kind_of(v.code) for v in self.isa.vectors if v.destination)
        return Dimension("destination", (ABSENT, *kinds))

    @cached_property
    def space(self) -> Dimension:
        memories = [s.name for s in self.spaces if s.blocks]
        return Dimension("space", (ABSENT, *memories, *(s.name for s in self.spaces if s.banks)))

    @cached_property
    def addressing(self) -> Dimension:
        return Dimension("addressing", ("row", *(self.addressing_of(p) for p in self.isa.patterns)))

    @cached_property
    def value(self) -> Dimension:
        return Dimension("value", (*map(str, range(EVERY_VALUE)), BETWEEN, LAST))

    @cached_property
    def move(self) -> Dimension:
        return Dimension("move", (*(v.name for v in self.isa.moves), "store_sum"))

    @cached_property
    def beside(self) -> Dimension:
        fields = ((i, self.facts(i).beside) for i in self.isa.insns)
        last = max((self.facts(i).holds(field).high for i, field in fields if field), default=0)
        return numbered("beside", range(last + 1))

    @cached_property
    def key(self) -> Dimension:
        sets = sorted({blocks for i in self.isa.described if (blocks := self.facts(i).key_blocks)})
        return Dimension("key", (ABSENT, *map(self.key_label, sets)))

    @cached_property
    def byte(self) -> Dimension:
        return numbered("byte", range(self.isa.machine["VectorBytes"]))

    # ------------------------------------------------------------------ dimensions: registers and state

    @cached_property
    def vector(self) -> Dimension:
        general = self.isa.machine["VectorRegs"]
        return Dimension("register", tuple(v.name for v in self.isa.vectors if v.code < general))

    @cached_property
    def address(self) -> Dimension:
        return Dimension("register", tuple(self.isa.register_files["AddressRegister"].names))

    @cached_property
    def width(self) -> Dimension:
        return numbered("width", (bits for bits, _ in self.isa.widths))

    @cached_property
    def context(self) -> Dimension:
        return Dimension("context", tuple(self.isa.register_files["StreamContext"].names))

    @cached_property
    def contexts(self) -> Dimension:
        return Dimension("contexts", (*self.context.labels, ":".join(self.context.labels)))

    @cached_property
    def shown(self) -> Dimension:
        return Dimension("shown", (ABSENT, *self.context.labels))

    @cached_property
    def row(self) -> Dimension:
        return numbered("row", range(len(self.isa.stream_rows)))

    @cached_property
    def loops(self) -> Dimension:
        return numbered("loops", range(self.isa.machine["LoopDepth"] + 1))

    @cached_property
    def calls(self) -> Dimension:
        return numbered("calls", range(self.isa.machine["CallDepth"] + 1))

    @cached_property
    def state(self) -> Dimension:
        return Dimension("state", tuple(s.name for s in self.isa.states))

    @cached_property
    def trap(self) -> Dimension:
        return Dimension("trap", tuple(t.name for t in self.isa.program_traps))

    @cached_property
    def fault(self) -> Dimension:
        return Dimension("fault", tuple(t.name for t in self.isa.traps if t.by_fault))

    @cached_property
    def found_faults(self) -> list[str]:
        """The traps by faults that an engine can inject, in a core that looks for them."""
        core = self.isa.configuration
        found = {"TrapContextFault": core.shadow_words, "TrapMemoryFault": core.protect}
        return [t.name for t in self.isa.traps if found.get(t.record)]

    @property
    def faulted(self) -> list[str]:
        """The state of a core that has found a fault, if it looks for any."""
        return [s.name for s in self.isa.states if s.record == "StateFaulted" and self.found_faults]

    @property
    def locked(self) -> list[str]:
        """The state after an escalation, if the core has a wipe."""
        return [s.name for s in self.isa.states if s.record == "StateLocked" and self.isa.configuration.wipe]

    @cached_property
    def meeting(self) -> Dimension:
        return Dimension(
            "meeting", tuple(f"{o}+{t.name}" for t in self.isa.program_traps for o in t.yields_to), enum=True
        )

    # ------------------------------------------------------------------ dimensions: hazards

    @cached_property
    def hazard(self) -> Dimension:
        return Dimension("hazard", tuple(h.name for h in self.isa.hazards))

    @cached_property
    def producer(self) -> Dimension:
        return Dimension("producer", self._labels(self.hazards.writes()), enum=True)

    @cached_property
    def consumer(self) -> Dimension:
        return Dimension("consumer", self._labels(self.hazards.reads()), enum=True)

    @cached_property
    def distance(self) -> Dimension:
        most = max(h.distance(rounds) for h in self.isa.hazards for rounds in (1, 2))
        return numbered("distance", range(1, most + 2))

    @cached_property
    def ready(self) -> Dimension:
        return Dimension("ready", tuple(s.name for s in self.hazards.forwarding))

    @cached_property
    def stage(self) -> Dimension:
        return Dimension("from", (*self.ready.labels, *map(LATE.format, self.ready.labels), FILE))

    def _labels(self, accesses: Iterable[Access]) -> Bin:
        """Return the labels of accesses; a way to store has one for each space that it can be to."""
        cells = ((a, c) for a in accesses for c in range(a.resource.cells))
        # One with a label keeps it where a configuration lacks who makes the access.
        return tuple(
            dict.fromkeys(label for a, c in cells for label in ([a.label] if a.label else self.hazards.labels(a, c)))
        )

    # ------------------------------------------------------------------ labels

    def kind_of(self, code: int) -> str:
        """Return what a vector code is to a coverpoint: v0 to v7 are alike."""
        if code < self.isa.machine["VectorRegs"]:
            return "register"
        row = next(v for v in self.isa.vectors if v.code == code)
        return row.name or row.record.lower()

    def addressing_of(self, pattern: Pattern) -> str:
        """Return the label of an addressing pattern."""
        return self.isa.register_files["AddressRegister"].prefix + pattern.suffix

    def key_label(self, blocks: tuple[int, ...]) -> str:
        """Return the label of the blocks that a key slot reads."""
        names = {s.blocks[0]: s.name for s in self.spaces if s.is_single and s.blocks}
        return ":".join(names[b] for b in blocks)

    # ------------------------------------------------------------------ instructions

    def facts(self, insn: Insn) -> InsnFacts:
        """Return what is computed of an instruction."""
        return self.isa.facts[insn.record]

    @lru_cache(maxsize=2)  # noqa: B019 - there is one view in a process
    def legal(self, rounds: int) -> list[Insn]:
        """Return the instructions that the core with this ROUNDS_PER_INSTR has."""
        return [i for i in self.isa.insns if rounds == 2 or not self.facts(i).two_rounds]

    def legal_vector(self, rounds: int) -> list[Insn]:
        """Return those that go through the vector datapath."""
        return [i for i in self.legal(rounds) if self.facts(i).vector]

    def stores(self, insn: Insn) -> list[Space | None]:
        """Return the spaces that the store slot can name, but for the memory blocks that the key slot reads."""
        facts = self.facts(insn)
        if not facts.store:
            return [None]
        free = [s for s in self.spaces if not set(facts.key_blocks) & set(s.blocks)]
        return [*free] if facts.store == "must" else [None, *free]

    def reads(self, insn: Insn) -> list[Space | None]:
        """Return the memory blocks that the data slot can name, but for those that the key slot reads."""
        facts = self.facts(insn)
        if not facts.data:
            return [None]
        return [None, *(s for s in self.spaces if s.blocks and not set(facts.key_blocks) & set(s.blocks))]

    def slot_spaces(self, rounds: int) -> Iterator[tuple[str, Space]]:
        """Return each slot with each space that it can name."""
        found: dict[tuple[str, str], Space] = {}
        for i in self.legal(rounds):
            for block in self.facts(i).key_blocks:
                space = next(s for s in self.spaces if s.blocks == (block,))
                found["key", space.name] = space
            found |= {("data", s.name): s for s in self.reads(i) if s}
            found |= {("store", s.name): s for s in self.stores(i) if s}
        for (slot, _), space in found.items():
            yield slot, space

    def slots(self, insn: Insn) -> list[str]:
        """Return the labels of the slots that an instruction has."""
        return [slot for slot, name in SLOTS.items() if insn.field(name)]

    # ------------------------------------------------------------------ hazards

    def waits(self, insn: Insn, rounds: int) -> list[Wait]:
        """Return all that an instruction can have to wait for."""
        key = insn.record, rounds
        if key not in self._waits:
            self._waits[key] = list(self._waits_of(insn, rounds))
        return self._waits[key]

    def _waits_of(self, insn: Insn, rounds: int) -> Iterator[Wait]:
        for hazard in self.isa.hazards:
            for read in hazard.reads:
                if not (cells := self.hazards.cells(insn, read)):
                    continue
                producers = [
                    label
                    for write, cell in self._written(rounds)
                    if write in hazard.writes and write.resource == read.resource and cell in cells
                    for label in self.hazards.labels(write, cell)
                ]
                if producers:
                    yield read.label, hazard, list(dict.fromkeys(producers))

    @lru_cache(maxsize=2)  # noqa: B019 - there is one view in a process
    def _written(self, rounds: int) -> list[tuple[Access, int]]:
        """Return accesses with the cells that a legal instruction writes by them, where no later write of it counts."""
        legal, writes = self.legal(rounds), self.hazards.writes()

        def last(insn: Insn, number: int) -> set[int]:
            access = writes[number]
            after = [a for a in writes[number + 1 :] if a.resource == access.resource]
            return self.hazards.cells(insn, access).difference(*(self.hazards.certain(insn, a) for a in after))

        return [(a, c) for n, a in enumerate(writes) for c in sorted({c for i in legal for c in last(i, n)})]
