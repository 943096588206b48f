"""Memories in packs: by their names here, by the codes of the host port in the file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from lutra.firmware.pack import cbor
from lutra.firmware.pack.cbor import Reader
from lutra.firmware.pack.errors import PackError
from lutra.firmware.pack.records import Core
from lutra.firmware.pack.schema import Item
from lutra.isa import load


def word_bytes() -> int:
    """Bytes of an instruction, which the program memory counts in."""
    return load().machine["InsnBits"] // 8


def row_bytes() -> int:
    return load().machine["VectorBytes"]


@cache
def codes() -> dict[str, int]:
    """The memories that a pack names, and their codes: a name of several memories is none of them."""
    return {s.name: s.code for s in load().spaces if len(s.blocks) <= 1 and len(s.banks) <= 1}


@cache
def _names() -> dict[int, str]:
    return {number: name for name, number in codes().items()}


def code(space: str) -> int:
    return codes()[space]


def is_program(space: str) -> bool:
    return load().space_by_name[space].is_program


def core_here() -> Core:
    """The core as it is by default."""
    machine = load().machine
    return Core(2, machine["ProgramWords"], machine["MemoryRows"], machine["StreamContexts"])


def size(space: str, core: Core) -> int:
    """Bytes of a memory of a core."""
    found = load().space_by_name[space]
    if found.is_program:
        return core.program_words * word_bytes()
    return core.memory_rows * row_bytes() if found.blocks else load().size(found)


@dataclass(frozen=True)
class Space(Item):
    """The name of a memory."""

    def write(self, value: Any) -> bytes:
        if value not in codes():
            raise PackError(f"expected a memory of {', '.join(codes())}, found {value!r}")
        return cbor.head(cbor.UINT, code(value))

    def read(self, reader: Reader) -> str:
        place, number = reader.place, reader.uint()
        if number not in _names():
            known = ", ".join(f"{n} ({name})" for n, name in _names().items())
            raise PackError(f"expected a memory of {known}, found {number}", place)
        return _names()[number]
