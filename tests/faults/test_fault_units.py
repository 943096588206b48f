"""Units of the core in a real job: their netlists do what the RTL did, and every flip in them is tried."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from faults import jobs, record, runner
from faults.classes import WRONG, count
from faults.netlist import make, unit
from faults.record import Roles, of_unit
from faults.runner import Choice

# Instance, and inputs that follow an input of the core in the same cycle.
UNITS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "lutra_stream_context": ("u_execute.u_stream.gen_context[0].gen_context.u_context", {}),
    "lutra_sequencer": ("u_sequencer", {"start_i": "start_i", "resume_i": "resume_i", "entry_i": "entry_i"}),
}


@cache
def recorded() -> jobs.Recorded:
    return jobs.record(jobs.JOBS["snow3g"])


@pytest.mark.parametrize("top", UNITS)
def test_flips_in_a_unit_show_at_its_outputs(top: str, tmp_path: Path) -> None:
    scope, through = UNITS[top]
    netlist, begin = make(unit(top)), recorded().begin
    rows = of_unit(recorded().waves, netlist, scope, through)
    record.write(tmp_path / "record.txt", netlist, Roles(), rows, begin)
    cycles = runner.check(netlist, tmp_path / "record.txt")["cycles"]
    assert cycles == len(rows) - begin
    shards = runner.run(netlist, tmp_path / "record.txt", tmp_path, Choice(("flip",)), [(0, cycles)])
    found = count(b"".join(tried.classes for tried in shards[0].tried()))
    assert found.total() == cycles * len(netlist.sites) > 100_000
    assert found[WRONG] > 10_000
