"""The pins of the core, or of a unit in it, while a job runs on the Verilated core: read from its waves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pywellen

from faults.errors import FaultsError
from faults.netlist import Netlist

CORE = "lutra_core.lutra_core"


@dataclass(frozen=True)
class Roles:
    """Meaning of the ports for the host, by the words of the engine's file; none where all outputs count."""

    ports: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    busy: int = 0

    def lines(self) -> list[str]:
        """Return the lines of the engine's file."""
        named = [f"{role} {port}" for role, ports in self.ports.items() for port in ports]
        return [*named, f"busy {self.busy}"]


@dataclass(frozen=True)
class Row:
    """Values of a cycle: inputs at the edge that ends it, inputs and outputs after that edge, as far as known.

    look: what the host does with the data of a read, if it does not use them at once (engine/record.hpp).
    """

    inputs: Mapping[str, int]
    outputs: Mapping[str, int] | None
    after: Mapping[str, int] | None = None
    look: str = ""


def write(path: Path, netlist: Netlist, roles: Roles, rows: Iterable[Row], begin: int) -> None:
    """Write the engine's file. begin: the first row that faults are tried in."""
    inputs, outputs = netlist.ports

    def values(ports: Iterable[str], row: Mapping[str, int]) -> str:
        return " ".join(f"{row[port]:x}" for port in ports)

    with path.open("w") as out:
        out.writelines(f"{line}\n" for line in [*roles.lines(), f"begin {begin}"])
        for row in rows:
            after = f" after {values(inputs, row.after)}" if row.after is not None else ""
            seen = "unknown" if row.outputs is None else f"outputs {values(outputs, row.outputs)}"
            out.write(f"row {values(inputs, row.inputs)}{after} {seen}{row.look and ' ' + row.look}\n")


class Waves:
    """Waves of the Verilated core, whose clock is low at even times and rises at odd ones."""

    def __init__(self, path: Path, first: int, last: int) -> None:
        """first, last: numbers of the first clock cycle in the file and of the one after the last."""
        self._variables = {var.full_name: var for var in pywellen.Waveform(str(path)).all_vars()}
        self.edges = range(2 * first + 1, 2 * last, 2)
        self._signals: dict[str, list[tuple[int, pywellen.Signal]]] = {}

    def value(self, name: str, time: int) -> int:
        """Return the value of a variable, or of a structure as the number that its members make."""
        if name not in self._signals:
            self._signals[name] = [(self._width(var), var.signal) for var in self._members(name)]
        number = 0
        for width, signal in self._signals[name]:
            value = signal.value_at(time)
            number = number << width | (0 if value is None else int(value))
        return number

    def width(self, name: str) -> int:
        """Return the number of bits of a variable or structure."""
        return sum(self._width(var) for var in self._members(name))

    @staticmethod
    def _width(var: pywellen.Var) -> int:
        return int(var.bitwidth or 1)

    def _members(self, name: str) -> Sequence[pywellen.Var]:
        if name in self._variables:
            return [self._variables[name]]
        found = [var for full, var in self._variables.items() if full.startswith((f"{name}.", f"{name}["))]
        if not found:
            raise FaultsError(f"the waves have no {name}")
        return found


def of_core(waves: Waves, netlist: Netlist) -> list[Row]:
    """Return the rows of the whole core, whose inputs stay as they are over the clock's edge."""
    inputs, outputs = netlist.ports
    rows = []
    for time in waves.edges:
        now = {port: waves.value(f"{CORE}.{port}", time) for port in (*inputs, *outputs)}
        rows.append(Row(now, now))
    return rows


def of_unit(waves: Waves, netlist: Netlist, scope: str, through: Mapping[str, str], known: int = 0) -> list[Row]:
    """Return the rows of an instance in the core.

    through: inputs that follow an input of the core at once, by that input. The waves have these only after the edge.
    known: the row from which on its outputs are; before it, what a register holds is chance.
    """
    inputs, outputs = netlist.ports
    for port, width in (*inputs.items(), *outputs.items()):
        if (found := waves.width(f"{CORE}.{scope}.{port}")) != width:
            raise FaultsError(f"{scope}.{port} has {width} bits in the netlist, and {found} in the waves")
    rows: list[Row] = []
    before = {port: waves.value(f"{CORE}.{scope}.{port}", waves.edges[0]) for port in inputs}
    for time in waves.edges:
        at_edge = before | {port: waves.value(f"{CORE}.{other}", time) for port, other in through.items()}
        after = {port: waves.value(f"{CORE}.{scope}.{port}", time) for port in inputs}
        seen = {port: waves.value(f"{CORE}.{scope}.{port}", time) for port in outputs}
        rows.append(Row(at_edge, seen if len(rows) >= known else None, after))
        before = after
    return rows
