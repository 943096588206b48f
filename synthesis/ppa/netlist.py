"""Netlists before mapping, as what they are: names of wires and cells between registers do not count.

A bit is known by the register, memory or port that it comes from, else by the cell that drives it and what goes in
there. Registers, memories and ports are known by their names.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ppa.design import Design
from ppa.tools import PpaError, yosys

Bit = int | str  # a net, or a constant
DATA = "D"
# Cells of Yosys whose output's bits do not depend on all bits that go in.
SUMS, BITWISE, CHOICES = ("$add", "$sub"), ("$and", "$or", "$xor", "$xnor", "$not"), ("$mux", "$pmux")
# Cells whose inputs are in an order that Yosys chooses, by what it has called them.
UNORDERED = ("$reduce_and", "$reduce_or", "$reduce_xor", "$reduce_bool")
# Parts of the names of cells that hold a value.
STATES = ("ff", "latch", "$mem", "$sr")
# Parameters of a flip-flop that go bit by bit.
_VALUES = ("ARST_VALUE", "SRST_VALUE")


@dataclass(frozen=True)
class Cell:
    """A cell of Yosys, with the labels of what goes in."""

    kind: str
    parameters: tuple[tuple[str, str], ...]
    inputs: Mapping[str, tuple[Bit, ...]]

    def needed(self, index: int) -> Mapping[str, tuple[Bit, ...]]:
        """Inputs of a bit of the output. Of a sum these are the lower bits: higher ones may depend on it."""
        if self.kind in SUMS:
            return {port: bits[: index + 1] for port, bits in self.inputs.items()}
        if self.kind in BITWISE:
            return {port: bits[min(index, len(bits) - 1) :][:1] for port, bits in self.inputs.items()}
        if self.kind in CHOICES:
            width = len(self.inputs["A"])
            return {port: bits if port == "S" else bits[index::width] for port, bits in self.inputs.items()}
        return self.inputs

    def __str__(self) -> str:
        widths = ", ".join(f"{port} of {len(bits)}" for port, bits in self.inputs.items())
        return f"{self.kind.removeprefix('$')} ({widths})"


@dataclass(frozen=True)
class End:
    """Where logic ends: a bit of a register, a port of a memory, an output. kind: with all that is constant of it."""

    kind: str
    inputs: Mapping[str, tuple[Bit, ...]]


def elaborate(design: Design, folder: Path) -> Mapping[str, Any]:
    """The netlist of a design, flat, before any cell of a library: a module of Yosys' JSON. Raises PpaError."""
    folder.mkdir(parents=True, exist_ok=True)
    parameters = " ".join(f"-G {name}={value}" for name, value in sorted(design.parameters.items()))
    defines = " ".join(f"-D {name}" for name in design.defines)
    files = " ".join(map(str, design.files))
    place = folder / "netlist.json"
    yosys(
        f"""
read_slang --top {design.top} {defines} {parameters} {" ".join(design.options)} {files}
hierarchy -check -top {design.top}
flatten
proc
opt -full
write_json {place}
""",
        folder,
    )
    modules = json.loads(place.read_text())["modules"]
    place.unlink()
    (top,) = (m for m in modules.values() if int(m["attributes"].get("top", "0"), 2))
    return dict(top)


def public_names(module: Mapping[str, Any]) -> set[str]:
    """Names of nets that are in the sources."""
    return {name for name, net in module["netnames"].items() if not net["hide_name"]}


def _digest(what: object) -> str:
    return hashlib.sha256(repr(what).encode()).hexdigest()[:24]


def _is_state(kind: str) -> bool:
    """Whether a cell holds a value: a flip-flop, a latch, a memory, or a box of which nothing is known."""
    return not kind.startswith("$") or any(part in kind for part in STATES)


@dataclass
class Netlist:
    """A module of Yosys' JSON. shared: names that its registers are called by, where they have one of these."""

    module: Mapping[str, Any]
    shared: Set[str] = frozenset()
    cells: dict[Bit, tuple[Cell, str, int]] = field(default_factory=dict)  # by the net that they drive: port, index
    ends: dict[str, End] = field(default_factory=dict)
    inputs: dict[str, tuple[Bit, ...]] = field(default_factory=dict)
    outputs: dict[str, tuple[Bit, ...]] = field(default_factory=dict)
    labels: dict[Bit, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, port in self.module["ports"].items():
            bits = tuple(port["bits"])
            if port["direction"] == "output":
                self.outputs[name] = bits
                self.ends |= {f"{name}[{i}]": End("output", {DATA: (bit,)}) for i, bit in enumerate(bits)}
            else:
                self.inputs[name] = bits
                self.labels |= {bit: f"{name}[{i}]" for i, bit in enumerate(bits)}
        names = self._public_names()
        for name, cell in self.module["cells"].items():
            self._add(name, cell, names)
        self._label(bit for end in self.ends.values() for bits in end.inputs.values() for bit in bits)

    def _public_names(self) -> dict[Bit, str]:
        def order(name: str) -> tuple[bool, int, int, str]:
            """The name nearest to the top module comes first."""
            return name not in self.shared, name.count("."), len(name), name

        names: dict[Bit, str] = {}
        for name in sorted(public_names(self.module), key=order):
            for i, bit in enumerate(self.module["netnames"][name]["bits"]):
                names.setdefault(bit, f"{name}[{i}]")
        return names

    def _add(self, name: str, cell: Mapping[str, Any], names: Mapping[Bit, str]) -> None:
        kind, directions = cell["type"], cell["port_directions"]
        ports = {port: tuple(bits) for port, bits in cell["connections"].items()}
        into = {port: bits for port, bits in sorted(ports.items()) if directions[port] == "input"}
        out = {port: bits for port, bits in ports.items() if directions[port] == "output"}
        parameters = {key: str(value) for key, value in sorted(cell["parameters"].items())}
        if not _is_state(kind):
            made = Cell(kind, tuple(parameters.items()), into)
            self.cells |= {bit: (made, port, i) for port, bits in out.items() for i, bit in enumerate(bits)}
        elif "Q" in out and DATA in into:
            self._add_register(name, kind, parameters, into, out["Q"], names)
        else:
            self.ends[name] = End(f"{kind} {parameters}", into)
            self.labels |= {bit: f"{name}.{port}[{i}]" for port, bits in out.items() for i, bit in enumerate(bits)}

    def _add_register(
        self,
        name: str,
        kind: str,
        parameters: Mapping[str, str],
        into: Mapping[str, tuple[Bit, ...]],
        out: tuple[Bit, ...],
        names: Mapping[Bit, str],
    ) -> None:
        """Bit by bit: how many of them are in a cell is a choice of Yosys."""
        fixed = {key: value for key, value in parameters.items() if key not in (*_VALUES, "WIDTH")}
        for i, bit in enumerate(out):
            if bit not in names:
                raise PpaError(f"a register has no name: {name}")
            values = [parameters[key][-1 - i] for key in _VALUES if key in parameters]
            data = {port: (bits[i] if port == DATA else bits[0],) for port, bits in into.items()}
            self.ends[names[bit]] = End(f"{kind} {fixed} {values}", data)
            self.labels[bit] = names[bit]

    def _label(self, wanted: Iterator[Bit]) -> None:
        """Labels of nets: each once all that it depends on has one."""
        todo, begun = list(wanted), set[Bit]()
        while todo:
            bit = todo[-1]
            if bit in self.labels or isinstance(bit, str):
                todo.pop()
                continue
            if bit not in self.cells:
                raise PpaError(f"net {bit} has no driver")
            cell, port, index = self.cells[bit]
            needed = cell.needed(index)
            missing = [b for bits in needed.values() for b in bits if isinstance(b, int) and b not in self.labels]
            if not missing:
                todo.pop()
                into = [(name, [self.label(b) for b in bits]) for name, bits in needed.items()]
                if cell.kind in UNORDERED:
                    into = [(name, sorted(labels)) for name, labels in into]
                place = (port, index) if cell.kind not in (*BITWISE, *CHOICES) else ""
                self.labels[bit] = _digest((cell.kind, cell.parameters, place, into))
            elif bit in begun:
                raise PpaError(f"a loop of logic through {cell}")
            else:
                begun.add(bit)
                todo += missing

    def label(self, bit: Bit) -> str:
        """A net's label, or the constant."""
        return bit if isinstance(bit, str) else self.labels[bit]

    def end_label(self, name: str) -> tuple[str, list[tuple[str, list[str]]]]:
        """All that an end is."""
        end = self.ends[name]
        return end.kind, [(port, [self.label(bit) for bit in bits]) for port, bits in end.inputs.items()]

    def counted(self) -> Counter[str]:
        """How often there is each cell: its kind for a reader, and what its outputs are."""
        found: dict[int, tuple[Cell, list[str]]] = {}
        for bit, (cell, _, _) in self.cells.items():
            found.setdefault(id(cell), (cell, []))[1].append(self.labels.get(bit, "not used"))
        return Counter(f"{cell} {_digest(sorted(labels))}" for cell, labels in found.values())

    def is_read(self, port: str) -> bool:
        """Whether a bit of an input goes anywhere."""
        bits = {*self.inputs[port]}
        used = (end.inputs for end in self.ends.values())
        cells = (cell.inputs for cell, _, _ in self.cells.values())
        return any(bits & {*of} for into in (*used, *cells) for of in into.values())

    def constant(self, port: str) -> str | None:
        """The value of an output that is constant, its most significant bit first."""
        bits = self.outputs[port]
        return "".join(map(str, reversed(bits))) if all(isinstance(bit, str) for bit in bits) else None
