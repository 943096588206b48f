"""Program words as the symbolic machine executes them, decoded by the tables of the instruction set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from lutra.isa import Bits as Place
from lutra.isa import Insn, Pattern, load
from lutra.iss import _iss
from lutra.prove.errors import Refuted


@dataclass(frozen=True)
class Slot:
    """A memory slot: an access at an address register, or at a fixed address."""

    register: int
    pattern: Pattern | None  # None: at a fixed address
    address: int


@dataclass(frozen=True)
class Word:
    """A word: its instruction, and the value of every field of its format, those that are fixed too."""

    insn: Insn
    fields: Mapping[str, int]
    key: Slot | None
    data: Slot | None
    store: Slot | None

    def __getitem__(self, name: str) -> int:
        return self.fields.get(name, 0)


@cache
def _formats() -> Mapping[str, Mapping[str, Place]]:
    """The places of all fields, by format: what is fixed in one instruction is a field of another."""
    found: dict[str, dict[str, Place]] = {}
    for insn in load().instructions:
        found.setdefault(insn.format, {}).update(insn.fields)
    vector = {k: v for name, f in found.items() if name.startswith("FmtVector") for k, v in f.items() if k in _VECTOR}
    return {name: {**(vector if name.startswith("FmtVector") else {}), **fields} for name, fields in found.items()}


# Fields that all formats of vector instructions have.
_VECTOR = ("rd", "ra", "rb", "w", "ks", "db", "ds", "sb", "ss")


@cache
def decode(word: int) -> Word:
    """Decode a word. Refuted where it is not an instruction, so that it traps."""
    insn = load().decode(word)
    if insn is None or not _iss.legal(word, max(load().configuration.rounds)):
        raise Refuted(f"{word:#018x} is not an instruction")
    fields = {name: place.of(word) for name, place in _formats().get(insn.format, {}).items()}
    slots = [_slot(fields.get(name, 0)) for name in ("ks", "ds", "ss")]
    return Word(insn, fields, *slots)


def _slot(bits: int) -> Slot | None:
    isa = load()
    if bits == 0:
        return None
    if bits >> isa.slot.row_flag & 1:
        return Slot(0, None, isa.machine["VectorBytes"] * isa.slot.row.of(bits))
    return Slot(isa.slot.register.of(bits), isa.pattern_by_code[isa.slot.pattern.of(bits)], 0)
