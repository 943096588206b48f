"""The retirement record: packed struct of SystemVerilog, struct of C++, the way from one to the other, and text."""

from __future__ import annotations

from isagen.emit_struct import bits, cpp_struct, cpp_unpack, sv_struct
from isagen.model import Isa
from isagen.retire import PLACE, Record, RetireField
from isagen.text import banner


def files(isa: Isa) -> dict[str, str]:
    """Name -> text of the generated C++."""
    return {"lutra_retire.hpp": header(isa)}


# ---------------------------------------------------------------- SystemVerilog


def packed_struct(isa: Isa) -> str:
    """The struct of the retirement port, and its size as everybody else counts it."""
    out = "  // One retired instruction (isa/retire.td). Fields that do not apply are zero.\n"
    out += f"  localparam int unsigned RetireBits = {bits(isa.record.fields)};\n"
    return out + sv_struct("retire_t", isa.record.fields)


# ---------------------------------------------------------------- C++


def header(isa: Isa) -> str:
    """Struct, unpacking, and what dictionary and text are made by."""
    record = isa.record
    out = banner("//") + "// What one retired instruction did: the record that simulator and RTL are compared by.\n"
    out += '#pragma once\n\n#include <array>\n#include <cstdint>\n#include <string>\n\n#include "lutra_names.hpp"\n\n'
    out += "namespace lutra {\n\n"
    out += "// Fields that do not apply are zero.\n" + cpp_struct("Retire", record.fields)
    out += "// Bits of the packed struct retire_t of lutra_isa_pkg.\n"
    out += f"inline constexpr std::size_t kRetireBits = {bits(record.fields)};\n\n"
    out += cpp_unpack("Retire", "unpack_retire", record.fields) + _each_field(record) + _each_effect(record)
    return out + "}  // namespace lutra\n"


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
    """One row per field: name, bits, enables, meaning, how what it enables is written."""
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
