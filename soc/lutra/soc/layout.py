"""Rows of the templates: what `registers/lutra_axi.rdl` says of words in memory, as names and bit positions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from systemrdl.node import AddrmapNode, FieldNode, RegNode

# Words that SystemVerilog keeps for itself get a line below, as in the registers' package.
KEYWORDS = frozenset({"class", "context"})
WORD_BITS = 32


class Member(NamedTuple):
    """A field of a word, or the reserved bits between two."""

    name: str
    width: int
    desc: str


class Word(NamedTuple):
    """A register, its position in words, and its fields: the first is the most significant, as in a packed struct."""

    name: str
    position: int
    members: tuple[Member, ...]


class Value(NamedTuple):
    """A value of an enumeration."""

    name: str
    code: int
    desc: str


class Layout(NamedTuple):
    """A record in memory."""

    name: str
    bytes: int
    words: tuple[Word, ...]


def camel(name: str) -> str:
    """`bad_key` as `BadKey`."""
    return "".join(part.capitalize() for part in name.split("_"))


def members(reg: RegNode) -> Iterator[Member]:
    """The fields of a register from bit 31 down, with the reserved bits between them."""
    free = WORD_BITS - 1
    fields = sorted(reg.fields(), key=lambda field: field.msb, reverse=True)
    for field in fields:
        if field.msb < free:
            yield Member(f"reserved_{free}", free - field.msb, "zero")
        name = f"{field.inst_name}_" if field.inst_name in KEYWORDS else field.inst_name
        yield Member(name, field.width, text(field))
        free = field.low - 1
    if free >= 0:
        yield Member(f"reserved_{free}", free + 1, "zero")


def text(field: FieldNode) -> str:
    """Describe a field in one line, with the words of the file."""
    return " ".join((field.get_property("desc") or "").split())


def layout(node: AddrmapNode) -> Layout:
    """A record in memory: its words, an array by its first."""
    name = node.inst_name.removeprefix("lutra_")
    words = [
        Word(reg.inst_name, reg.raw_address_offset // 4, tuple(members(reg))) for reg in node.registers(unroll=False)
    ]
    return Layout(name, node.size, tuple(words))


def word(node: AddrmapNode, path: str) -> Word:
    """One register of the map, such as an entry of the table of operations."""
    reg = node.find_by_path(path)
    assert isinstance(reg, RegNode)
    return Word(reg.inst_name, 0, tuple(members(reg)))


def values(node: AddrmapNode, path: str) -> tuple[Value, ...]:
    """The values of a field that is encoded by an enumeration."""
    field = node.find_by_path(path)
    assert isinstance(field, FieldNode)
    found = field.get_property("encode")
    assert found is not None
    return tuple(Value(camel(value.name), value.value, value.rdl_desc or "") for value in found.members.values())


def constants(node: AddrmapNode, path: str) -> tuple[Value, ...]:
    """The fields of a register that always have their reset value: codes of raw operations, sizes of the device."""
    reg = node.find_by_path(path)
    assert isinstance(reg, RegNode)
    return tuple(Value(camel(f.inst_name), reset(f), text(f)) for f in reg.fields() if not f.is_hw_writable)


def reset(field: FieldNode) -> int:
    """A field's value after reset, which has to be a number."""
    value = field.get_property("reset")
    assert isinstance(value, int)
    return value
