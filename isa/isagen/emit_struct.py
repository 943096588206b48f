"""A packed struct in SystemVerilog, the same in C++, and the way from one to the other, for the fields of any record.

They are rows of `struct.sv.j2` and `struct.hpp.j2`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

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


class Row(NamedTuple):
    """A member of a struct."""

    type: str
    name: str
    text: str


class Place(NamedTuple):
    """Where the packed struct has a value."""

    value: str
    lsb: int
    width: int


def bits(fields: Sequence[Field]) -> int:
    """Size of the packed struct."""
    return sum(f.width * f.count for f in fields)


def _packed(fields: Sequence[Field]) -> list[Field]:
    """The fields from the most significant bit on: the widest last, so that their values begin at whole words."""
    return sorted(fields, key=lambda f: f.width)


def sv_rows(fields: Sequence[Field]) -> list[Row]:
    """The members of the packed struct."""
    return [Row(_sv_type(f), f.name, f.text) for f in _packed(fields)]


def _sv_type(f: Field) -> str:
    """Return the dimensions of an array, its own first: a named type has its dimensions after it."""
    array = f" [{f.count - 1}:0]" if f.count > 1 else ""
    if f.shown in SV_TYPES:
        return SV_TYPES[f.shown] + array
    return "logic" + array + (f" [{f.width - 1}:0]" if f.width > 1 else "")


def cpp_rows(fields: Sequence[Field]) -> list[Row]:
    """The members of the simulator's struct."""
    return [Row(_cpp_type(f), f.name, f.text) for f in fields]


def _cpp_type(f: Field) -> str:
    if f.shown == "vector":
        one = "Vec"
    elif f.width == 1:
        one = "bool"
    else:
        one = f"std::uint{next(n for n in (8, 16, 32, 64) if n >= f.width)}_t"
    return one if f.count == 1 else f"std::array<{one}, {f.count}>"


def places(fields: Sequence[Field]) -> list[Place]:
    """Every value by its place in the packed struct, whose last field is the least significant."""
    out: list[Place] = []
    lsb = 0
    for f in reversed(_packed(fields)):
        for i in range(f.count):
            out.append(Place(f.name + (f"[{i}]" if f.count > 1 else ""), lsb, f.width))
            lsb += f.width
    return out
