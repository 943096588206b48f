"""The known values of the operands that instructions read; lutra.asm.analysis.uses has the operands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lutra.asm.analysis.uses import reads
from lutra.isa import load
from lutra.iss.engine import Engine
from lutra.iss.retire import Record


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
        """Values that a retired instruction read, by name, before `follow`: `v0`, `m2[0x0010]`; unknown ones are left
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
        """Apply the results of a retired instruction."""
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
