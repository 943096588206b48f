"""C++: the names of codes, for messages and traces."""

from __future__ import annotations

from isagen.model import Isa
from isagen.text import render


def files(isa: Isa) -> dict[str, str]:
    """Name -> text."""
    return {"lutra_names.hpp": header(isa)}


def header(isa: Isa) -> str:
    """A table by code for each kind of name."""
    kinds = {
        "Trap": [(0, "none"), *((t.code, t.name) for t in isa.traps)],
        "CoreState": [(s.code, s.name) for s in isa.states],
        "Space": [(s.code, s.name) for s in isa.spaces],
        "VecCode": [(v.code, v.name) for v in isa.vectors],
        "Stall": [(s.code, s.name) for s in isa.stalls],
    }
    tables = {kind: _by_code(dict(rows)) for kind, rows in kinds.items()}
    tables |= {file.record: list(file.names) for file in isa.register_files.values()}
    return render("lutra_names.hpp", tables=tables)


def _by_code(names: dict[int, str]) -> list[str]:
    return [names.get(code, "") for code in range(max(names) + 1)]
