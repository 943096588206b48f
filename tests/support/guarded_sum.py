"""The design of `tests/faults/guarded_sum.sv`: what its pins do, and its netlist with a fault, one at a time."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from faults.netlist import Design, Netlist
from faults.record import Roles, Row
from variant import ROOT

INPUTS = {"rst_ni": 1, "add_i": 1, "store_i": 1, "load_i": 1, "row_i": 3, "value_i": 8}
WITH_ALERT = Roles({"alert": ("alert_o",), "data": ("sum_o",)})
Bits = dict[int, int]  # values by net


def design(guarded: bool, folder: Path = ROOT / "tests" / "faults") -> Design:
    """Return the design; `folder` may have a changed source."""
    files = (ROOT / "rtl" / "lutra_sram.sv", folder / "guarded_sum.sv")
    return Design("guarded_sum", files, {"GUARDED": int(guarded)})


def rows(count: int, seed: int = 1) -> list[Row]:
    """Return random inputs and what the outputs are, from the description of the design."""
    chosen = random.Random(seed)
    total, loaded, row, memory = 0, False, 0, [0] * 8
    out = []
    for cycle in range(count):
        now = {name: chosen.randrange(1 << width) for name, width in INPUTS.items()} | {"rst_ni": int(cycle > 1)}
        if cycle < 12:  # rows are defined before they are read, and the sum is not zero
            now |= {"store_i": int(cycle >= 4), "load_i": 0, "row_i": cycle % 8, "add_i": 1}
        after = total + now["value_i"] * now["add_i"] + row * loaded
        if now["store_i"]:
            memory[now["row_i"]] = total
        elif now["load_i"]:
            row = memory[now["row_i"]]
        loaded = bool(now["load_i"] and not now["store_i"]) and bool(now["rst_ni"])
        total = after % 256 if now["rst_ni"] else 0
        out.append(Row(now, {"sum_o": total, "alert_o": 0}))
    return out


class Simple:
    """A netlist read again, and evaluated in the plainest way: a fault is a net whose value is changed."""

    def __init__(self, netlist: Netlist) -> None:
        self.gates: list[tuple[int, int, list[int]]] = []
        self.flops: list[tuple[int, int, list[int]]] = []
        self.memories: list[list[int]] = []
        self.inputs: dict[str, list[int]] = {}
        self.outputs: dict[str, list[int]] = {}
        for line in netlist.file.read_text().splitlines():
            kind, *rest = line.split()
            if kind in ("input", "output"):
                (self.inputs if kind == "input" else self.outputs)[rest[0]] = [int(net) for net in rest[1:]]
            elif kind == "memory":
                self.memories.append([int(number) for number in rest[1:]])
            elif kind != "nets":
                out, second, *more = map(int, rest)
                (self.gates if kind == "gate" else self.flops).append((out, second, more))
        # In the order of the file.
        self.sites = [out for out, _, _ in (*self.gates, *self.flops)]
        self.sites += [net for m in self.memories for net in m[-m[1] :]]
        self._sort()

    def _sort(self) -> None:
        known = {0, 1, *self.sites[len(self.gates) :], *(net for nets in self.inputs.values() for net in nets)}
        waiting = self.gates
        self.gates = []
        while waiting:
            ready = [gate for gate in waiting if known.issuperset(gate[2])]
            waiting = [gate for gate in waiting if not known.issuperset(gate[2])]
            known |= {gate[0] for gate in ready}
            self.gates += ready

    def run(
        self, inputs: list[Row], flips: Collection[tuple[int, int]], stuck: Mapping[int, int], begin: int
    ) -> Iterator[Bits]:
        """Yield the settled values of each cycle. flips: (net, cycle); stuck: net to value, from cycle `begin` on."""
        state: Bits = dict.fromkeys(self.sites, 0) | {0: 0, 1: 1}
        rows: dict[tuple[int, int], int] = {}
        for cycle, row in enumerate(inputs):
            values: Bits = {0: 0, 1: 1}

            def put(net: int, value: int, values: Bits = values, cycle: int = cycle) -> None:
                value ^= int((net, cycle) in flips)
                values[net] = stuck[net] if net in stuck and cycle >= begin else value

            for name, nets in self.inputs.items():
                for i, net in enumerate(nets):
                    values[net] = row.inputs[name] >> i & 1
            for net in self.sites[len(self.gates) :]:
                put(net, state[net])
            for out, table, ins in self.gates:
                put(out, table >> sum(values[net] << i for i, net in enumerate(ins)) & 1)
            yield values
            for out, d, reset in self.flops:
                state[out] = reset[2] if reset and values[reset[0]] == reset[1] else values[d]
            for number, m in enumerate(self.memories):
                self._access(values, state, rows, number, m)

    @staticmethod
    def _access(values: Bits, state: Bits, rows: dict[tuple[int, int], int], number: int, memory: list[int]) -> None:
        _, width, bits, req, we, *pins = memory
        index, wdata, rdata = pins[:bits], pins[bits : bits + width], pins[bits + width :]
        row = sum(values[net] << i for i, net in enumerate(index))
        if values[req] and values[we]:
            rows[number, row] = sum(values[net] << i for i, net in enumerate(wdata))
        for i, net in enumerate(rdata):
            reads = values[req] and not values[we]
            state[net] = rows.get((number, row), 0) >> i & 1 if reads else values[net]
