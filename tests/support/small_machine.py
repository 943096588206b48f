"""The machine of `tests/faults/small_machine.sv` with its host: what the pins do in two runs of its program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from faults.netlist import Design
from faults.record import Roles, Row
from variant import ROOT

DESIGN = Design("small_machine", (ROOT / "rtl" / "lutra_sram.sv", ROOT / "tests" / "faults" / "small_machine.sv"))
IDLE, RUNNING, HALTED = range(3)
ROLES = Roles(
    {
        "request": ("host_req_i",),
        "write": ("host_we_i",),
        "grant": ("host_gnt_o",),
        "valid": ("host_rvalid_o",),
        "data": ("host_rdata_o",),
        "state": ("state_o",),
        "pulse": ("start_i",),
    },
    RUNNING,
)


@dataclass
class Machine:
    """The machine cycle by cycle, and the rows that its pins leave."""

    rows: list[Row] = field(default_factory=list)
    state: int = IDLE
    row: int = 0
    total: int = 0
    read: int = 0
    loaded: bool = False
    valid: bool = False
    memory: list[int] = field(default_factory=lambda: [0] * 16)

    def clock(self, reset: bool = False, look: str = "", **given: int) -> None:
        """One cycle with these inputs; the others are 0. look: what the host does with what it reads."""
        names = ("host_req_i", "host_we_i", "host_row_i", "host_wdata_i", "start_i")
        inputs = dict.fromkeys(names, 0) | given | {"rst_ni": int(not reset)}
        granted = inputs["host_req_i"] and self.state != RUNNING
        loaded, self.valid = self.loaded, bool(granted and not inputs["host_we_i"])
        self.loaded = False
        if self.state == RUNNING:
            if loaded:
                self.total = (self.total + self.read) % 256
            self._run()
        else:
            if granted and inputs["host_we_i"]:
                self.memory[inputs["host_row_i"]] = inputs["host_wdata_i"]
            elif granted:
                self.read = self.memory[inputs["host_row_i"]]
            if inputs["start_i"]:
                self.state, self.row, self.total = RUNNING, 0, 0
        outputs = {
            "host_gnt_o": int(bool(inputs["host_req_i"]) and self.state != RUNNING),
            "host_rvalid_o": int(self.valid),
            "host_rdata_o": self.read if self.valid else 0,
            "state_o": self.state,
        }
        self.rows.append(Row(inputs, outputs, look=look))

    def _run(self) -> None:
        if self.row == 9:
            self.memory[8], self.state = self.total, HALTED
        else:
            self.read = self.memory[self.row]
            self.loaded = self.row < 8
        self.row += 1


def session(checked: bool = False) -> tuple[list[Row], int]:
    """Return the rows of two jobs, and the row at which the first begins: after the reset.

    checked: the host reads back what it has written, reads results twice, and uses them once that is done.
    """
    machine = Machine()
    for _ in range(2):
        machine.clock(reset=True)
    for job in range(2):
        for row in range(8):
            machine.clock(host_req_i=1, host_we_i=1, host_row_i=row, host_wdata_i=(37 * row + 101 * job + 11) % 256)
        for row in range(8 if checked else 0):
            machine.clock(host_req_i=1, host_row_i=row, look="know")
        machine.clock(start_i=1)
        while machine.state == RUNNING:
            machine.clock()
        for what in ("first", "again") if checked else ("",):
            for slot, row in enumerate((8, 3)):
                machine.clock(host_req_i=1, host_row_i=row, look=what and f"{what} {2 * job + slot}")
        if checked:
            machine.clock(host_req_i=1, host_row_i=0, look="know releases")
    return machine.rows, 2


def stops(rows: Sequence[Row]) -> int:
    """Return the first row in which the machine has stopped; outputs are those after a row's clock."""
    states = [row.outputs["state_o"] if row.outputs else IDLE for row in rows]
    return next(i for i in range(2, len(rows)) if states[i - 2] == RUNNING != states[i - 1])
