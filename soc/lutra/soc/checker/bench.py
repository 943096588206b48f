"""The checkers on Verilator: shows them traces, and says which rules these break.

[broken] = run(build(Path("build/soc/checker")), {"a trace": (Which.FULL, [{"awvalid": 1}])}).values()
"""

from __future__ import annotations

import os
import re
import subprocess
from collections import defaultdict
from collections.abc import Mapping, Sequence
from enum import IntEnum
from pathlib import Path

from lutra.soc.checker.rules import CHECKER

ROOT = CHECKER.parents[1]
SECONDS = 300
# Signals of the bench from the top of its wires, with their widths.
_REQUEST = {"valid": 1, "ready": 1, "id": 3, "addr": 40, "len": 8, "size": 3, "burst": 2, "lock": 1, "cache": 4}
_REQUEST |= {"prot": 3, "qos": 4, "region": 4}
CHANNELS: dict[str, dict[str, int]] = {
    "aw": _REQUEST,
    "w": {"valid": 1, "ready": 1, "data": 64, "strb": 8, "last": 1},
    "b": {"valid": 1, "ready": 1, "id": 3, "resp": 2},
    "ar": _REQUEST,
    "r": {"valid": 1, "ready": 1, "id": 3, "data": 64, "resp": 2, "last": 1},
}
WIRES = {"rst_n": 1} | {f"{c}{signal}": width for c, signals in CHANNELS.items() for signal, width in signals.items()}

# The signals of a cycle. Those that are left out are 0, but rst_n is 1.
Cycle = Mapping[str, int]


class Which(IntEnum):
    """A checker of the bench, as its `which_e`."""

    FULL = 0
    PLAIN = 1
    LITE = 2


class BenchError(Exception):
    """The bench was not built, or did not run to its end."""


def build(folder: Path) -> Path:
    """The bench's program, compiled in a folder if it is not there yet. BenchError where that fails."""
    folder.mkdir(parents=True, exist_ok=True)
    lists = (CHECKER / "lutra_checker.f").read_text().split()
    sources = [*(CHECKER / name for name in lists), *sorted((CHECKER / "bench").iterdir())]
    command = ["verilator_bin", "--cc", "--exe", "--build", "--assert", "--no-timing", "--quiet", "-Wall", "-O3"]
    command += ["--top-module", "checker_bench", "--Mdir", str(folder), f"+incdir+{CHECKER}"]
    command += ["-MAKEFLAGS", "CXX=clang++-19 LINK=clang++-19 CFG_CXXFLAGS_NO_UNUSED=-w OPT_FAST=-O0 OPT_SLOW=-O0"]
    command += ["-MAKEFLAGS", "OPT_GLOBAL=-O0 VM_PARALLEL_BUILDS=0"]
    command += [str(ROOT / "rtl/lint.vlt"), str(CHECKER / "lint.vlt"), *map(str, sources)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | {"MAKEFLAGS": ""})
    if done.returncode:
        raise BenchError(done.stdout + done.stderr)
    return folder / "Vchecker_bench"


def wires(cycle: Cycle) -> str:
    """The number that stands for a cycle, in hexadecimal."""
    unknown = cycle.keys() - WIRES.keys()
    if unknown:
        raise BenchError(f"not a signal of the bench: {', '.join(sorted(unknown))}")
    value = 0
    for name, width in WIRES.items():
        value = value << width | (cycle.get(name, int(name == "rst_n")) & ((1 << width) - 1))
    return f"{value:x}"


def run(program: Path, traces: Mapping[str, tuple[Which, Sequence[Cycle]]]) -> dict[str, set[str]]:
    """The rules that each trace breaks; each begins with a reset. BenchError where the program fails."""
    lines = []
    for name, (which, cycles) in traces.items():
        lines += [f"trace {name.replace(' ', '_')}", *(f"{which:d} {wires(cycle)}" for cycle in cycles)]
    text = "\n".join([*lines, ""])
    done = subprocess.run([program], input=text, capture_output=True, text=True, check=False, timeout=SECONDS)
    if done.returncode:
        raise BenchError(done.stdout + done.stderr)
    broken: dict[str, set[str]] = defaultdict(set)
    names = iter(traces)
    now = ""
    for line in done.stdout.splitlines():
        if line.startswith("trace "):
            now = next(names)
        elif rule := re.search(r"AXI rule (\w+):", line):
            broken[now].add(rule[1])
    return {name: broken[name] for name in traces}
