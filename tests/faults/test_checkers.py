"""The checkers of a protected core: whatever single gate of one fails, the other way of the same check still tells."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import z3

from faults.netlist import Design, Netlist, core_files, make, unit

# Units, and their outputs in two polarities: that something is wrong, and that nothing is.
COMPARE = unit("lutra_compare", {"WIDTH": 24})
CHECKERS: Mapping[str, tuple[Design, tuple[str, ...], tuple[str, ...]]] = {
    "compare": (COMPARE, ("differ_o",), ("same_o",)),
    "row": (unit("lutra_row_check"), ("wrong_o",), ("right_o",)),
    "word": (unit("lutra_word_check"), ("wrong_o",), ("right_o",)),
    **{
        f"alert, {rounds} rounds": (
            unit("lutra_alert", {"ROUNDS_PER_INSTR": rounds}),
            ("x1_wrong_o", "wb_wrong_o", "differ_o"),
            ("x1_right_o", "wb_right_o", "same_o"),
        )
        for rounds in (1, 2)
    },
}


@dataclass(frozen=True)
class Gates:
    """Driver of each net: its truth table (none for a flip-flop) and what goes in."""

    drivers: Mapping[int, tuple[int | None, tuple[int, ...]]]
    outputs: Mapping[str, int]
    inputs: Mapping[int, str]

    def cone(self, ports: tuple[str, ...]) -> set[int]:
        """Nets of gates and flip-flops that outputs depend on, at any time."""
        found: set[int] = set()
        todo = [self.outputs[port] for port in ports]
        while todo:
            net = todo.pop()
            if net in self.drivers and net not in found:
                found.add(net)
                todo += self.drivers[net][1]
        return found


def read(netlist: Netlist) -> Gates:
    drivers: dict[int, tuple[int | None, tuple[int, ...]]] = {}
    outputs: dict[str, int] = {}
    inputs: dict[int, str] = {}
    for line in netlist.file.read_text().splitlines():
        kind, *rest = line.split()
        if kind == "gate":
            drivers[int(rest[0])] = int(rest[1]), tuple(map(int, rest[2:]))
        elif kind == "flop":
            drivers[int(rest[0])] = None, (int(rest[1]),)
        elif kind == "output":
            outputs |= {rest[0] if len(rest) == 2 else f"{rest[0]}[{i}]": int(net) for i, net in enumerate(rest[1:])}
        elif kind == "input":
            inputs |= {int(net): f"{rest[0]}[{i}]" for i, net in enumerate(rest[1:])}
    return Gates(drivers, outputs, inputs)


def term(gates: Gates, port: str) -> z3.BoolRef:
    """An output of a unit as a function of the inputs; a flip-flop counts as a wire."""

    @cache
    def of(net: int) -> z3.BoolRef:
        if net in (0, 1):
            return z3.BoolVal(bool(net))
        if net in gates.inputs:
            return z3.BitVec(gates.inputs[net], 1) == 1
        table, ins = gates.drivers[net]
        if table is None:
            return of(*ins)
        args = [of(n) for n in ins]
        rows = [
            z3.And(*(arg if row >> i & 1 else z3.Not(arg) for i, arg in enumerate(args)))
            for row in range(1 << len(args))
            if table >> row & 1
        ]
        return z3.Or(*rows)

    return of(gates.outputs[port])


def shared(design: Design, wrong: tuple[str, ...], right: tuple[str, ...]) -> set[int]:
    """Return what reaches both ways of the check; a fault may be in it."""
    gates = read(make(design))
    assert gates.cone(wrong) and gates.cone(right)
    return gates.cone(wrong) & gates.cone(right)


@pytest.mark.parametrize("name", CHECKERS)
def test_no_gate_reaches_both_ways(name: str) -> None:
    assert not shared(*CHECKERS[name])


@pytest.mark.parametrize("name", ["compare", "row", "word"])
def test_each_way_alone_tells_all_that_is_wrong(name: str) -> None:
    design, (wrong,), (right,) = CHECKERS[name]
    gates = read(make(design))
    solver = z3.Solver()
    solver.add(term(gates, wrong) == term(gates, right))
    assert solver.check() == z3.unsat


def test_the_forward_check_tells_any_difference_between_a_result_and_its_parts() -> None:
    """But of a join, which nobody takes from X2."""
    gates = read(make(unit("lutra_forward_check")))
    wrong = term(gates, "wb_wrong_o")
    (package,) = (path for path in core_files() if path.name == "lutra_isa_pkg.sv")
    found = re.search(r"PairingPairJoin = (\d+)'[hd](\d+)", package.read_text())
    assert found

    def bit(port: str, i: int) -> z3.BoolRef:
        return z3.BitVec(f"{port}[{i}]", 1) == 1

    joins = z3.And(*(bit("p2_i", i) == bool(int(found[2]) >> i & 1) for i in range(int(found[1]))))
    bits = range(sum(name.startswith("result_i[") for name in gates.inputs.values()))
    assert len(bits) == 128
    differs = z3.Or(*(bit("result_i", i) != (bit("core_i", i) != bit("side_i", i)) for i in bits))
    solver = z3.Solver()
    solver.add(wrong != z3.And(differs, z3.Not(joins)))
    assert solver.check() == z3.unsat


def test_without_the_buffers_both_ways_would_be_one(tmp_path: Path) -> None:
    plain = tmp_path / "lutra_compare.sv"
    (source,) = (path for path in core_files() if path.name == plain.name)
    text = source.read_text()
    begin, end = text.index("  for (genvar"), text.index("  assign differ_o")
    plain.write_text(f"{text[:begin]}  assign {{a, b}} = {{a_i, b_i}};\n{text[end:]}")
    files = tuple(plain if path == source else path for path in COMPARE.files)
    assert shared(Design(COMPARE.top, files, COMPARE.parameters), ("differ_o",), ("same_o",))
