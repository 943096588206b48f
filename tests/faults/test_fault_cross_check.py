"""The engine against the Verilated netlist, which has a host of its own: the same class for the same fault."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from faults import cross_check, jobs, record, runner
from faults.netlist import Netlist, core, make
from faults.runner import Choice
from support import small_machine
from support.guarded_sum import WITH_ALERT, design, rows

BEGIN = 12


def same(found: dict[tuple[str, int], bytes], faults: list[cross_check.Fault], classes: list[int]) -> None:
    """Assert that the engine has these classes; the other side does not tell masked from latent."""
    for (kind, site, cycle), one in zip(faults, classes, strict=True):
        assert one == {2: 1}.get(got := found[kind, cycle][site], got), (kind, site, cycle)


def chosen(found: dict[tuple[str, int], bytes], count: int) -> list[cross_check.Fault]:
    """Return faults of which the engine has tried, as many of each class as there are."""
    by_class: dict[int, list[cross_check.Fault]] = {}
    for (kind, cycle), classes in found.items():
        for site, one in enumerate(classes):
            if one:
                by_class.setdefault(one, []).append((kind, site, cycle))
    share = -(-count // len(by_class))
    return [f for faults in by_class.values() for f in random.Random(1).sample(faults, min(share, len(faults)))]


def tried(netlist: Netlist, place: Path, folder: Path, choice: Choice, cycles: int) -> dict[tuple[str, int], bytes]:
    shards = runner.run(netlist, place, folder, choice, [(0, cycles)])
    return {(t.kind, t.cycle): t.classes for shard in shards for t in shard.tried() if t.kind != "memory"}


@pytest.mark.nightly("a netlist is compiled by Verilator; `test_fault_engine.py` has a third simulator")
def test_a_small_design_agrees_with_verilator(tmp_path: Path) -> None:
    netlist, place = make(design(True)), tmp_path / "record.txt"
    record.write(place, netlist, WITH_ALERT, rows(40), BEGIN)
    found = tried(netlist, place, tmp_path, Choice(("flip", "stuck")), 40 - BEGIN)
    faults = chosen(found, 400)
    program = cross_check.build(netlist, tmp_path / "verilated")
    same(found, faults, cross_check.run(program, netlist, place, faults))


@pytest.mark.nightly("a netlist is compiled by Verilator, with a host's port")
def test_a_machine_with_a_host_agrees_with_verilator(tmp_path: Path) -> None:
    netlist, place = make(small_machine.DESIGN), tmp_path / "record.txt"
    rows, begin = small_machine.session()
    record.write(place, netlist, small_machine.ROLES, rows, begin)
    cycles = runner.check(netlist, place)["cycles"]
    found = tried(netlist, place, tmp_path, Choice(("flip", "stuck")), cycles)
    faults = chosen(found, 2000)
    # All that a host without an alert may see.
    assert {found[kind, cycle][site] for kind, site, cycle in faults} >= {1, 2, 4, 6, 7}
    program = cross_check.build(netlist, tmp_path / "verilated")
    same(found, faults, cross_check.run(program, netlist, place, faults))


@pytest.mark.nightly("the netlist of the core is synthesized and compiled, half an hour of processor time")
@pytest.mark.parametrize("job", ["aes", "snow3g"])
def test_the_core_agrees_with_verilator(tmp_path: Path, job: str) -> None:
    netlist = make(core())
    place = tmp_path / "record.txt"
    jobs.write(jobs.record(jobs.JOBS[job]), netlist, place)
    cycles = runner.check(netlist, place)["cycles"]
    found = tried(netlist, place, tmp_path, Choice(("flip", "stuck"), part=0.005), cycles)
    faults = chosen(found, 5000)
    program = cross_check.build(netlist, tmp_path / "verilated")
    same(found, faults, cross_check.run(program, netlist, place, faults))
