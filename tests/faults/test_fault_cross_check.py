"""The engine against the Verilated netlist, which has a host of its own: the same class for the same fault."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from faults import compare, cross_check, record, runner
from faults.classes import WRONG
from faults.netlist import make
from faults.runner import Choice
from support import small_machine
from support.documents import ROOT
from support.guarded_sum import WITH_ALERT, design, rows

BEGIN = 12


def agreed(compared: Sequence[compare.Compared]) -> set[int]:
    """Assert that both sides have the same classes, and return those of the engine."""
    assert [one for one in compared if not one.agrees] == []
    return {one.engine for one in compared}


@pytest.mark.nightly("a netlist is compiled by Verilator; `test_fault_engine.py` has a third simulator")
def test_a_small_design_agrees_with_verilator(tmp_path: Path) -> None:
    netlist, place = make(design(True)), tmp_path / "record.txt"
    record.write(place, netlist, WITH_ALERT, rows(40), BEGIN)
    found = compare.tried(netlist, place, tmp_path, Choice(("flip", "stuck")), 40 - BEGIN)
    program = cross_check.build(netlist, tmp_path / "verilated")
    agreed(compare.compare(netlist, place, program, found, 400))
    # The comparison sees a class that is not the same.
    other = {fault: WRONG if value != WRONG else 1 for fault, value in found.items()}
    assert not any(one.agrees for one in compare.compare(netlist, place, program, other, 20))


@pytest.mark.nightly("a netlist is compiled by Verilator, with a host's port")
@pytest.mark.parametrize("checked", [False, True], ids=["plain", "checked"])
def test_a_machine_with_a_host_agrees_with_verilator(tmp_path: Path, checked: bool) -> None:
    netlist, place = make(small_machine.DESIGN), tmp_path / "record.txt"
    rows, begin = small_machine.session(checked)
    program = cross_check.build(netlist, tmp_path / "verilated")
    # A job after a reset, and one that begins as a wait ends, as after a core's set-up.
    for first in (begin, small_machine.stops(rows)):
        folder = tmp_path / str(first)
        folder.mkdir()
        record.write(place, netlist, small_machine.ROLES, rows, first)
        cycles = runner.check(netlist, place)["cycles"]
        found = compare.tried(netlist, place, folder, Choice(("flip", "stuck")), cycles)
        # All that a host without an alert may see.
        assert agreed(compare.compare(netlist, place, program, found, 2000)) >= {1, 2, 4, 6, 7}


@pytest.mark.nightly("the netlist of the core is synthesized and compiled, half an hour of processor time")
@pytest.mark.parametrize("job", ["aes", "snow3g"])
def test_the_core_agrees_with_verilator(job: str) -> None:
    command = ["./lutra", "--with", "python", "-m", "faults.compare", "--job", job, "--count", "5000"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0 and f"{job}: 5,000 faults, 0 differ" in done.stdout, done.stdout + done.stderr
