"""Hazards: the interlock in SystemVerilog, timing and coverage in C++, tables, and rows of the reference."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from isagen import records
from isagen.description import Access, Hazard, Resource
from isagen.hazards import Hazards
from isagen.model import Isa
from isagen.records import Stall
from isagen.text import camel, render


def files_sv(isa: Isa) -> dict[str, str]:
    """Name -> text."""
    hazards = Hazards(isa)
    return {"lutra_hazards_pkg.sv": package(hazards), "lutra_hazards.sv": modules(hazards)}


def files_cpp(isa: Isa) -> dict[str, str]:
    """Name -> text."""
    return {"lutra_hazards.hpp": header(Hazards(isa))}


def _snake(record: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", record).lower()


# ------------------------------------------------------------------------------------------- SystemVerilog


class Signal(NamedTuple):
    """A signal of an access: the dimensions of its type, its name, its text, and its value."""

    type: str
    name: str
    text: str
    value: str


class Module(NamedTuple):
    """A module from the control word to the cells that an instruction reads or writes."""

    name: str
    accesses: list[Signal]
    cells: list[tuple[str, str]]


def package(hazards: Hazards) -> str:
    """The cells that an instruction reads or writes, by hazard, and the distances."""
    cells = []
    for h in _stalls(hazards):
        resources = hazards.resources_of(h)
        width = sum(len(hazards.met(h, r)) for r in resources)
        cells.append((_logic(width), h.name, [r.name for r in resources]))
    return render("lutra_hazards_pkg.sv", hazards=hazards.isa.hazards, cells=cells)


def modules(hazards: Hazards) -> str:
    """The conditions; modules and not functions of the package, in which Verilator counts no expression."""
    rows = hazards.isa.hazards
    return render(
        "lutra_hazards.sv",
        modules=[
            _module(hazards, "lutra_hazard_reads", hazards.reads(), {h.name: h.reads for h in rows}),
            _module(hazards, "lutra_hazard_writes", hazards.writes(), {h.name: h.writes for h in rows}),
        ],
        hazards=rows,
        meetings=[f"|(reads_i.{h.name} & writes_i.{h.name})" if h in _stalls(hazards) else "1'b0" for h in rows],
    )


def _stalls(hazards: Hazards) -> list[Hazard]:
    """The hazards that can stall; one with distance 1, or about what a configuration lacks, costs no gate."""
    return [h for h in hazards.isa.hazards if max(h.distance(1), h.distance(2)) > 1 and hazards.resources_of(h)]


def _logic(width: int) -> str:
    return f"logic [{width - 1}:0] " if width > 1 else "logic "


def _module(
    hazards: Hazards, name: str, accesses: Iterable[Access], by_hazard: dict[str, tuple[Access, ...]]
) -> Module:
    signals = [
        Signal(_logic(hazards.selector(a).width), _snake(a.record), a.text, _sv_access(hazards, a)) for a in accesses
    ]
    cells = []
    for h in _stalls(hazards):
        parts = [_sv_cells(hazards, h, r, by_hazard[h.name]) for r in hazards.resources_of(h)]
        cells.append((h.name, parts[0] if len(parts) == 1 else f"{{{', '.join(parts)}}}"))
    return Module(name, signals, cells)


def _sv_access(hazards: Hazards, access: Access) -> str:
    selector = hazards.selector(access)
    tests, mask = selector.sv()
    tests = [*(c.sv() for c in hazards.conditions(access)), *tests]
    if selector.width == 1:
        return " && ".join([*tests, *([mask] if mask else [])]) or "1'b1"
    return f"{' && '.join(tests)} ? {mask} : '0" if tests else mask


def _sv_cells(hazards: Hazards, hazard: Hazard, resource: Resource, accesses: Iterable[Access]) -> str:
    """The cells of a resource that the hazard can be about, of the accesses together."""
    met = hazards.met(hazard, resource)
    rows = []
    for a in (a for a in accesses if a.resource == resource):
        name = _snake(a.record)
        if a.cells[0] == "cell":
            bits = [name if c == a.cells[1][0] else "1'b0" for c in reversed(met)]
        elif len(met) == resource.cells:
            bits = [name]
        else:
            bits = [f"{name}[{c}]" for c in reversed(met)]
        rows.append(bits[0] if len(bits) == 1 else f"{{{', '.join(bits)}}}")
    return " | ".join(rows)


# ----------------------------------------------------------------------------------------------------- C++


class Visit(NamedTuple):
    """A function that visits accesses: its text, and what it does for vector instructions and for the others."""

    name: str
    text: str
    bodies: list[tuple[bool, list[str]]]


def header(hazards: Hazards) -> str:
    """Every access that an instruction makes, with the hazards that it is part of."""
    isa, accesses, resources = hazards.isa, hazards.accesses, hazards.resources
    *first_cell, cells = _offsets([r.cells for r in resources])
    # Resources that a hazard is not about take no place.
    sizes = [r.cells if r in hazards.resources_of(h) else 0 for h in isa.hazards for r in resources]
    *offsets, places = _offsets(sizes)
    count = len(resources)
    return render(
        "lutra_hazards.hpp",
        accesses=accesses,
        resource_of=[resources.index(a.resource) for a in accesses],
        first_cell=first_cell,
        cells=cells,
        first_place=[offsets[i : i + count] for i in range(0, len(offsets), count)],
        places=places,
        writes=[f"{sum(1 << accesses.index(a) for a in h.writes):#x}" for h in isa.hazards],
        visits=[
            Visit(
                "each_read",
                "visit(hazard, access, number of the cell in its resource) for all that an instruction can wait for.",
                _bodies(hazards, hazards.reads(), "reads"),
            ),
            Visit(
                "each_write",
                "Likewise for all that others can wait for.",
                _bodies(hazards, hazards.writes(), "writes"),
            ),
        ],
    )


def _offsets(sizes: list[int]) -> list[int]:
    out = [0]
    for size in sizes:
        out.append(out[-1] + size)
    return out


def _bodies(hazards: Hazards, accesses: Iterable[Access], end: str) -> list[tuple[bool, list[str]]]:
    """Return the visits of vector instructions and of the others; without those that no instruction makes."""
    isa = hazards.isa
    kinds: dict[bool, list[str]] = {True: [], False: []}
    for a in accesses:
        about = [h for h in isa.hazards if a in getattr(h, end)]
        for vector, body in kinds.items():
            if any(isa.is_vector(i) == vector and hazards.cells(i, a) for i in isa.insns):
                body += _cpp_access(hazards, a, about)
    return [(vector, body) for vector, body in kinds.items() if body]


def _cpp_access(hazards: Hazards, access: Access, about: list[Hazard]) -> Iterator[str]:
    conditions = [c.cpp() for c in hazards.conditions(access)]
    for guard, cell in hazards.selector(access).cpp():
        mask = cell.removeprefix("mask:") if cell.startswith("mask:") else ""
        place = "i" if mask else cell
        calls = [f"visit(Stall::{camel(h.name)}, Access::{access.record}, {place})" for h in about]
        tests = [*conditions, *([guard] if guard else [])]
        if tests:
            yield f"if ({' && '.join(tests)})"
        if mask:
            yield f"  for (std::size_t i = 0; i < {access.resource.cells}; ++i)"
            yield f"    if (({mask} >> i) & 1) {', '.join(calls)};"
        else:
            yield f"  {', '.join(calls)};" if tests else f"{', '.join(calls)};"


# ----------------------------------------------------------------------------------------- tables, reference


def accesses(isa: Isa) -> tuple[records.Access, ...]:
    """Return the accesses and how an instruction word makes them, for programmers."""
    hazards = Hazards(isa)
    return tuple(
        records.Access(
            a.record,
            a.label,
            a.resource.record,
            a.text,
            tuple(tuple(hazards.ways(a, cell)) for cell in range(a.resource.cells)),
        )
        for a in hazards.accesses
    )


def resources(isa: Isa) -> tuple[records.Resource, ...]:
    """Return the resources of the hazards, with the names of their cells."""
    hazards = Hazards(isa)
    first = {a.resource: hazards.selector(a) for a in reversed(hazards.accesses)}
    return tuple(
        records.Resource(r.record, r.name, tuple(first[r].shown(cell) for cell in range(r.cells)))
        for r in hazards.resources
    )


def stalls(isa: Isa) -> tuple[Stall, ...]:
    """The causes of stall cycles: the hazards, and what a transfer costs."""
    hazards = Hazards(isa)
    rows = [
        Stall(
            h.name,
            h.text,
            (h.distance(1), h.distance(2)),
            tuple(a.record for a in h.writes),
            tuple(a.record for a in h.reads),
            h.write.name if h.bypass else "",
            (_sources(hazards, h, 1), _sources(hazards, h, 2)),
        )
        for h in isa.hazards
    ]
    return (*rows, Stall(isa.transfer.name, isa.transfer.text, (isa.bubbles, isa.bubbles), (), (), "", ((), ())))


def _sources(hazards: Hazards, hazard: Hazard, rounds: int) -> tuple[str, ...]:
    return tuple(hazards.sources(hazard, rounds)) if hazard.bypass else ()


def made(isa: Isa) -> dict[str, dict[str, tuple[int, ...]]]:
    """Return, by instruction and access, the cells that it can access."""
    hazards = Hazards(isa)
    rows = {i.record: {a.record: tuple(sorted(hazards.cells(i, a))) for a in hazards.accesses} for i in isa.insns}
    return {insn: {access: cells for access, cells in row.items() if cells} for insn, row in rows.items()}


def reference(isa: Isa) -> list[list[str]]:
    """Rows of the reference's table: cause, distances, what the instruction in ID reads, what the producer writes."""
    return [
        [
            h.name,
            str(h.distance(2)),
            str(h.distance(1)),
            "; ".join(a.text for a in h.reads),
            "; ".join(a.text for a in h.writes),
            "yes" if h.bypass else "",
        ]
        for h in isa.hazards
    ]
