"""The retirement record in C++: struct, the way from the packed one, and text; and its rows of the reference."""

from __future__ import annotations

from typing import NamedTuple

from isagen.emit_struct import bits, cpp_rows, places
from isagen.model import Isa
from isagen.retire import PLACE, Record, RetireField
from isagen.text import render


def files(isa: Isa) -> dict[str, str]:
    """Name -> text of the generated C++."""
    return {"lutra_retire.hpp": header(isa)}


class Effect(NamedTuple):
    """An effect in C++. always: every record has it. mask: the field for each of whose registers `text` is called."""

    name: str
    always: bool
    happened: str
    mask: str
    text: str


def header(isa: Isa) -> str:
    """Struct, unpacking, and what dictionary and text are made by."""
    record = isa.record
    return render(
        "lutra_retire.hpp",
        members=cpp_rows(record.fields),
        bits=bits(record.fields),
        places=places(record.fields),
        fields=[(f.name, f"r.{f.enables[0]}" if f.count > 1 else _applies(record, f)) for f in record.fields],
        stores=record.stores,
        spaces={s.code: s.record for s in isa.spaces},
        effects=[_effect(record, f) for f in record.fields if not f.enables],
    )


def _applies(record: Record, f: RetireField) -> str:
    enables = [record[name] for name in f.enables] or [f] * bool(f.effect)
    return " || ".join(f"r.{e.name}" + (" != 0" if e.width > 1 else "") for e in enables) or "true"


def _effect(record: Record, f: RetireField) -> Effect:
    template = f.template if f.effect else f"{f.name}={{{f.name}}}"
    mask = f if f.over else None
    text = _text(record, template, mask)
    if mask:
        text = f"[&](std::size_t i) {{ return {text}; }}"
    name = f.effect or f.name
    return Effect(name, not f.effect, _applies(record, f), f.name if mask else "", text)


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
