"""Hazards in SystemVerilog (the interlock's conditions), C++ (timing, coverage), tables and the reference's table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from isagen import records
from isagen.hazards import Hazards
from isagen.model import Access, Hazard, Isa, Resource
from isagen.records import Stall
from isagen.text import banner, camel


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


def package(hazards: Hazards) -> str:
    """The cells that an instruction reads or writes, by hazard, and the distances."""
    rows = hazards.isa.hazards
    distances = "".join(
        f"    {h.distance(1)}, {h.distance(2)}{'' if h is rows[-1] else ','}  // {h.name}\n" for h in rows
    )
    out = banner("//") + "// What instructions read and write, and how far one must be from the other.\n\n"
    out += "package lutra_hazards_pkg;\n\n  import lutra_isa_pkg::*;\n\n"
    out += (
        f"  localparam int unsigned Hazards = {len(rows)};\n  typedef logic [Hazards-1:0] hazards_t;  // by stall_e\n\n"
    )
    out += "  // Least distance in cycles between two issues: of hazard h in [2 * h] with one round per instruction,\n"
    out += "  // in [2 * h + 1] with two.\n"
    out += f"  localparam int unsigned HazardDistance[2 * Hazards] = '{{\n{distances}  }};\n\n"
    out += "  // Cells that an instruction reads or writes, by hazard.\n  typedef struct packed {\n"
    for h in _stalls(hazards):
        names = ", ".join(r.name for r in hazards.resources_of(h))
        width = sum(len(hazards.met(h, r)) for r in hazards.resources_of(h))
        out += f"    logic {f'[{width - 1}:0] ' if width > 1 else ''}{h.name};  // {names}\n"
    out += "  } hazard_cells_t;\n\n"
    return out + "endpackage\n"


def modules(hazards: Hazards) -> str:
    """The conditions; modules and not functions of the package, in which Verilator counts no expression."""
    rows = hazards.isa.hazards
    out = (
        banner("//") + "// The interlock's conditions: what an instruction reads and writes, and where these meet.\n\n"
    )
    out += _sv_cells_of(hazards, "lutra_hazard_reads", hazards.reads(), {h.name: h.reads for h in rows})
    out += _sv_cells_of(hazards, "lutra_hazard_writes", hazards.writes(), {h.name: h.writes for h in rows})
    return out + _sv_between(hazards)


def _stalls(hazards: Hazards) -> list[Hazard]:
    """The hazards that can stall; one with distance 1, or about what a configuration lacks, costs no gate."""
    return [h for h in hazards.isa.hazards if max(h.distance(1), h.distance(2)) > 1 and hazards.resources_of(h)]


def _sv_module(name: str, ports: Iterable[str], body: Iterable[str]) -> str:
    out = f"module {name}\n  import lutra_isa_pkg::*;\n  import lutra_hazards_pkg::*;\n(\n"
    out += ",\n".join(f"  {port}" for port in ports) + "\n);\n\n"
    return out + "".join(f"  {line}\n" if line else "\n" for line in body) + "\nendmodule\n"


def _sv_cells_of(
    hazards: Hazards, name: str, accesses: Iterable[Access], by_hazard: dict[str, tuple[Access, ...]]
) -> str:
    """A module from the control word to the cells."""
    accesses = list(accesses)
    body = ["ctl_t ctl;", "assign ctl = ctl_i;", ""]
    for a in accesses:
        width = hazards.selector(a).width
        body.append(f"logic {f'[{width - 1}:0] ' if width > 1 else ''}{_snake(a.record)};  // {a.text}")
    body += ["", *(f"assign {_snake(a.record)} = {_sv_access(hazards, a)};" for a in accesses), ""]
    for h in _stalls(hazards):
        parts = [_sv_cells(hazards, h, r, by_hazard[h.name]) for r in hazards.resources_of(h)]
        body.append(f"assign cells_o.{h.name} = {parts[0] if len(parts) == 1 else '{' + ', '.join(parts) + '}'};")
    return _sv_module(name, ("input  ctl_t ctl_i", "output hazard_cells_t cells_o"), body) + "\n"


def _sv_between(hazards: Hazards) -> str:
    """A module from the cells of two instructions to the hazards between them."""
    stalls = _stalls(hazards)
    body = []
    for h in hazards.isa.hazards:
        meet = f"|(reads_i.{h.name} & writes_i.{h.name})" if h in stalls else "1'b0"
        body.append(f"assign between_o[{h.order}] = {meet};  // {h.name}")
    ports = ("input  hazard_cells_t reads_i", "input  hazard_cells_t writes_i", "output hazards_t between_o")
    out = "// Hazards that hold between an instruction and an earlier one, were that near.\n"
    return out + _sv_module("lutra_hazards_between", ports, body)


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


def header(hazards: Hazards) -> str:
    """Every access that an instruction makes, with the hazards that it is part of."""
    isa, accesses, resources = hazards.isa, hazards.accesses, hazards.resources
    cells = _offsets([r.cells for r in resources])
    places: list[list[int]] = []
    place = 0
    for h in isa.hazards:
        row = []
        for r in resources:
            row.append(place)
            place += r.cells if r in hazards.resources_of(h) else 0
        places.append(row)
    out = banner("//") + "// What instructions read and write, and the hazards that this is about.\n#pragma once\n\n"
    out += "#include <array>\n#include <cstddef>\n#include <cstdint>\n\n"
    out += '#include "decode.hpp"\n\nnamespace lutra::hazard {\n\n'
    out += "enum class Access : std::uint8_t {\n"
    out += "".join(f"  {a.record},  // {a.text}\n" for a in accesses) + "};\n\n"
    out += _array("kResource", [resources.index(a.resource) for a in accesses], "Resource of an access.")
    out += _array("kFirstCell", cells[:-1], "First cell of a resource among all cells.")
    out += f"inline constexpr std::size_t kCells = {cells[-1]};\n\n"
    out += "// A cell of a resource among all cells.\n"
    out += "constexpr std::size_t cell(Access access, std::size_t n) {\n"
    out += "  return kFirstCell[kResource[static_cast<std::size_t>(access)]] + n;\n}\n\n"
    rows = ",\n".join("    {" + ", ".join(map(str, row)) + "}" for row in places)
    out += "// First place of a resource among all pairs of a hazard and a cell that it is about.\n"
    out += f"inline constexpr std::size_t kFirstPlace[{len(places)}][{len(resources)}] = {{\n{rows}}};\n"
    out += f"inline constexpr std::size_t kPlaces = {place};\n\n"
    out += "constexpr std::size_t place(Stall hazard, Access access, std::size_t n) {\n"
    out += "  const auto resource = kResource[static_cast<std::size_t>(access)];\n"
    out += "  return kFirstPlace[static_cast<std::size_t>(hazard)][resource] + n;\n}\n\n"
    masks = [sum(1 << accesses.index(a) for a in h.writes) for h in isa.hazards]
    out += f"inline constexpr std::uint64_t kWrites[{len(masks)}] = {{{', '.join(f'{m:#x}' for m in masks)}}};\n\n"
    out += "// Whether what an access writes can be what the hazard is about.\n"
    out += "constexpr bool is_write(Stall hazard, Access access) {\n"
    out += "  return (kWrites[static_cast<std::size_t>(hazard)] >> static_cast<unsigned>(access)) & 1;\n}\n\n"
    out += "// Whether it can hold an instruction at all; at distance 1 the very next one has what it reads.\n"
    out += "constexpr bool can_stall(Stall hazard) {\n  const auto h = static_cast<std::size_t>(hazard);\n"
    out += "  return kDistance[0][h] > 1 || kDistance[1][h] > 1;\n}\n\n"
    out += "constexpr std::uint8_t code(VecCode c) { return static_cast<std::uint8_t>(c); }\n\n"
    out += "// visit(hazard, access, number of the cell in its resource) for all that an instruction can wait for.\n"
    out += _cpp_visit(hazards, "each_read", hazards.reads(), "reads")
    out += "// Likewise for all that others can wait for.\n"
    out += _cpp_visit(hazards, "each_write", hazards.writes(), "writes")
    return out + "}  // namespace lutra::hazard\n"


def _offsets(sizes: list[int]) -> list[int]:
    out = [0]
    for size in sizes:
        out.append(out[-1] + size)
    return out


def _array(name: str, values: list[int], text: str) -> str:
    row = ", ".join(map(str, values))
    return f"// {text}\ninline constexpr std::array<std::size_t, {len(values)}> {name}{{{row}}};\n\n"


def _cpp_visit(hazards: Hazards, name: str, accesses: Iterable[Access], end: str) -> str:
    isa = hazards.isa
    # In place, the encoding of a path is a constant, and what it does not do costs nothing.
    out = "template <class Encodings, class Visit>\n[[gnu::always_inline]] inline "
    out += (
        f"void {name}([[maybe_unused]] const Encodings& e, [[maybe_unused]] const Decoded& d, const Visit& visit) {{\n"
    )
    kinds: dict[bool, list[str]] = {True: [], False: []}
    for a in accesses:
        about = [h for h in isa.hazards if a in getattr(h, end)]
        for vector, body in kinds.items():
            if any(isa.is_vector(i) == vector and hazards.cells(i, a) for i in isa.insns):
                body += _cpp_access(hazards, a, about)
    for vector, body in ((vector, body) for vector, body in kinds.items() if body):
        out += f"  if ({'' if vector else '!'}e.vector) {{\n" + "".join(f"    {line}\n" for line in body) + "  }\n"
    return out + "}\n\n"


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
