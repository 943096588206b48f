"""C: what a host has to know of the core to load it. Constants of the preprocessor, for a C11 without a library."""

from __future__ import annotations

from isagen.model import Isa
from isagen.records import Space
from isagen.text import render


def files(isa: Isa) -> dict[str, str]:
    """Name -> text."""
    return {"lutra_isa.h": header(isa)}


def header(isa: Isa) -> str:
    """Version, sizes, states, and the memories by their codes."""
    machine = isa.machine
    numbers = {
        "MAJOR": isa.version.major,
        "MINOR": isa.version.minor,
        "ROW_BYTES": machine["VectorBytes"],
        "WORD_BYTES": machine["InsnBits"] // 8,
        "PROGRAM_WORDS": machine["ProgramWords"],
        "MEMORY_ROWS": machine["MemoryRows"],
        "TABLE_ROWS": machine["TableRows"],
        "STREAM_CONTEXTS": isa.configuration.contexts,
    }
    memories = [(space.code, kind) for space in isa.spaces if (kind := _kind(space))]
    return render("lutra_isa.h", numbers=numbers, states=isa.states, memories=memories)


def _kind(space: Space) -> str:
    """The kind of a memory; empty for a name of several."""
    if space.is_program:
        return "PROGRAM"
    if not space.is_single:
        return ""
    return "DATA" if space.blocks else "TABLE"
