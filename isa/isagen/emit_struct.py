"""A struct in SystemVerilog and in C++, and the way from the packed one to the other: of fields of any record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

# SystemVerilog types of fields that are not plain numbers.
SV_TYPES = {
    "address": "addr_t",
    "vector": "vec_t",
    "word": "insn_t",
    "trap_name": "trap_e",
    "vector_name": "vector_e",
    "space_name": "space_e",
    "address_register_name": "ar_t",
}


class Field(Protocol):
    """A field: width is the bits of one of `count` values, shown the way in which a value is written."""

    @property
    def name(self) -> str: ...
    @property
    def shown(self) -> str: ...
    @property
    def width(self) -> int: ...
    @property
    def count(self) -> int: ...
    @property
    def text(self) -> str: ...


def bits(fields: Sequence[Field]) -> int:
    """Size of the packed struct."""
    return sum(f.width * f.count for f in fields)


def _packed(fields: Sequence[Field]) -> list[Field]:
    """The fields from the most significant bit on: the widest last, so that their values begin at whole words."""
    return sorted(fields, key=lambda f: f.width)


def sv_struct(name: str, fields: Sequence[Field]) -> str:
    """The packed struct."""
    out = "  typedef struct packed {\n"
    for f in _packed(fields):
        out += f"    {_sv_type(f)} {f.name};  // {f.text}\n"
    return out + f"  }} {name};\n\n"


def _sv_type(f: Field) -> str:
    """Return the dimensions of an array, its own first: a named type has its dimensions after it."""
    array = f" [{f.count - 1}:0]" if f.count > 1 else ""
    if f.shown in SV_TYPES:
        return SV_TYPES[f.shown] + array
    return "logic" + array + (f" [{f.width - 1}:0]" if f.width > 1 else "")


def cpp_struct(name: str, fields: Sequence[Field]) -> str:
    """The struct of the simulator, equal where all values are."""
    out = f"struct {name} {{\n"
    for f in fields:
        one = _cpp_type(f)
        out += f"  {one if f.count == 1 else f'std::array<{one}, {f.count}>'} {f.name}{{}};  // {f.text}\n"
    return out + f"\n  bool operator==(const {name}&) const = default;\n}};\n\n"


def _cpp_type(f: Field) -> str:
    if f.shown == "vector":
        return "Vec"
    if f.width == 1:
        return "bool"
    return f"std::uint{next(n for n in (8, 16, 32, 64) if n >= f.width)}_t"


def cpp_unpack(struct: str, function: str, fields: Sequence[Field]) -> str:
    """The packed struct's fields by place; its last field is the least significant."""
    out = "// Every value out of the packed struct: take(value, lsb, width) sets one.\n"
    out += f"template <class Take>\nvoid {function}({struct}& r, const Take& take) {{\n"
    lsb = 0
    for f in reversed(_packed(fields)):
        for i in range(f.count):
            out += f"  take(r.{f.name}{f'[{i}]' if f.count > 1 else ''}, {lsb}, {f.width});\n"
            lsb += f.width
    return out + "}\n\n"
