"""The first difference of two netlists, and what a core has of ports that do nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ppa.netlist import Bit, Netlist, public_names


@dataclass(frozen=True)
class Comparison:
    """difference: the first one, empty where there is none. idle: ports of one side that change nothing."""

    difference: str
    idle: tuple[str, ...] = ()


def compare(old: Mapping[str, Any], new: Mapping[str, Any]) -> Comparison:
    """Whether two netlists, as `netlist.elaborate` makes them, are the same but for ports that do nothing."""
    shared = public_names(old) & public_names(new)
    before, after = (Netlist(module, shared) for module in (old, new))
    idle = [*_idle(after, before, "new"), *_idle(before, after, "no longer a")]
    of_idle = {name.partition(":")[0].rpartition(" ")[2] for name in idle}
    return Comparison(next(_differences(before, after, of_idle), ""), tuple(idle))


def _idle(one: Netlist, other: Netlist, what: str) -> Iterator[str]:
    """Ports of one that the other lacks, and that nothing is done with."""
    for name in one.inputs.keys() - other.inputs.keys():
        if not one.is_read(name):
            yield f"{what} input {name}: not read"
    for name in one.outputs.keys() - other.outputs.keys():
        if (value := one.constant(name)) is not None:
            yield f"{what} output {name}: always {value}"


def _differences(before: Netlist, after: Netlist, idle: set[str]) -> Iterator[str]:
    for name in sorted((before.inputs.keys() ^ after.inputs.keys()) - idle):
        yield f"input {name} is {_where(name, before.inputs)}"
    for name in sorted(before.ends.keys() ^ after.ends.keys()):
        if name.partition("[")[0] not in idle:
            yield f"{name} is {_where(name, before.ends)}"
    for name in sorted(before.ends.keys() & after.ends.keys()):
        if before.end_label(name) != after.end_label(name):
            yield _explained(name, before, after)
    old, new = before.counted(), after.counted()
    for cell in sorted((old - new) | (new - old)):
        yield f"{cell.rpartition(' ')[0]}: {old[cell]} before, {new[cell]} now"


def _where(name: str, before: Mapping[str, object]) -> str:
    return "no longer there" if name in before else "new"


def _explained(name: str, before: Netlist, after: Netlist) -> str:
    """Follow the logic from an end to the first cell that differs."""
    old, new = before.ends[name], after.ends[name]
    if old.kind != new.kind:
        return f"{name}: {old.kind} before, {new.kind} now"
    path, into = [name], (old.inputs, new.inputs)
    while True:
        found = _first(into[0], into[1], before, after)
        if found is None:
            return f"{' < '.join(path)}: other ports"
        port, a, b = found
        path.append(port)
        if not (a in before.cells and b in after.cells):
            return f"{' < '.join(path)}: {_named(a, before)} before, {_named(b, after)} now"
        (one, *at), (other, *here) = before.cells[a], after.cells[b]
        if (one.kind, one.parameters, at) != (other.kind, other.parameters, here):
            return f"{' < '.join(path)}: {one} before, {other} now"
        path[-1] += f" {one.kind.removeprefix('$')}"
        into = one.inputs, other.inputs


def _first(
    old: Mapping[str, tuple[Bit, ...]], new: Mapping[str, tuple[Bit, ...]], before: Netlist, after: Netlist
) -> tuple[str, Bit, Bit] | None:
    """The first bits that go in and differ."""
    for port in sorted(old.keys() & new.keys()):
        for i, (a, b) in enumerate(zip(old[port], new[port], strict=False)):
            if before.label(a) != after.label(b):
                return f"{port}[{i}]", a, b
    return None


def _named(bit: Bit, of: Netlist) -> str:
    return str(of.cells[bit][0]) if bit in of.cells else of.label(bit)
