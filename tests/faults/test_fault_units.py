"""Units of the core in a real job: their netlists do what the RTL did, and every flip in them is tried."""

from __future__ import annotations

from collections import Counter
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
    rows = of_unit(recorded().waves, netlist, scope, through, begin)
    record.write(tmp_path / "record.txt", netlist, Roles(), rows, begin)
    cycles = runner.check(netlist, tmp_path / "record.txt")["cycles"]
    assert cycles == len(rows) - begin
    shards = runner.run(netlist, tmp_path / "record.txt", tmp_path, Choice(("flip",)), [(0, cycles)])
    found = count(b"".join(tried.classes for tried in shards[0].tried()))
    assert found.total() == cycles * len(netlist.sites) > 100_000
    assert found[WRONG] > 10_000


def stuck(words: int, folder: Path) -> Counter[tuple[str, int]]:
    """Flip-flops of a context with so many shadow words that are stuck while SNOW 3G runs, by register and class."""
    netlist, begin = make(unit("lutra_stream_context", {"SHADOW_WORDS": words})), recorded().begin
    scope, through = UNITS["lutra_stream_context"]
    rows = of_unit(recorded().waves, netlist, scope, through, begin)
    roles = Roles({"alert": ("x1_fault_o",)}) if words else Roles()
    record.write(folder / "record.txt", netlist, roles, rows, begin)
    cycles = runner.check(netlist, folder / "record.txt")["cycles"]
    shards = runner.run(netlist, folder / "record.txt", folder, Choice(("stuck",)), [(0, cycles)])
    return Counter(
        ("shadow" if name.startswith("gen_shadow") else "context", one)
        for tried in shards[0].tried()
        for (kind, name), one in zip(netlist.sites, tried.classes, strict=True)
        if kind.startswith("$_DFF")
    )


def test_what_is_stuck_in_a_shadowed_word_or_its_shadow_is_found(tmp_path: Path) -> None:
    """A protected context in a job of the core without protection: its inputs are the same."""
    found = stuck(16, tmp_path)
    # At 0 and at 1: 16 words of 32 bits and their copies, and the seven words without one, r1 to r3 and the buffer.
    assert sum(n for (register, one), n in found.items() if register == "shadow" and one == 3) == 2 * 512
    assert found["context", WRONG] == 2 * 7 * 32
    assert sum(n for (register, one), n in found.items() if register == "context" and one != WRONG) == 2 * 512


def test_without_its_shadow_whatever_is_stuck_in_a_context_is_silent(tmp_path: Path) -> None:
    assert stuck(0, tmp_path) == {("context", WRONG): 2 * (512 + 7 * 32)}
