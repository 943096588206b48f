"""Registers and layouts in memory, as `soc/registers/lutra_axi.rdl` has them.

layout = load()
layout.axi.offset("ring[1].tail")
descriptor = layout.descriptor.pack({"control.operation": 2, "length.bytes": 64})
layout.completion.unpack(row)["result.status"] == layout.status["ok"]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from systemrdl.compiler import RDLCompiler
from systemrdl.node import AddrmapNode, FieldNode, RegNode

SOURCE = Path(__file__).parents[2] / "registers" / "lutra_axi.rdl"
MAPS = ("lutra_axi", "lutra_descriptor", "lutra_element", "lutra_completion", "lutra_raw")
WORD = 4
Order = Literal["little", "big"]


@dataclass(frozen=True)
class Field:
    """Bits of a word. codes: its values by name, where the description names them. access: what software does to it:
    `r`, `rw`, `woset` and `woclr` (writing ones sets or clears), `pulse`."""

    offset: int
    low: int
    width: int
    reset: int
    access: str
    codes: Mapping[str, int]

    @property
    def mask(self) -> int:
        return (1 << self.width) - 1 << self.low

    def of(self, word: int) -> int:
        """Return the field's value in a word."""
        return (word & self.mask) >> self.low


class Map:
    """An address map: its words and fields by path, such as `ring[0].state.idle`."""

    def __init__(self, node: AddrmapNode) -> None:
        self.name = node.inst_name
        self.bytes = node.size
        self._offsets: dict[str, int] = {}
        self.fields: dict[str, Field] = {}
        for child in node.descendants(unroll=True):
            path = child.get_path().removeprefix(f"{self.name}.")
            if isinstance(child, RegNode):
                self._offsets[path] = child.absolute_address
            elif isinstance(child, FieldNode):
                self.fields[path] = _field(child)

    def offset(self, path: str) -> int:
        """Return the offset of a register in bytes."""
        return self._offsets[path]

    @property
    def registers(self) -> Mapping[str, int]:
        """Offsets of all registers by path."""
        return self._offsets

    def pack(self, values: Mapping[str, int], order: Order = "little") -> bytes:
        """Return the bytes of the map with these fields, the others zero. ValueError where a value does not fit."""
        words = [0] * (self.bytes // WORD)
        for path, value in values.items():
            field = self.fields[path]
            if value >> field.width:
                raise ValueError(f"{self.name}.{path} has {field.width} bits, too few for {value:#x}")
            words[field.offset // WORD] |= value << field.low
        return b"".join(word.to_bytes(WORD, order) for word in words)

    def unpack(self, data: bytes, order: Order = "little") -> dict[str, int]:
        """Return all fields of the map's bytes."""
        return {path: f.of(int.from_bytes(data[f.offset : f.offset + WORD], order)) for path, f in self.fields.items()}


@dataclass(frozen=True)
class Code:
    """A named value and its description."""

    name: str
    value: int
    text: str


@dataclass(frozen=True)
class Layout:
    """All maps, and the codes of enumerations by name."""

    nodes: Mapping[str, AddrmapNode]
    maps: Mapping[str, Map]
    enums: Mapping[str, tuple[Code, ...]]

    @property
    def axi(self) -> Map:
        return self.maps["lutra_axi"]

    @property
    def descriptor(self) -> Map:
        return self.maps["lutra_descriptor"]

    @property
    def element(self) -> Map:
        return self.maps["lutra_element"]

    @property
    def completion(self) -> Map:
        return self.maps["lutra_completion"]

    @property
    def raw(self) -> Mapping[str, int]:
        """Codes of the raw operations."""
        return {path.rpartition(".")[2]: f.reset for path, f in self.maps["lutra_raw"].fields.items()}

    @property
    def status(self) -> Mapping[str, int]:
        """Codes of a completion's status."""
        return {code.name: code.value for code in self.enums["status_e"]}


@cache
def load() -> Layout:
    """Read the description."""
    nodes = {name: _elaborate(name, SOURCE) for name in MAPS}
    enums: dict[str, tuple[Code, ...]] = {}
    for node in nodes.values():
        for child in node.descendants():
            encode = child.get_property("encode") if isinstance(child, FieldNode) else None
            if encode is not None:
                enums[encode.type_name] = tuple(
                    Code(m.name, m.value, " ".join((m.rdl_desc or m.name).split())) for m in encode
                )
    return Layout(nodes, {name: Map(node) for name, node in nodes.items()}, enums)


@cache
def cluster(name: str = "lutra_cluster") -> Map:
    """Registers of a cluster, or the first word of its descriptors: `lutra_cluster_control`."""
    return Map(cluster_node(name))


def cluster_node(name: str) -> AddrmapNode:
    """The same as SystemRDL has it."""
    return _elaborate(name, SOURCE.with_name("lutra_cluster.rdl"))


def _elaborate(name: str, source: Path) -> AddrmapNode:
    compiler = RDLCompiler()
    compiler.compile_file(str(source))
    return compiler.elaborate(name).top


def _field(node: FieldNode) -> Field:
    encode = node.get_property("encode")
    codes = {m.name: m.value for m in encode} if encode is not None else {}
    reset = node.get_property("reset")
    onwrite = node.get_property("onwrite")
    if node.get_property("singlepulse"):
        access = "pulse"
    elif onwrite is not None:
        access = onwrite.name
    else:
        access = node.get_property("sw").name
    value = reset if isinstance(reset, int) else 0
    return Field(node.parent.absolute_address, node.low, node.width, value, access, codes)
