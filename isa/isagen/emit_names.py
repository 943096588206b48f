"""C++: the names of codes, for messages and traces."""

from __future__ import annotations

from isagen.model import Isa
from isagen.text import banner


def files(isa: Isa) -> dict[str, str]:
    """Name -> text."""
    return {"lutra_names.hpp": header(isa)}


def header(isa: Isa) -> str:
    """A table by code for every kind of name."""
    kinds = {
        "Trap": [(0, "none"), *((t.code, t.name) for t in isa.traps)],
        "CoreState": [(s.code, s.name) for s in isa.states],
        "Space": [(s.code, s.name) for s in isa.spaces],
        "VecCode": [(v.code, v.name) for v in isa.vectors],
        "Stall": [(s.code, s.name) for s in isa.stalls],
    }
    out = banner("//") + "// Names by code; empty where there is none.\n#pragma once\n\n"
    out += "#include <array>\n#include <string_view>\n\n"
    out += '#include "lutra_isa.hpp"\n\nnamespace lutra {\n\n'
    for kind, rows in kinds.items():
        out += _table(kind, dict(rows))
    for file in isa.register_files.values():
        out += _table(file.record, dict(enumerate(file.names)))
    return out + "\n}  // namespace lutra\n"


def _table(kind: str, names: dict[int, str]) -> str:
    top = max(names) + 1
    texts = ", ".join(f'"{names.get(code, "")}"' for code in range(top))
    return f"inline constexpr std::array<std::string_view, {top}> k{kind}Names{{{texts}}};\n"
