"""Find what program words read and write: registers by name, and rows of memories and tables as far as known."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from lutra.isa import Bits, Insn, Isa, Pattern, load

# The memory slots by their names in the retirement record, and the fields of the word that hold them.
SLOTS = {"key": "ks", "data": "ds", "store": "ss"}
# Fields that say what is read and written; words that differ in others have the same effects.
_SELECT = frozenset(["ra", "rb", "rc", "rd", "w", "mv", "h", "as", "ad", "c", "o", "ks", "ds", "ss", "db", "sb"])
# Registers that a function of the address unit sets in addition to an address register; {} is the register's name.
_SETTINGS = {
    "AuSetStep": ("{}.step",),
    "AuSetWindow": ("{}.start", "{}.end"),
    "AuSetWidth": ("ctr.width",),
}


@dataclass(frozen=True)
class Access:
    """A row that a memory slot of an instruction reads or writes.

    slot: one of SLOTS. spaces: as in assembly; all blocks for the key slot. register: the address register, or "" if
    the word contains the address, in bytes.
    """

    slot: str
    space: str
    register: str
    address: int

    def at(self, registers: Mapping[str, Any]) -> int:
        """Return the address in bytes for given values of registers."""
        return int(registers[self.register]) if self.register else self.address


@dataclass(frozen=True)
class Reads:
    """The registers and rows that an instruction reads before it writes."""

    registers: tuple[str, ...]
    rows: tuple[Access, ...]


@dataclass(frozen=True)
class Effects:
    """The registers and rows that an instruction reads and writes, including those of its addressing.

    reads, writes: registers by name, with `ar1.step`, `ar1.start`, `ar1.end`, `ctr.width` and `flag`. moved: written
    registers that only advance from their old value. rows: rows read; tables: banks looked up. contexts: stream
    contexts written. store: the row written, or None; whole: all its bytes are written. transfer: its purpose is
    control flow.
    """

    reads: frozenset[str]
    writes: frozenset[str]
    moved: frozenset[str]
    rows: tuple[Access, ...]
    tables: tuple[str, ...]
    contexts: tuple[str, ...]
    store: Access | None
    whole: bool
    transfer: bool


@lru_cache(maxsize=1 << 12)
def instruction(word: int) -> Insn | None:
    """Return the instruction of a word; None if it is not one."""
    return load().decode(word)


class _Rules(NamedTuple):
    """The fields of an instruction: those of its slots, those with their legal codes, and the bits that select."""

    slots: tuple[Bits, ...]
    contents: tuple[tuple[Bits, Container[int]], ...]
    select: int


@lru_cache
def _rules(name: str) -> _Rules:
    """Return the rules of an instruction by the name of its record."""
    insn = next(i for i in load().instructions if i.name == name)
    contents = ((insn.fields[c.field], c.codes) for c in insn.facts.contents)
    others = sum(bits.top << bits.lsb for field, bits in insn.fields.items() if field not in _SELECT)
    return _Rules(
        tuple(insn.fields[field] for field in SLOTS.values() if field in insn.fields),
        tuple((bits, codes if isinstance(codes, range) else frozenset(codes)) for bits, codes in contents),
        ~(others & ~insn.mask),
    )


@lru_cache(maxsize=1 << 16)
def legal(word: int) -> bool:
    """Whether the fields of an instruction have legal values; any other word traps."""
    isa = load()
    insn = isa.decode(word)
    if insn is None:
        return False
    rules, layout = _rules(insn.name), isa.slot
    for slot in rules.slots:
        bits = slot.of(word)
        by_register = bits and not bits >> layout.row_flag & 1
        if by_register and (layout.zero.of(bits) or layout.pattern.of(bits) not in isa.pattern_by_code):
            return False
    return all(bits.of(word) in codes for bits, codes in rules.contents)


@lru_cache(maxsize=1 << 12)
def accesses(word: int) -> tuple[Access, ...]:
    """Yield the memory accesses of a word."""
    insn = instruction(word)
    return () if insn is None else tuple(_accesses(load(), insn, word))


def _accesses(isa: Isa, insn: Insn, word: int) -> Iterator[Access]:
    layout = isa.slot
    for slot, field in SLOTS.items():
        bits = insn.get(word, field) if field in insn.fields else 0
        if not bits:
            continue
        if bits >> layout.row_flag & 1:
            register, address = "", layout.row.of(bits) * isa.machine["VectorBytes"]
        else:
            register, address = isa.address_registers[layout.register.of(bits)], 0
        yield Access(slot, _space(isa, insn, word, slot), register, address)


def _space(isa: Isa, insn: Insn, word: int, slot: str) -> str:
    if slot == "key":
        return ":".join(isa.memory_by_block[b].name for b in insn.facts.key_blocks)
    if slot == "data":
        return isa.memory_by_block[insn.get(word, "db")].name
    return next(s.name for s in isa.spaces if s.code == insn.get(word, "sb"))


@lru_cache(maxsize=1 << 12)
def reads(word: int) -> Reads:
    """Return what a word reads, without the inputs of the stream unit and the tables, which are not registers."""
    insn = instruction(word)
    if insn is None:
        return Reads((), ())
    registers = dict.fromkeys(_registers(load(), insn, word))
    return Reads(tuple(registers), tuple(a for a in accesses(word) if a.slot != "store"))


def _registers(isa: Isa, insn: Insn, word: int) -> Iterator[str]:
    facts = insn.facts
    counter = isa.vector("CTR").name
    for source in facts.sources:
        vector = isa.vector_by_code[insn.get(word, source.field)]
        if source.enters and vector.name and vector.record != "ZERO":
            yield counter if vector.record == "CTRINC" else vector.name
    if facts.third:
        yield isa.vector_by_code[insn.get(word, "rc")].name
    if insn.get(word, "w") if "w" in insn.fields else any(facts.whitening):
        yield isa.vector("WK").name
    if facts.move:
        moved = _move(isa, insn, word)
        if moved == "MoveStore" or insn.get(word, "h") & _sums(isa):
            yield isa.vector_by_code[insn.get(word, "rc")].name
        if moved == "MoveHoldCtr":
            yield counter
    if facts.reads_address:
        yield isa.address_registers[insn.get(word, "as")]
    if facts.reads_flag:
        yield "flag"


def _sums(isa: Isa) -> int:
    """Return the bit of field h that makes the hash unit take the value that a move would store."""
    return next(b.code for b in isa.hash_beside if b.record == "BesideSum")


def _move(isa: Isa, insn: Insn, word: int) -> str:
    """Return the record of the move next to the path; "" if there is none."""
    return next(m.record for m in isa.moves if m.code == insn.get(word, "mv")) if insn.facts.move else ""


_TRAPS = Effects(frozenset(), frozenset(), frozenset(), (), (), (), None, False, True)


def effects(word: int) -> Effects:
    """Return everything that a word reads and writes; nothing if it is not an instruction, which traps."""
    insn = load().decode(word) if legal(word) else None
    return _TRAPS if insn is None else _effects(word & _rules(insn.name).select)


@lru_cache(maxsize=1 << 14)
def _effects(word: int) -> Effects:
    isa, insn = load(), instruction(word)
    if insn is None:
        return _TRAPS
    facts = insn.facts
    moved = set(_counted(isa, insn, word))
    read, results = set(reads(word).registers), set(_results(isa, insn, word))
    for slot in accesses(word):
        if slot.register:
            read.add(slot.register)
            read |= set(_settings(isa, insn.get(word, SLOTS[slot.slot]), slot.register))
            if _pattern(isa, insn.get(word, SLOTS[slot.slot])).modifies:
                moved.add(slot.register)
    if isa.vector("CTR").name in moved:
        read.update(_SETTINGS["AuSetWidth"])
    store = next((a for a in accesses(word) if a.slot == "store"), None)
    return Effects(
        frozenset(read),
        frozenset(results | moved),
        frozenset(moved - results),
        reads(word).rows,
        tuple(isa.bank_by_number[bank].name for bank in (*facts.lookups, *_clocked(insn, word))),
        tuple(isa.stream_contexts[number] for number in sorted({*_clocked(insn, word), *_loaded(insn, word)})),
        store,
        store is not None and facts.res != "WriteLane",
        facts.transfer,
    )


def _clocked(insn: Insn, word: int) -> list[int]:
    """Return the stream contexts that are clocked; each uses the table bank of its number."""
    clocked = insn.get(word, "c") if insn.facts.clocks else 0
    return [number for number in range(clocked.bit_length()) if clocked >> number & 1]


def _loaded(insn: Insn, word: int) -> list[int]:
    """Return the stream context that a row is loaded from."""
    loads = any(step.function == "ContextLoad" for step in insn.path)
    return [insn.get(word, "o")] if loads else []


def _pattern(isa: Isa, slot: int) -> Pattern:
    return isa.pattern_by_code[isa.slot.pattern.of(slot)]


def _settings(isa: Isa, slot: int, register: str) -> Iterator[str]:
    """Return the parts of its register that the pattern of a slot reads."""
    pattern = _pattern(isa, slot)
    if isa.delta(pattern).steps:
        yield f"{register}.step"
    if isa.wrap(pattern).comparison:
        yield from (f"{register}.start", f"{register}.end")


def _counted(isa: Isa, insn: Insn, word: int) -> Iterator[str]:
    """Return the counter, if reading it increments it."""
    codes = [insn.get(word, source.field) for source in insn.facts.sources if source.enters]
    if isa.vector("CTRINC").code in codes or _move(isa, insn, word) == "MoveHoldCtr":
        yield isa.vector("CTR").name


def _results(isa: Isa, insn: Insn, word: int) -> Iterator[str]:
    """Return the registers that receive a result."""
    facts = insn.facts
    if facts.destination:
        vector = isa.vector_by_code[insn.get(word, "rd")]
        if vector.name:
            yield vector.name
            if facts.destination == "pair":
                yield isa.vector_by_code[vector.code + 1].name
    if _move(isa, insn, word) in ("MoveHoldRow", "MoveHoldCtr"):
        yield isa.vector("HOLD").name
    if facts.writes_address:
        yield isa.address_registers[insn.get(word, "ad")]
    if facts.writes_flag:
        yield "flag"
    for setting in _SETTINGS.get(facts.au, ()):
        yield setting.format(isa.address_registers[insn.get(word, "ad")] if "ad" in insn.fields else "")
