"""The retirement record: packed struct of SystemVerilog, struct of C++, the way from one to the other, and text."""

from __future__ import annotations

from isagen.model import Isa
from isagen.retire import PLACE, Record, RetireField
from isagen.text import banner

# Types of SystemVerilog where a field is no plain number.
SV_TYPES = {
    "address": "addr_t",
    "vector": "vec_t",
    "word": "insn_t",
    "trap_name": "trap_e",
    "vector_name": "vector_e",
    "space_name": "space_e",
    "address_register_name": "ar_t",
}


def files(isa: Isa) -> dict[str, str]:
    """Name -> text of the generated C++."""
    return {"lutra_retire.hpp": header(isa)}


# ---------------------------------------------------------------- SystemVerilog


def packed_struct(isa: Isa) -> str:
    """The struct of the retirement port, and its size as everybody else counts it."""
    record = isa.record
    out = "  // One retired instruction (isa/retire.td). Fields that do not apply are zero.\n"
    out += f"  localparam int unsigned RetireBits = {record.bits};\n  typedef struct packed {{\n"
    for f in record.packed:
        out += f"    {_sv_type(f)} {f.name};  // {f.text}\n"
    return out + "  } retire_t;\n\n"


def _sv_type(f: RetireField) -> str:
    bits = "logic" if f.width == 1 else f"logic [{f.width - 1}:0]"
    one = SV_TYPES.get(f.shown, bits)
    if f.count == 1:
        return one
    return f"{one} [{f.count - 1}:0]" if one != "logic" else f"logic [{f.count - 1}:0]"


# ---------------------------------------------------------------- C++


def header(isa: Isa) -> str:
    """Struct, unpacking, and what dictionary and text are made by."""
    record = isa.record
    out = banner("//") + "// What one retired instruction did: the record that simulator and RTL are compared by.\n"
    out += '#pragma once\n\n#include <array>\n#include <cstdint>\n#include <string>\n\n#include "lutra_names.hpp"\n\n'
    out += "namespace lutra {\n\n"
    out += _struct(record) + _unpack(record) + _each_field(record) + _each_effect(record)
    return out + "}  // namespace lutra\n"


def _struct(record: Record) -> str:
    out = "// Fields that do not apply are zero.\nstruct Retire {\n"
    for f in record.fields:
        one = _cpp_type(f)
        out += f"  {one if f.count == 1 else f'std::array<{one}, {f.count}>'} {f.name}{{}};  // {f.text}\n"
    return out + "\n  bool operator==(const Retire&) const = default;\n};\n\n"


def _cpp_type(f: RetireField) -> str:
    if f.shown == "vector":
        return "Vec"
    if f.width == 1:
        return "bool"
    return f"std::uint{next(n for n in (8, 16, 32, 64) if n >= f.width)}_t"


def _unpack(record: Record) -> str:
    """The packed struct's fields by place; its last field is the least significant."""
    out = "// Bits of the packed struct retire_t of lutra_isa_pkg.\n"
    out += f"inline constexpr std::size_t kRetireBits = {record.bits};\n\n"
    out += "// Every value of a record out of the packed struct: take(value, lsb, width) sets one.\n"
    out += "template <class Take>\nvoid unpack_retire(Retire& r, const Take& take) {\n"
    lsb = 0
    for f in reversed(record.packed):
        for i in range(f.count):
            out += f"  take(r.{f.name}{f'[{i}]' if f.count > 1 else ''}, {lsb}, {f.width});\n"
            lsb += f.width
    return out + "}\n\n"


def _applies(record: Record, f: RetireField) -> str:
    enables = [record[name] for name in f.enables] or [f] * bool(f.effect)
    return " || ".join(f"r.{e.name}" + (" != 0" if e.width > 1 else "") for e in enables) or "true"


def _each_field(record: Record) -> str:
    out = "// Every field: visit(name, value, whether it applies); of a field under a mask the mask instead.\n"
    out += "template <class Visit>\nvoid each_field(const Retire& r, const Visit& visit) {\n"
    for f in record.fields:
        applies = f"r.{f.enables[0]}" if f.count > 1 else _applies(record, f)
        out += f'  visit("{f.name}", r.{f.name}, {applies});\n'
    return out + "}\n\n"


def _each_effect(record: Record) -> str:
    out = "// Every effect: say(name, whether every record has it, whether it happened, a function that\n"
    out += "// makes its text). `show` writes the values.\n"
    out += "template <class Show, class Say>\nvoid each_effect(const Retire& r, const Show& show, const Say& say) {\n"
    for f in record.fields:
        if f.enables:
            continue
        happened = _applies(record, f)
        template = f.template if f.effect else f"{f.name}={{{f.name}}}"
        if f.over:
            one = f"[&](std::size_t i) {{ return {_text(record, template, f)}; }}"
            text = f'std::string("{f.effect}:") + show.each(r.{f.name}, {one})'
        else:
            text = _text(record, template, None)
        always = "false" if f.effect else "true"
        out += f'  say("{f.effect or f.name}", {always}, {happened}, [&] {{ return {text}; }});\n'
    return out + "}\n\n"


def _text(record: Record, template: str, mask: RetireField | None) -> str:
    """The C++ expression that a template stands for."""
    parts = []
    at = 0
    for place in PLACE.finditer(template):
        if place.start() > at:
            parts.append(f'"{template[at : place.start()]}"')
        name, after = place.groups()
        if not name and mask is not None and mask.over is not None:
            parts.append(f"std::string(k{mask.over.record}Names[i])")
        else:
            f = record[name]
            value = f"r.{name}" + ("[i]" if f.count > 1 else "") + (f" + {after}" if after else "")
            parts.append(f"show.{f.shown}({value})")
        at = place.end()
    if at < len(template):
        parts.append(f'"{template[at:]}"')
    first = parts[0]
    return " + ".join([f"std::string({first})" if first.startswith('"') else first, *parts[1:]])


# ---------------------------------------------------------------- documentation


def rows(isa: Isa) -> list[list[str]]:
    """A row a field: name, bits, enables, meaning, how what it enables is written."""
    record = isa.record
    return [
        [
            f"`{f.name}`",
            f"{f.count} x {f.width}" if f.count > 1 else str(f.width),
            ", ".join(f"`{e}`" for e in f.enables),
            f.text,
            f"`{_example(f)}`" if f.effect else "",
        ]
        for f in record.fields
    ]


def _example(f: RetireField) -> str:
    """The text of an effect; a field's name stands for its value."""
    if f.over is None:
        return f.template
    one = f.template.replace("{}", f.over.names[0])
    return f"{f.effect}:{one},.."
