"""C: what a host has to know of the core to load it. Constants of the preprocessor, for a C11 without a library."""

from __future__ import annotations

from isagen.model import Isa
from isagen.records import Space
from isagen.text import banner


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
    out = banner("//") + "// What a host has to know of the core.\n#ifndef LUTRA_ISA_H\n#define LUTRA_ISA_H\n\n"
    out += "".join(f"#define LUTRA_ISA_{name} {value}u\n" for name, value in numbers.items())
    out += "\n// States of the core as its status shows them.\n"
    out += "".join(f"#define LUTRA_ISA_{state.name.upper()} {state.code}u\n" for state in isa.states)
    out += "\n// Memories, each by its code and its kind. A table bank has LUTRA_ISA_TABLE_ROWS in every core.\n"
    rows = [f"  X({space.code}u, {kind})" for space in isa.spaces if (kind := _kind(space))]
    out += "#define LUTRA_ISA_MEMORIES(X) \\\n" + " \\\n".join(rows) + "\n"
    return out + "\n#endif\n"


def _kind(space: Space) -> str:
    """Return the lines of one memory; none for a name of several."""
    if space.is_program:
        return "PROGRAM"
    if not space.is_single:
        return ""
    return "DATA" if space.blocks else "TABLE"
