"""Figures and progress taken from nextpnr; the run itself is `lutra ppa --fpga`."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppa import fpga
from ppa.tools import PpaError


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Info: Running simulated annealing placer for refinement.\n", "simulated annealing placer for refinement"),
        ("Info: Running router2...\n", "router2"),
        (
            "Info:     iter=3 wires=620847 overused=35658 overuse=37496 archfail=NA\n",
            "routing, round 3: 35658 wires used twice",
        ),
        ("Info:   at iteration #5: temp = 0.000000, timing cost = 4690, wirelen = 397890\n", ""),
    ],
)
def test_progress_is_told(line: str, told: str) -> None:
    assert fpga.progress(line) == told


def test_the_slowest_clock_counts() -> None:
    used = {"TRELLIS_COMB": {"used": 7}, "TRELLIS_FF": {"used": 5}}
    clocks = {"clk": {"achieved": 40.06, "constraint": 100.0}, "slow": {"achieved": 30.14, "constraint": 100.0}}
    report = {"utilization": used, "fmax": clocks}
    assert fpga.summary(report) == {"luts": 7, "registers": 5, "block_rams": 0, "mhz": 30.1}


def test_what_nextpnr_refuses_is_reported_with_the_end_of_its_log(tmp_path: Path) -> None:
    netlist = tmp_path / "broken.json"
    netlist.write_text('{"modules": 3')
    # The first run of all has more to say before it.
    told = r"(?s)nextpnr ended with \d+; \S+nextpnr.log:\n(Preparing .*\n)?ERROR: Failed to parse JSON.*\n\S"
    with pytest.raises(PpaError, match=told):
        fpga.place(netlist, tmp_path, lambda _: None)
