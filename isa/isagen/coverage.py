"""The coverpoints: what is counted, and which bins the description makes possible.

A coverpoint is a cross of dimensions. Its bins are those combinations that a legal program of the machine can reach;
all others are impossible, and reaching one is an error. What a collector sees it computes itself
(verification/collector/coverage.cpp); what there is to see stands here, made from the description alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

from isagen.description import Access, Hazard, Insn
from isagen.hazards import FILE, LATE, Hazards
from isagen.model import Isa
from isagen.records import InsnFacts, Pattern, Space

ABSENT = "-"
Bin = tuple[str, ...]

# Immediates that have a bin for every value; of wider ones the ends are told apart.
EVERY_VALUE = 256
FIRST_VALUE, BETWEEN, LAST = "0", "between", "last"
SLOTS = {"key": "ks", "data": "ds", "store": "ss"}
REPEATS = ("SqRepeat", "SqRepeatAr")


@dataclass(frozen=True)
class Dimension:
    """One side of a cross. enum: the collector knows the labels by name."""

    name: str
    labels: Bin
    enum: bool = False


@dataclass(frozen=True)
class Coverpoint:
    """A coverpoint; `bins` yields the possible combinations with ROUNDS_PER_INSTR = 1 or 2."""

    name: str
    text: str
    dimensions: tuple[Dimension, ...]
    bins: Callable[[int], Iterable[Bin]] = field(compare=False)

    def index(self, labels: Bin) -> int:
        """Place of a combination in the collector's table, the last dimension fastest."""
        place = 0
        for dimension, label in zip(self.dimensions, labels, strict=True):
            place = place * len(dimension.labels) + dimension.labels.index(label)
        return place

    @property
    def size(self) -> int:
        size = 1
        for dimension in self.dimensions:
            size *= len(dimension.labels)
        return size


class Plan:
    """All coverpoints of a description."""

    def __init__(self, isa: Isa) -> None:
        self.isa = isa
        self.hazards = Hazards(isa)
        m = isa.machine
        self.vector_registers = [v.name for v in isa.vectors if v.code < m["VectorRegs"]]
        self.address_registers = list(isa.register_files["AddressRegister"].names)
        self.spaces = [s for s in isa.spaces if s.blocks or s.banks]
        memories = [s.name for s in self.spaces if s.blocks]
        tables = [s.name for s in self.spaces if s.banks]
        contexts = list(isa.register_files["StreamContext"].names)
        self.context_sets = (*contexts, ":".join(contexts))
        kinds = dict.fromkeys(self.kind_of(v.code) for v in isa.vectors if v.source)
        ends = dict.fromkeys(self.kind_of(v.code) for v in isa.vectors if v.destination)
        deepest = max(h.distance(r) for h in isa.hazards for r in (1, 2))
        self.insn = Dimension("instruction", tuple(i.record for i in isa.insns))
        self.source = Dimension("source", (ABSENT, *kinds))
        self.whitening = Dimension("whitening", (ABSENT, "wk"))
        self.destination = Dimension("destination", (ABSENT, *ends))
        self.space = Dimension("space", (ABSENT, *memories, *tables))
        self.slot = Dimension("slot", tuple(SLOTS), enum=True)
        self.addressing = Dimension("addressing", ("row", *(self.addressing_of(p) for p in isa.patterns)))
        self.byte = Dimension("byte", tuple(str(n) for n in range(m["VectorBytes"])))
        self.window = Dimension("window", ("inside", "at_end", "beyond"), enum=True)
        self.carry = Dimension("carry", ("none", "carry"), enum=True)
        self.pair = Dimension("slots", ("key_data", "key_store", "data_store"), enum=True)
        self.modifier = Dimension("modifier", ("neither", "first", "second"), enum=True)
        self.key = Dimension("key", (ABSENT, *self._key_sets()))
        self.role = Dimension("vector_role", ("a", "b", "destination", "partner", "moved", "third"), enum=True)
        self.vector = Dimension("register", tuple(self.vector_registers))
        self.address_role = Dimension("address_role", (*SLOTS, "source", "destination"), enum=True)
        self.address = Dimension("register", tuple(self.address_registers))
        self.value = Dimension("value", (*(str(n) for n in range(EVERY_VALUE)), BETWEEN, LAST))
        self.move = Dimension("move", (*(v.name for v in isa.moves), "store_sum"))
        besides = (self._facts(i).holds(self._facts(i).beside).high for i in isa.insns if self._facts(i).beside)
        self.beside = Dimension("beside", tuple(str(n) for n in range(max(besides, default=0) + 1)))
        self.contexts = Dimension("contexts", self.context_sets)
        self.shown = Dimension("shown", (ABSENT, *contexts))
        self.context = Dimension("context", tuple(contexts))
        self.row = Dimension("row", tuple(str(n) for n in range(len(isa.stream_rows))))
        self.gap = Dimension("gap", ("next", "later"), enum=True)
        self.hazard = Dimension("hazard", tuple(h.name for h in isa.hazards))
        self.producer = Dimension("producer", self._labels(self.hazards.writes()), enum=True)
        self.consumer = Dimension("consumer", self._labels(self.hazards.reads()), enum=True)
        self.distance = Dimension("distance", tuple(str(n) for n in range(1, deepest + 2)))
        self.operand = Dimension("operand", ("a", "b"), enum=True)
        self.result = Dimension("result", ("result", "partner"), enum=True)
        self.ready = Dimension("ready", tuple(s.name for s in self.hazards.forwarding))
        self.stage = Dimension("from", (*self.ready.labels, *map(LATE.format, self.ready.labels), FILE))
        self.loops = Dimension("loops", tuple(str(n) for n in range(m["LoopDepth"] + 1)))
        self.calls = Dimension("calls", tuple(str(n) for n in range(m["CallDepth"] + 1)))
        self.count = Dimension("count", ("zero", "one", "two", "many"), enum=True)
        self.body = Dimension("body", ("one", "two", "more"), enum=True)
        self.end = Dimension("end", ("elsewhere", "goes_back", "leaves"), enum=True)
        self.taken = Dimension("taken", ("taken", "not_taken"), enum=True)
        self.trap = Dimension("trap", tuple(t.name for t in isa.traps))
        self.meeting = Dimension("meeting", tuple(f"{o}+{t.name}" for t in isa.traps for o in t.yields_to), enum=True)
        self.place = Dimension("place", ("elsewhere", "loop_end"), enum=True)
        self.nesting = Dimension("nesting", ("at_end", "same_end", "before_body"), enum=True)
        self.reported = Dimension("reported", ("nesting", "overflow"), enum=True)
        self.effect = Dimension("effect", ("notify", "wait", "resume", "halt", "trap"), enum=True)
        self.inside = Dimension("inside", ("nothing", "loop", "call", "loop_call"))
        self.event = Dimension("event", ("start", "reset"), enum=True)
        self.state = Dimension("state", tuple(s.name for s in isa.states))
        self.width = Dimension("width", tuple(str(bits) for bits, _ in isa.widths))
        self.by = Dimension("by", ("operand", "move"), enum=True)
        self.wraps = Dimension("wraps", ("none", "carry", "wraps"), enum=True)
        self.flag = Dimension("flag", ("clear", "set"), enum=True)
        self.points = self._points()

    # ------------------------------------------------------------------ labels

    def kind_of(self, code: int) -> str:
        """Label of a vector code in a coverpoint: v0 to v7 are alike."""
        if code < self.isa.machine["VectorRegs"]:
            return "register"
        row = next(v for v in self.isa.vectors if v.code == code)
        return row.name or row.record.lower()

    def addressing_of(self, pattern: Pattern) -> str:
        return self.isa.register_files["AddressRegister"].prefix + pattern.suffix

    def dimensions(self) -> list[Dimension]:
        """Every dimension once, in the order of first use."""
        return list(dict.fromkeys(d for p in self.points for d in p.dimensions))

    def _key_sets(self) -> list[str]:
        sets = sorted({blocks for i in self.isa.described if (blocks := self._facts(i).key_blocks)})
        return [self.key_label(blocks) for blocks in sets]

    def key_label(self, blocks: tuple[int, ...]) -> str:
        names = {s.blocks[0]: s.name for s in self.spaces if s.is_single and s.blocks}
        return ":".join(names[b] for b in blocks)

    # ------------------------------------------------------------- instructions

    def legal(self, rounds: int) -> list[Insn]:
        """Instructions that the core with this ROUNDS_PER_INSTR has."""
        return [i for i in self.isa.insns if rounds == 2 or not self._facts(i).two_rounds]

    def _facts(self, insn: Insn) -> InsnFacts:
        return self.isa.facts[insn.record]

    def _sources(self, insn: Insn, name: str) -> list[str]:
        source = self._facts(insn).source(name)
        if source is None:
            return [ABSENT]
        rows = [v for v in self.isa.vectors if (v.source if name == "ra" else v.source and v.second_source)]
        return list(dict.fromkeys(self.kind_of(v.code) for v in rows if v.record != "ROW" or source.row))

    def _whitening(self, insn: Insn) -> list[str]:
        return ["wk" if added else ABSENT for added in self._facts(insn).whitening]

    def _destinations(self, insn: Insn) -> list[str]:
        destination = self._facts(insn).destination
        if not destination:
            return [ABSENT]
        if destination == "pair":
            return ["register"]
        legal = self._facts(insn).holds("rd").codes
        return list(dict.fromkeys(self.kind_of(v.code) for v in self.isa.vectors if v.destination and v.code in legal))

    def _stores(self, insn: Insn) -> list[Space | None]:
        """Spaces that the store slot can name; a memory block that the key slot reads is not among them."""
        facts = self._facts(insn)
        if not facts.store:
            return [None]
        open_ = [s for s in self.spaces if not set(facts.key_blocks) & set(s.blocks)]
        return [*open_] if facts.store == "must" else [None, *open_]

    def _datas(self, insn: Insn) -> list[Space | None]:
        facts = self._facts(insn)
        if not facts.data:
            return [None]
        return [None, *(s for s in self.spaces if s.blocks and not set(facts.key_blocks) & set(s.blocks))]

    def _slots(self, insn: Insn) -> list[str]:
        return [slot for slot, name in SLOTS.items() if insn.field(name)]

    # --------------------------------------------------------------- hazards

    def _labels(self, accesses: Iterable[Access]) -> Bin:
        """Accesses in terms of coverage; for a way to store, each space that it can be to."""
        cells = ((a, c) for a in accesses for c in range(a.resource.cells))
        # One with a label keeps it where a configuration lacks who makes the access.
        return tuple(
            dict.fromkeys(label for a, c in cells for label in ([a.label] if a.label else self.hazards.labels(a, c)))
        )

    def _consumed(self, insn: Insn, rounds: int) -> Iterator[tuple[str, Hazard, list[str]]]:
        """(consumer, hazard, its producers) for all that an instruction can have to wait for."""
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

    @lru_cache(maxsize=2)  # noqa: B019 - there is one plan in a process
    def _written(self, rounds: int) -> list[tuple[Access, int]]:
        """Accesses with the cells that a legal instruction writes by them, and not by a later one too, which counts."""
        legal, writes = self.legal(rounds), self.hazards.writes()

        def last(insn: Insn, number: int) -> set[int]:
            access = writes[number]
            after = [a for a in writes[number + 1 :] if a.resource == access.resource]
            return self.hazards.cells(insn, access).difference(*(self.hazards.certain(insn, a) for a in after))

        return [(a, c) for n, a in enumerate(writes) for c in sorted({c for i in legal for c in last(i, n)})]

    def _distances(self, hazard: Hazard, rounds: int) -> list[str]:
        return [str(n) for n in range(1, hazard.distance(rounds) + 2)]

    def _hazard(self, rounds: int) -> Iterator[Bin]:
        for insn in self.legal(rounds):
            for consumer, hazard, producers in self._consumed(insn, rounds):
                for producer, distance in product(producers, self._distances(hazard, rounds)):
                    yield hazard.name, producer, consumer, distance

    def _insn_hazard(self, rounds: int) -> Iterator[Bin]:
        for insn in self.legal(rounds):
            for consumer, hazard, _ in self._consumed(insn, rounds):
                for distance in self._distances(hazard, rounds):
                    yield insn.record, consumer, hazard.name, distance

    def _bypass(self, rounds: int) -> Iterator[Bin]:
        for insn in self.legal(rounds):
            for consumer, hazard, producers in self._consumed(insn, rounds):
                if hazard.bypass:
                    stages = self.hazards.sources(hazard, rounds)
                    yield from product([consumer], [hazard.write.name], producers, stages)

    def _insn_bypass(self, rounds: int) -> Iterator[Bin]:
        for insn in self.legal(rounds):
            for consumer, hazard, _ in self._consumed(insn, rounds):
                if hazard.bypass:
                    yield from product([insn.record], [consumer], self.hazards.sources(hazard, rounds))

    # ------------------------------------------------------------ other bins

    def _operands(self, rounds: int) -> Iterator[Bin]:
        for i in self.legal(rounds):
            if self._facts(i).vector:
                yield from product([i.record], self._sources(i, "ra"), self._sources(i, "rb"), self._whitening(i))

    def _results(self, rounds: int) -> Iterator[Bin]:
        for i in self.legal(rounds):
            if self._facts(i).vector:
                stores = [s.name if s else ABSENT for s in self._stores(i)]
                yield from product([i.record], self._destinations(i), stores)

    def _slot_addressing(self, rounds: int) -> Iterator[Bin]:
        for i in self.legal(rounds):
            yield from product([i.record], self._slots(i), self.addressing.labels)

    def _slot_spaces(self, rounds: int) -> Iterator[tuple[str, Space]]:
        found: dict[tuple[str, str], Space] = {}
        for i in self.legal(rounds):
            if self._facts(i).key_blocks:
                for block in self._facts(i).key_blocks:
                    space = next(s for s in self.spaces if s.blocks == (block,))
                    found["key", space.name] = space
            found |= {("data", s.name): s for s in self._datas(i) if s}
            found |= {("store", s.name): s for s in self._stores(i) if s}
        for (slot, _), space in found.items():
            yield slot, space

    def _alignment(self, rounds: int) -> Iterator[Bin]:
        for slot, space in self._slot_spaces(rounds):
            yield from product([slot], [space.name], self.byte.labels[:1] if space.banks else self.byte.labels)

    def _modifying(self, wrapping: bool | None = None) -> list[Pattern]:
        none = next(d.name for d in self.isa.deltas if d.record == "DeltaNone")
        no_wrap = next(w.name for w in self.isa.wraps if w.record == "WrapNone")
        rows = [p for p in self.isa.patterns if p.delta != none]
        return rows if wrapping is None else [p for p in rows if (p.wrap != no_wrap) == wrapping]

    def _window(self, _rounds: int) -> Iterator[Bin]:
        for p in self._modifying(wrapping=True):
            yield from product([self.addressing_of(p)], self.slot.labels, self.window.labels)

    def _carry(self, _rounds: int) -> Iterator[Bin]:
        m = self.isa.machine
        row = m["VectorBytes"]
        last = row * max(m["MemoryRows"], m["TableRows"]) - row  # the highest address of an access
        deltas = {d.name: d for d in self.isa.deltas}
        for p in self._modifying():
            delta = deltas[p.delta]
            carries = delta.steps or delta.rows < 0 or last + delta.change(row, 0) >> m["AddressBits"]
            yield from product(
                [self.addressing_of(p)], self.slot.labels, self.carry.labels if carries else self.carry.labels[:1]
            )

    def _ports(self, rounds: int) -> Iterator[Bin]:
        for i in self.legal(rounds):
            if self._facts(i).vector:
                key = self.key_label(self._facts(i).key_blocks) or ABSENT
                for data, store in product(self._datas(i), self._stores(i)):
                    if not (data and store and set(data.blocks) & set(store.blocks)):
                        yield key, data.name if data else ABSENT, store.name if store else ABSENT

    def _registers(self, rounds: int) -> Iterator[Bin]:
        for role in ("a", "b", "destination"):
            yield from product([role], self.vector.labels)
        if any(self._facts(i).destination == "pair" for i in self.legal(rounds)):
            yield from product(["partner"], self.vector.labels[1::2])
        if any(self._facts(i).move for i in self.legal(rounds)):
            yield from product(["moved"], self.vector.labels)
        if any(self._facts(i).third for i in self.legal(rounds)):
            yield from product(["third"], self.vector.labels)

    def _immediates(self, rounds: int) -> Iterator[Bin]:
        for i in self.legal(rounds):
            f = i.field("n")
            if f is None:
                continue
            held = self._facts(i).holds("n")
            values = [str(n) for n in held.codes] if held.high < EVERY_VALUE else [FIRST_VALUE, BETWEEN, LAST]
            yield from product([i.record], values)

    def _beside(self, rounds: int) -> Iterator[Bin]:
        for i in self.legal(rounds):
            if field := self._facts(i).beside:
                yield from product([i.record], map(str, self._facts(i).holds(field).codes))

    def _move_bins(self, rounds: int) -> Iterator[Bin]:
        return product([i.record for i in self.legal(rounds) if self._facts(i).move], self.move.labels)

    def _lanes(self, rounds: int) -> Iterator[Bin]:
        for i in self.legal(rounds):
            if self._facts(i).res == "WriteLane":
                yield from product(self.byte.labels, [s.name for s in self._stores(i) if s])

    def _stream(self, rounds: int) -> Iterator[Bin]:
        for i in self.legal(rounds):
            if self._facts(i).clocks:
                shown = self.shown.labels[1:] if self._facts(i).context else [ABSENT]
                yield from product([i.record], self.contexts.labels, shown)

    def _rows(self, rounds: int) -> Iterator[Bin]:
        rows = [i.record for i in self.legal(rounds) if any(o.record == "ContextRow" for o in i.operands)]
        return product(rows, self.context.labels, self.row.labels)

    def _repeats(self, rounds: int) -> Iterator[Bin]:
        rows = [i.record for i in self.legal(rounds) if self._facts(i).sq in REPEATS]
        return product(rows, self.count.labels, self.body.labels)

    def _loop_ends(self, rounds: int) -> Iterator[Bin]:
        rows = [i.record for i in self.legal(rounds) if self._facts(i).sq not in REPEATS]
        return product(rows, self.end.labels[1:])

    def _branches(self, rounds: int) -> Iterator[Bin]:
        for i in self.legal(rounds):
            function = self._facts(i).sq
            if function in REPEATS:
                yield from product([i.record], self.taken.labels, self.end.labels[:1])
            elif function in ("SqJump", "SqCall", "SqReturn"):
                taken = self.taken.labels if self._facts(i).conditional else self.taken.labels[:1]
                yield from product([i.record], taken, self.end.labels)

    def _counter(self, rounds: int) -> Iterator[Bin]:
        by = self.by.labels if any(self._facts(i).move for i in self.legal(rounds)) else self.by.labels[:1]
        return product(self.width.labels, by, self.wraps.labels)

    def _host(self, _rounds: int) -> Iterator[Bin]:
        running = next(s.name for s in self.isa.states if s.record == "StateRunning")
        yield from product(["start"], [s for s in self.state.labels if s != running])
        yield from product(["reset"], self.state.labels)

    def _every(self, *dimensions: Dimension) -> Callable[[int], Iterable[Bin]]:
        return lambda _rounds: product(*(d.labels for d in dimensions))

    def _points(self) -> tuple[Coverpoint, ...]:
        def point(
            name: str, text: str, dims: tuple[Dimension, ...], bins: Callable[[int], Iterable[Bin]]
        ) -> Coverpoint:
            return Coverpoint(name, text, dims, bins)

        def full(name: str, text: str, *dims: Dimension) -> Coverpoint:
            return Coverpoint(name, text, dims, self._every(*dims))

        def spaces(rounds: int) -> Iterator[Bin]:
            return ((slot, s.name) for slot, s in self._slot_spaces(rounds))

        def compares(_rounds: int) -> Iterable[Bin]:
            return product(self.flag.labels)

        return (
            point("insn.operands", "instruction, kind of first and second source, whitening key",
                  (self.insn, self.source, Dimension("second", self.source.labels), self.whitening), self._operands),
            point("insn.results", "instruction, kind of destination register, space stored to",
                  (self.insn, self.destination, self.space), self._results),
            point("insn.addressing", "instruction, slot, addressing pattern",
                  (self.insn, self.slot, self.addressing), self._slot_addressing),
            point("insn.immediate", "instruction, value of its immediate: each, or of wide ones the ends",
                  (self.insn, self.value), self._immediates),
            point("insn.move", "instruction, what moves beside its path", (self.insn, self.move), self._move_bins),
            point("insn.beside", "instruction, what the hash unit does beside its path",
                  (self.insn, self.beside), self._beside),
            point("insn.hazard", "instruction, operand that may have to wait, hazard, distance",
                  (self.insn, self.consumer, self.hazard, self.distance), self._insn_hazard),
            point("insn.bypass", "instruction, operand, where its register comes from",
                  (self.insn, self.operand, self.stage), self._insn_bypass),
            point("insn.loop_end", "instruction that is a loop's last, whether the loop goes back",
                  (self.insn, self.end), self._loop_ends),
            point("hazard.distance", "hazard, producer, operand that may have to wait, distance",
                  (self.hazard, self.producer, self.consumer, self.distance), self._hazard),
            point("hazard.bypass", "operand, when the producer is ready, its result, where the register comes from",
                  (self.operand, self.ready, self.result, self.stage), self._bypass),
            point("memory.alignment", "slot, space, byte within a row at which the access begins",
                  (self.slot, self.space, self.byte), self._alignment),
            point("memory.ports", "block or blocks of the key slot, block of the data slot, space of the store slot",
                  (self.key, Dimension("data", self.space.labels), self.space), self._ports),
            point("memory.lane", "byte lane, space that it alone is stored to", (self.byte, self.space), self._lanes),
            point("address.window", "wrapping pattern, slot, where the step ends",
                  (self.addressing, self.slot, self.window), self._window),
            point("address.carry", "modifying pattern, slot, whether the sum leaves 16 bits",
                  (self.addressing, self.slot, self.carry), self._carry),
            full("address.shared", "two slots with one address register, which of them modifies it",
                 self.pair, self.modifier),
            full("address.register", "role, address register", self.address_role, self.address),
            point("vector.register", "role, vector register", (self.role, self.vector), self._registers),
            point("counter.increment", "width, by an operand or a move, how far the carry goes",
                  (self.width, self.by, self.wraps), self._counter),
            point("flag.compare", "what a compare finds", (self.flag,), compares),
            point("stream.clock", "instruction, contexts clocked, context shown",
                  (self.insn, self.contexts, self.shown), self._stream),
            point("stream.row", "instruction, context, row", (self.insn, self.context, self.row), self._rows),
            full("stream.switch", "contexts of a stream instruction, of the one before it, whether that is next to it",
                 self.contexts, Dimension("before", self.contexts.labels), self.gap),
            full("loop.depth", "depth of the loop stack and of the call stack after an instruction",
                 self.loops, self.calls),
            point("loop.repeat", "instruction, count, length of the body",
                  (self.insn, self.count, self.body), self._repeats),
            point("branch.taken", "transfer, taken or not, at a loop's end or elsewhere",
                  (self.insn, self.taken, self.end), self._branches),
            full("trap.cause", "cause, at a loop's end or elsewhere", self.trap, self.place),
            point("trap.slot", "slot whose access is out of range, space", (self.slot, self.space), spaces),
            full("trap.nesting", "rule of nesting that a REPEAT breaks, whether overflow is reported instead",
                 self.nesting, self.reported),
            full("trap.meeting", "two traps that apply to one instruction", self.meeting),
            full("host.effect", "effect, within loops and calls or not", self.effect, self.inside),
            point("host.control", "start or reset, state before it", (self.event, self.state), self._host),
        )  # fmt: skip
