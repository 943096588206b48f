"""The machine on words of unknown bits: state, and vector instructions around their generated paths.

The twin of iss/src/execute_vector.hpp, without time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, reduce
from operator import attrgetter, xor
from types import SimpleNamespace
from typing import Any, ClassVar

from lutra.isa import load
from lutra.isa.paths import PATHS
from lutra.prove import functions
from lutra.prove.affine import Affine
from lutra.prove.atoms import Bit, current
from lutra.prove.atoms import Word as Atoms
from lutra.prove.bits import ZERO, Bits, Table, is_zero, join
from lutra.prove.errors import Meets, Reaches, Refuted, Unprovable
from lutra.prove.hash_unit import HashUnit
from lutra.prove.layers import Layered
from lutra.prove.memory import ROW, Bank, Memory
from lutra.prove.renaming import Renaming
from lutra.prove.splits import Split, few
from lutra.prove.stream import Context, Port
from lutra.prove.words import Slot, Word

ADDRESSES = 1 << load().machine["AddressBits"]
LANE = 16  # bits of a length


@cache
def code(record: str) -> int:
    """The code of a vector operand with a role of its own."""
    return load().vector(record).code


@cache
def _operands(name: str) -> Callable[[Any], tuple[object, ...]] | None:
    """The operands that the path of an instruction names; None where it uses a stream context, or the sum of the hash
    unit."""
    names = PATHS[name].__code__.co_names
    if {"stream", "gy"} & {*names}:
        return None
    return attrgetter("a", "n", *(each for each in ("b", "c", "w", "k0", "k1", "d") if each in names))


def valued(word: Bits, values: Mapping[int, Bit]) -> Bits:
    """A word whose bits are sums of atoms, where some of these have values."""
    known = frozenset(values)
    if not any(bit & known for bit in word):
        return word
    return Bits(reduce(xor, (values[atom] for atom in bit & known), bit - known) for bit in word)


@dataclass
class Loop:
    """A repeated body: its first and last word, and the passes that remain."""

    start: int
    end: int
    remaining: int


@dataclass
class Machine:
    """The state of the machine.

    lengths: public numbers; the key of each is its lane, of 16 bits that are unknown. length: the place of the lanes
    that the host has written. shown: the bytes of lanes whose value is known in a case. ranges: of the symbols in
    addresses. reveals: bits on which the way through the program may depend. revealed: those on which it has depended.
    inductive: a loop of a known number of passes is one of any number if it has so many; none is if it is zero.
    divides: a length that is shifted becomes a quotient and a remainder. skims: instructions only move the address
    registers. vague: a read that may meet other bytes finds anything there; else it is not executed. blocks: the
    functions of the datapath's blocks.
    """

    blocks: ClassVar[Any] = functions

    vectors: dict[int, Bits] = field(default_factory=dict)
    address: list[Affine | None] = field(default_factory=lambda: [None] * 8)
    step: list[int | None] = field(default_factory=lambda: [None] * 8)
    window: list[tuple[int, int] | None] = field(default_factory=lambda: [None] * 8)
    counter_bytes: int = 16
    flag: Bits | None = None
    hash: HashUnit = field(default_factory=HashUnit)
    contexts: list[Context] = field(default_factory=lambda: [Context(), Context()])
    memories: list[Memory] = field(default_factory=list)
    banks: list[Bank] = field(default_factory=lambda: [Bank("t0"), Bank("t1")])
    pc: int = 0
    loops: list[Loop] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    lengths: dict[Atoms, Affine] = field(default_factory=dict)
    length: tuple[int, int] | None = None
    shown: dict[tuple[int, int], Bits] = field(default_factory=dict)
    ranges: dict[str, tuple[int, int]] = field(default_factory=dict)
    reveals: frozenset[Bit] = frozenset()
    revealed: dict[Bit, Bit] = field(default_factory=dict)
    inductive: int = 0
    divides: bool = False
    skims: bool = False
    vague: bool = False

    def copy(self) -> Machine:
        """A machine of its own in the same state."""
        return Machine(
            **vars(self)
            | {
                "vectors": dict(self.vectors),
                "address": list(self.address),
                "step": list(self.step),
                "window": list(self.window),
                "hash": self.hash.copy(),
                "contexts": [c.copy() for c in self.contexts],
                "memories": [m.copy() for m in self.memories],
                "banks": [b.copy() for b in self.banks],
                "loops": [Loop(**vars(loop)) for loop in self.loops],
                "calls": list(self.calls),
                "lengths": dict(self.lengths),
                "shown": dict(self.shown),
                "ranges": dict(self.ranges),
                "revealed": dict(self.revealed),
            }
        )

    def restrict(self, name: str, value: Affine) -> None:
        """From here on a symbol has a value."""
        self.address = [a and a.with_(name, value) for a in self.address]
        lengths = {word: n.with_(name, value) for word, n in self.lengths.items()}
        found = {word: n.constant for word, n in lengths.items() if n.known and not self.lengths[word].known}
        self.lengths = lengths
        for memory in self.memories:
            memory.restrict(name, value)
        if found and self.length is not None:
            self._show(found, *self.length)

    def _show(self, found: Mapping[Atoms, int], block: int, at: int) -> None:
        """Let lanes of the length whose values are known have these, also where registers have them."""
        lanes = [(word, Bits.number(value, len(word))) for word, value in found.items()]
        values = {atom: one for lane in lanes for bit, one in zip(*lane, strict=True) for atom in bit}
        memory, known = self.memories[block], frozenset(values)
        for n, word in self.vectors.items():
            self.vectors[n] = valued(word, values)
        for place in range(at, at + ROW):
            byte = memory.known(Affine(place))
            if byte is not None and any(bit & known for bit in byte):
                self.shown[block, place] = valued(byte, values)
                memory.replace((), place, self.shown[block, place])

    def with_lengths(self) -> Renaming:
        """Words in which lengths that are known have their values."""
        atoms, known = current(), {}
        for word, length in self.lengths.items():
            for bit, value in zip(word, Bits.number(length.constant, len(word)) if length.known else (), strict=False):
                if len(bit) == 1:
                    known[atoms.atoms[min(bit)].name] = value  # type: ignore[union-attr]
        return Renaming(atoms, known.get)

    def register(self, n: int) -> Affine:
        """An address register. Unprovable where nothing has set it."""
        value = self.address[n]
        if value is None:
            raise Unprovable(f"ar{n} is used before it is set")
        return value

    def vector(self, number: int) -> Bits:
        """A vector register, unknown if nothing has set it."""
        if number == code("ZERO"):
            return ZERO
        if number not in self.vectors:
            self.vectors[number] = Bits.unknown(("vector", number), 128)
        return self.vectors[number]

    def wrapped(self, value: Affine) -> Affine:
        """A sum modulo 2^16; Unprovable where it may or may not exceed that."""
        if value.known:
            return Affine(value.constant % ADDRESSES)
        low, high = value.range(self.ranges)
        turns = low // ADDRESSES
        if turns != high // ADDRESSES:
            raise Unprovable(f"an address register may wrap at {value}")
        return value - turns * ADDRESSES

    # ------------------------------------------------------------------ vector instructions

    def execute(self, word: Word) -> None:
        """A vector instruction. Refuted where it traps."""
        facts = word.insn.facts
        data, store = word.data if facts.data else None, word.store if facts.store else None
        if self.skims:
            for slot in (word.key if facts.key_blocks else None, data, store):
                self._modify(slot)
            return
        places = [self._at(slot) for slot in (word.key if facts.key_blocks else None, data, store)]
        space = next(s for s in load().spaces if s.code == word["sb"])
        self._check(word, places, space.banks)
        keys = {n: self._read(n, places[0]) for n in facts.key_blocks if places[0] is not None}
        row = self._read(word["db"], places[1]) if places[1] is not None else ZERO
        if data:
            self.vectors[code("ROW")] = row
        increments = word["ra"] == code("CTRINC") and "ra" in word.insn.fields
        o = _Operands(
            hash=self.hash,
            a=self._source(word),
            b=self.vector(word["rb"]),
            c=self.vector(word["rc"]) if facts.third else ZERO,
            w=self.vector(code("WK")) if word["w"] else ZERO,
            k0=keys.get(0, ZERO),
            k1=keys.get(1, ZERO),
            d=row,
            n=word["n"],
            zero=ZERO,
            tables=_Tables(self.banks),
            stream=Port(self.contexts, word["c"], word["o"], word["n"]),
        )
        move = load().moves[word["mv"]].record if facts.move else "MoveNone"
        if move in ("MoveHoldRow", "MoveHoldCtr"):
            self.vectors[code("HOLD")] = row if move == "MoveHoldRow" else self.vector(code("CTR"))
        if increments or move == "MoveHoldCtr":
            self._increment()
        for slot in (word.key if facts.key_blocks else None, data, store):
            self._modify(slot)
        stored = self.vector(word["rc"]) ^ row if facts.move else ZERO
        x, partner = self._path(word, o)
        if current().names.known:
            found = current().names.found
            x, partner = Bits(found(x)), partner and Bits(found(partner))
        self._finish(word, x, partner)
        if facts.res == "Scatter":
            raise Unprovable("a table is written at rows that depend on data")
        if store:
            place = places[2]
            assert place is not None
            self._put(word, stored if facts.move else x, space.blocks, space.banks, place)
        if facts.beside == "g" and word["g"]:
            self.hash.end("PrimeStep", x, row)
        if facts.beside == "h":
            self.hash.beside(word["h"], stored, row)
        if facts.hashes:
            self.hash.end(facts.res, x, row)

    def _path(self, word: Word, o: _Operands) -> tuple[Bits, Bits | None]:
        """The result of a path, made once for equal operands and tables if it depends on nothing else."""
        path = PATHS[word.insn.name]

        def result() -> tuple[Bits, Bits | None]:
            return path(self.blocks, o)

        if (operands := _operands(word.insn.name)) is None:
            return result()
        banks = (bank.contents for bank in self.banks)
        key = path, self.blocks, operands(o), *banks
        made: tuple[Bits, Bits | None] = current().results.once(key, result)
        return made

    def _source(self, word: Word) -> Bits:
        if word.insn.facts.src == "FromAddress":
            return self.number(self.register(word["as"]))
        return self.vector(code("CTR") if word["ra"] == code("CTRINC") else word["ra"])

    def number(self, value: Affine) -> Bits:
        """A length or an address as a row. A length, or its double or more, has the bits that the host has written."""
        for word, length in self.lengths.items() if not value.known else ():
            for n in range(LANE):
                if value == length * (1 << n):
                    return join((ZERO[: 128 - LANE], Bits(word))) << n
        total = Bits.number(value.constant, 128)
        for name, n in value.terms:
            for _ in range(abs(n)):
                symbol = join((ZERO[:112], Bits.unknown(("number", name), 16)))
                total = total + symbol if n > 0 else total - symbol
        return total

    def _at(self, slot: Slot | None) -> Affine | None:
        if slot is None:
            return None
        return Affine(slot.address) if slot.pattern is None else self.register(slot.register)

    def _check(self, word: Word, places: list[Affine | None], banks: tuple[int, ...]) -> None:
        """Refuted where an access traps."""
        for at, table in zip(places, (False, False, bool(banks)), strict=True):
            if at is None:
                continue
            if not self.memories[0].check(at, ROW, self.ranges):
                raise Refuted(f"{word.insn.mnemonic} accesses {at}, which may lie outside of its memory")
            if table and (not at.known or at.constant % ROW):
                raise Unprovable(f"a table is written at {at}")

    def _read(self, block: int, at: Affine) -> Bits:
        memory = self.memories[block]
        if isinstance(memory, Layered):
            return memory.row(self.memories, at, self.ranges)
        if not memory.arrays:
            try:
                return memory.read(at, self.ranges)
            except Meets:
                if not self.vague:
                    raise
        return join(self._byte(memory, at + i) for i in range(ROW))

    def _byte(self, memory: Memory, at: Affine) -> Bits:
        """A byte of a memory that has arrays, or where it may meet others: what is not found may be anything."""
        if (byte := memory.known(at)) is not None:
            return byte
        if (parts := memory.part(at, self.ranges)) is not None:
            return reduce(xor, (self.memories[block].first(where, 1) for block, where in parts))
        for name, _ in at.terms:
            if few(name, self.ranges) and not name.startswith("pass"):
                raise Split(name)
        return memory.anything(at)

    def _modify(self, slot: Slot | None) -> None:
        if slot is None or slot.pattern is None or not slot.pattern.modifies:
            return
        delta = load().delta(slot.pattern)
        step = self.step[slot.register] if delta.steps else 0
        if step is None:
            raise Unprovable(f"the step of ar{slot.register} is used before it is set")
        signed = step - ADDRESSES if step >= ADDRESSES // 2 else step
        moved = self.wrapped(self.register(slot.register) + delta.change(ROW, signed))
        wrap = load().wrap(slot.pattern)
        if wrap.comparison:
            moved = self._reloaded(slot.register, moved, wrap.comparison)
        self.address[slot.register] = moved

    def _reloaded(self, register: int, moved: Affine, comparison: str) -> Affine:
        if (window := self.window[register]) is None:
            raise Unprovable(f"the window of ar{register} is used before it is set")
        start, end = window
        ends = {at >= end if comparison == ">=" else at <= end for at in moved.range(self.ranges)}
        if len(ends) > 1:
            raise Reaches(f"ar{register} may reach the end of its window")
        return Affine(start) if ends == {True} else moved

    def _increment(self) -> None:
        counter = self.vector(code("CTR"))
        width = 8 * self.counter_bytes
        self.vectors[code("CTR")] = join((counter[: 128 - width], counter[128 - width :] + 1))

    def _finish(self, word: Word, x: Bits, partner: Bits | None) -> None:
        """The end of the path: registers, flag, address register."""
        facts = word.insn.facts
        if facts.res == "ToAddress":
            self.address[word["ad"]] = self.public(x[16 * word["n"] : 16 * word["n"] + 16])
        elif facts.res == "SetFlag":
            self.flag = is_zero(x)
        elif facts.destination:
            if word["rd"] != code("NONE"):
                self.vectors[word["rd"]] = x
            if facts.destination == "pair":
                assert partner is not None
                self.vectors[word["rd"] + 1] = partner

    def public(self, lane: Bits) -> Affine:
        """A lane as an address. Refuted where it depends on anything but lengths."""
        if lane.known:
            return Affine(lane.value)
        for length, value in self.lengths.items():
            # A length, or its double or more, of which no bit is lost.
            for n in range(next(n for n, bit in enumerate(length) if bit) + 1):
                if lane == Bits(length) << n:
                    return value * (1 << n)
        raise Refuted("an address register takes a value that depends on data, so the time may depend on it")

    def _put(self, word: Word, x: Bits, blocks: tuple[int, ...], banks: tuple[int, ...], at: Affine) -> None:
        """Store a row, or one lane of it."""
        lane = word["n"] if word.insn.facts.res == "WriteLane" else None
        for block in blocks:
            part, place = (x, at) if lane is None else (x[8 * lane : 8 * lane + 8], at + lane)
            self.memories[block].write(place, part, self.ranges)
        for bank in banks:
            n = at.constant // ROW
            if lane is None:
                self.banks[bank].write(n, x)
            else:
                old = self.banks[bank].row(n)
                self.banks[bank].write(n, join((old[: 8 * lane], x[8 * lane : 8 * lane + 8], old[8 * lane + 8 :])))


class _Operands(SimpleNamespace):
    """Operands of a path; the sum of the hash unit is made when one does."""

    @property
    def gy(self) -> Bits:
        sum_: Bits = self.hash.gy
        return sum_


class _Tables:
    """The tables of both banks, made when a path looks up."""

    def __init__(self, banks: list[Bank]) -> None:
        self._banks = banks

    def __getitem__(self, n: int) -> list[Table]:
        return self._banks[n].tables
