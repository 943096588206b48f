"""A data memory of a protected core: no single fault writes what nobody asked for, or writes elsewhere, in silence.

Of the memory's own gates these count that tell its SRAMs whether to write, and where.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from pathlib import Path

from faults import record, runner
from faults.classes import WRONG
from faults.netlist import Design, Netlist, core_files, make
from faults.record import Roles, Row
from faults.runner import Choice

SOURCE = Path(__file__).with_name("guarded_units.sv")
ROWS, BYTES = 16, 16
ALERTED, LATE = 3, 5
IDLE = {
    "read_en_i": 0,
    "read_address_i": 0,
    "write_en_i": 0,
    "write_address_i": 0,
    "write_data_i": 0,
    "host_req_i": 0,
    "host_we_i": 0,
    "host_row_i": 0,
    "host_wdata_i": 0,
}


class Memory:
    """The memory's bytes, and what it shows."""

    def __init__(self) -> None:
        self.bytes, self.shown = bytearray(ROWS * BYTES), 0
        self.rows: list[Row] = []

    def cycle(self, **inputs: int) -> None:
        self.rows.append(Row(IDLE | inputs, {"rdata_o": self.shown, "alert_o": 0}))

    def store(self, address: int, value: int) -> None:
        self.cycle(write_en_i=1, write_address_i=address, write_data_i=value)
        self.bytes[address : address + BYTES] = value.to_bytes(BYTES, "big")

    def host_write(self, row: int, value: int) -> None:
        self.cycle(host_req_i=1, host_we_i=1, host_row_i=row, host_wdata_i=value)
        self.bytes[BYTES * row : BYTES * (row + 1)] = value.to_bytes(BYTES, "big")

    def host_read(self, row: int) -> None:
        self.shown = int.from_bytes(self.bytes[BYTES * row : BYTES * (row + 1)], "big")
        self.cycle(host_req_i=1, host_row_i=row)


@cache
def work() -> tuple[int, list[Row], list[int]]:
    """Return the first row of the campaign, all rows, and the cycles of it in which nothing is read.

    After each of these cycles all rows are read.
    """
    memory, chosen, cycles = Memory(), random.Random(34), list[int]()
    for row in range(ROWS):
        memory.host_write(row, chosen.getrandbits(128))
    memory.host_read(0)
    memory.cycle()
    begin = len(memory.rows)
    for step in range(12):
        cycles.append(len(memory.rows) - begin)
        if step % 3 == 0:
            memory.store(chosen.randrange(BYTES * (ROWS - 1)), chosen.getrandbits(128))
        elif step % 3 == 1:
            memory.host_write(chosen.randrange(ROWS), chosen.getrandbits(128))
        else:  # what is on the way of data is not to be written
            memory.cycle(write_data_i=chosen.getrandbits(128), write_address_i=BYTES * chosen.randrange(ROWS))
        for row in range(ROWS):
            memory.host_read(row)
        memory.cycle()
    return begin, memory.rows, cycles


def telling(netlist: Netlist) -> set[int]:
    """Return the sites of gates that tell an SRAM whether it writes, and where."""
    gates: dict[int, tuple[int, list[int]]] = {}
    todo: list[int] = []
    for line in netlist.file.read_text().splitlines():
        kind, *rest = line.split()
        if kind == "gate":
            gates[int(rest[0])] = len(gates), [int(net) for net in rest[2:]]
        elif kind == "memory":
            bits = int(rest[3])
            todo += [int(net) for net in rest[5 : 6 + bits]]  # after the request: the enable, and the row
    found = set[int]()
    while todo:
        site, ins = gates.get(todo.pop(), (None, []))
        if site is not None and site not in found:
            found.add(site)
            todo += ins
    return found


def silent(folder: Path, guard: bool) -> tuple[int, Counter[int]]:
    """Return how many gates are looked at, and the classes of a flip of each, in cycles that do not read."""
    netlist = make(Design("guarded_memory", (*core_files(), SOURCE), {"GUARD": int(guard)}))
    begin, rows, cycles = work()
    record.write(folder / "record.txt", netlist, Roles({"alert": ("alert_o",)}), rows, begin)
    every = [(0, runner.check(netlist, folder / "record.txt")["cycles"])]
    (shard,) = runner.run(netlist, folder / "record.txt", folder, Choice(("flip",)), every)
    sites = telling(netlist)
    tried = [one.classes for one in shard.tried() if one.cycle in cycles]
    assert len(tried) == len(cycles)
    return len(sites), Counter(classes[site] for classes in tried for site in sites)


def test_no_flip_writes_elsewhere_in_silence(tmp_path: Path) -> None:
    gates, classes = silent(tmp_path, guard=True)
    assert gates > 100 and classes[ALERTED] + classes[LATE] > 100
    assert classes[WRONG] == 0


def test_without_the_guard_flips_write_elsewhere_in_silence(tmp_path: Path) -> None:
    _, classes = silent(tmp_path, guard=False)
    assert classes[WRONG] > 100
