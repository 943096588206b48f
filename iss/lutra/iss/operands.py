"""What instructions are given: the registers and rows that they read, and their values as far as they are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lutra.isa import Insn, Isa, load
from lutra.iss.engine import Engine
from lutra.iss.retire import Record

# The memory slots by their names in the retirement record, and the fields of the word that hold them.
SLOTS = {"key": "ks", "data": "ds", "store": "ss"}


@dataclass(frozen=True)
class Access:
    """A row that a memory slot of an instruction reads or writes.

    slot: one of SLOTS. spaces: as in assembly, the key slot's with all its blocks. register: the address register, or
    "" where the word holds the address, in bytes.
    """

    slot: str
    space: str
    register: str
    address: int

    def at(self, registers: Mapping[str, Any]) -> int:
        """The address in bytes, by the values of registers."""
        return int(registers[self.register]) if self.register else self.address


@dataclass(frozen=True)
class Reads:
    """What an instruction reads before it writes: registers by name, and rows."""

    registers: tuple[str, ...]
    rows: tuple[Access, ...]


@lru_cache(maxsize=1 << 12)
def instruction(word: int) -> Insn | None:
    """The instruction of a word; None if it is none."""
    return load().decode(word)


@lru_cache(maxsize=1 << 12)
def accesses(word: int) -> tuple[Access, ...]:
    """The accesses that a word makes."""
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
    """What a word reads; of the stream unit and the tables nothing, whose inputs are no registers."""
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
    if insn.get(word, "w") if "w" in insn.fields else any(facts.whitening):
        yield isa.vector("WK").name
    if facts.move:
        moved = next(m.record for m in isa.moves if m.code == insn.get(word, "mv"))
        if moved == "MoveStore":
            yield isa.vector_by_code[insn.get(word, "rc")].name
        elif moved == "MoveHoldCtr":
            yield counter
    if facts.reads_address:
        yield isa.address_registers[insn.get(word, "as")]
    if facts.reads_flag:
        yield "flag"


class Values:
    """Registers and data memories, as far as they are known, kept up to date by records.

    registers: by name; vectors are 16 bytes, all others numbers. memories: contents of whole data memories by name.
    """

    def __init__(self, registers: Mapping[str, Any] | None = None, memories: Mapping[str, bytes] | None = None) -> None:
        self._isa = load()
        self.registers = dict(registers or {})
        self._memories = {name: bytearray(data) for name, data in (memories or {}).items()}

    @classmethod
    def of(cls, engine: Engine) -> Values:
        """Those of an engine as it is now."""
        names = [space.name for space in engine.isa.memory_by_block.values()]
        registers = {name: register.value for name, register in engine.registers().items()}
        return cls(registers, {name: engine.read(name, 0, engine.size(name)) for name in names})

    def memory(self, space: str) -> bytes:
        """The contents of a data memory. Raises KeyError where they are not known."""
        return bytes(self._memories[space])

    def inputs(self, record: Record) -> dict[str, str]:
        """What a retired instruction has read, by name, before `follow`: `v0`, `m2[0x0010]`; what is not known is left
        out."""
        if "trap" in record.fields:
            return {}
        read = reads(record.insn)
        known = ((name, self.registers[name]) for name in read.registers if name in self.registers)
        found = {name: str(int(value)) if name == "flag" else shown(value) for name, value in known}
        for row in read.rows:
            address = record.fields[f"{row.slot}_address"]
            for space in row.space.split(":"):
                if space in self._memories:
                    found[f"{space}[{address:#06x}]"] = self._row(space, address).hex()
        return found

    def _row(self, space: str, address: int) -> bytearray:
        return self._memories[space][address : address + self._isa.machine["VectorBytes"]]

    def follow(self, record: Record) -> None:
        """Take over what a retired instruction has written."""
        fields, known = record.fields, self.registers
        for name in ("ctr", "hold", "flag"):
            if f"{name}_en" in fields:
                known[name] = fields[name] if name in fields else fields[f"{name}_value"]
        if "rd_en" in fields:
            known[self._isa.vector_by_code[fields["rd"]].name] = fields["rd_value"]
            if "partner_en" in fields:
                known[self._isa.vector_by_code[fields["rd"] + 1].name] = fields["partner_value"]
        for number, value in fields.get("ar_value", {}).items():
            known[self._isa.address_registers[number]] = value
        if "store_en" in fields:
            self._store(fields)

    def _store(self, fields: Mapping[str, Any]) -> None:
        space = next(s for s in self._isa.spaces if s.code == fields["store_space"])
        for block in space.blocks:
            memory = self._memories.get(self._isa.memory_by_block[block].name)
            if memory is None:
                continue
            for lane, byte in enumerate(fields["store_value"]):
                if fields["store_lanes"] >> lane & 1:
                    memory[fields["store_address"] + lane] = byte


def shown(value: int | bytes) -> str:
    """A value as text: the bytes of a vector, a number as an address."""
    return value.hex() if isinstance(value, bytes) else f"{int(value):#06x}"
