"""The lock-step's report of two machines that stop differently has both values, with names for codes."""

from __future__ import annotations

import subprocess
from pathlib import Path

from lutra.isa import load

ROOT = Path(__file__).parents[2]
EXPECTED = [
    "",
    "the states after the stop differ: simulator halted, RTL trapped",
    "the trap codes differ: simulator none, RTL call-stack-underflow",
    "the trap codes differ: simulator none, RTL ?15",
    "the program counters of the stop differ: simulator 0x0012, RTL 0x0013",
    "the cycle counters differ: simulator 40, RTL 41",
    "the instruction counters differ: simulator 30, RTL 29",
]


def test_both_values_are_shown_and_codes_by_name(tmp_path: Path) -> None:
    program = tmp_path / "differences"
    includes = [f"-I{ROOT / path}" for path in ("verification/lockstep", "iss/src", "build/gen/cpp")]
    source = Path(__file__).with_name("stop_difference.cpp")
    subprocess.run(["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", *includes, source, "-o", program], check=True)
    said = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    assert said[: len(EXPECTED)] == EXPECTED
    causes = [s.name for s in load().stalls]
    assert said[len(EXPECTED) :] == [
        f"the stall counters of cause {name} differ: simulator 0, RTL {n}" for n, name in enumerate(causes, 1)
    ]
