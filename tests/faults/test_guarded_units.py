"""Sequencer and comparator with their duplicates: no single fault in them gives a wrong output that nobody is told of.

A sample of what `make faults` tries in the whole core, on units small enough for every gate and cycle.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

from faults import jobs, record, runner
from faults.classes import WRONG, count
from faults.netlist import Design, Netlist, core_files, make, unit
from faults.record import Roles, Row, of_unit
from faults.runner import Choice

SOURCE = Path(__file__).with_name("guarded_units.sv")
FOLLOWING = {"start_i": "start_i", "resume_i": "resume_i", "entry_i": "entry_i"}
DETECTED, LATE = 3, 5
AFTER = 2  # cycles from a wrong output of the first sequencer to the alert, at most


def design(top: str, **parameters: int) -> Design:
    return Design(top, (*core_files(), SOURCE), parameters)


@cache
def rows() -> tuple[int, list[Row]]:
    """Return the first row of a job, and all rows of what the sequencer of the core does in it, without an alert."""
    found = jobs.record(jobs.JOBS["snow3g"])
    alone = of_unit(found.waves, make(unit("lutra_sequencer")), "u_sequencer", FOLLOWING, found.begin)
    return found.begin, [replace(r, outputs=r.outputs and {**r.outputs, "alert_o": 0}) for r in alone]


def sequencer(folder: Path, duplicate: bool) -> Counter[int]:
    """Classes of all flips and all that is stuck in the sequencer while SNOW 3G runs."""
    netlist, (begin, given) = make(design("guarded_sequencer", DUPLICATE=int(duplicate))), rows()
    record.write(folder / "record.txt", netlist, Roles({"alert": ("alert_o",)}), given, begin)
    cycles = runner.check(netlist, folder / "record.txt")["cycles"]
    every = [(0, cycles - AFTER)]
    shards = runner.run(netlist, folder / "record.txt", folder, Choice(("flip", "stuck")), every)
    return count(b"".join(tried.classes for tried in shards[0].tried()))


def test_what_a_sequencer_does_wrong_its_duplicate_tells(tmp_path: Path) -> None:
    found = sequencer(tmp_path, duplicate=True)
    assert found[WRONG] == 0
    assert found[DETECTED] + found[LATE] > 100_000


def test_without_the_duplicate_a_sequencer_is_wrong_in_silence(tmp_path: Path) -> None:
    found = sequencer(tmp_path, duplicate=False)
    assert found[DETECTED] + found[LATE] == 0
    assert found[WRONG] > 10_000


def releasing(folder: Path, both: bool) -> tuple[Netlist, set[int]]:
    """Sites of which a single fault releases what differs from its copy in one bit."""
    netlist, chosen = make(design("guarded_release", BOTH=int(both))), random.Random(34)
    values = [chosen.getrandbits(24) for _ in range(64)]
    given = [
        Row({"value_i": value, "copy_i": value ^ 1 << n % 24}, {"released_o": 0}) for n, value in enumerate(values)
    ]
    record.write(folder / "record.txt", netlist, Roles(), given, 0)
    cycles = runner.check(netlist, folder / "record.txt")["cycles"]
    shards = runner.run(netlist, folder / "record.txt", folder, Choice(("flip", "stuck")), [(0, cycles)])
    tried = [one.classes for shard in shards for one in shard.tried()]
    return netlist, {site for site in range(len(netlist.sites)) if any(one[site] == WRONG for one in tried)}


def test_no_fault_in_a_comparison_releases_what_differs(tmp_path: Path) -> None:
    netlist, sites = releasing(tmp_path, both=True)
    # No gate follows those that drive the outputs.
    assert {netlist.sites[site][1] for site in sites} == {f"released_o[{n}]" for n in range(24)}
    assert len(netlist.sites) > 100


def test_with_one_way_of_the_comparison_a_fault_in_it_releases_that(tmp_path: Path) -> None:
    netlist, sites = releasing(tmp_path, both=False)
    assert len([site for site in sites if not netlist.sites[site][1].startswith("released_o")]) > 20
