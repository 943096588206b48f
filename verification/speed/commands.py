"""CPU time and memory of a command, and what commands are measured."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from assembly_speed import once, program
from speed.errors import SpeedError

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "speed"
CHILD = Path(__file__).with_name("child.py")
LUTRA = Path(sys.executable).with_name("lutra")
KEY = "000102030405060708090a0b0c0d0e0f"
CRYPT = ("crypt", "--cipher", "aes-128-ctr", "--key", KEY, "--iv", KEY)
MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Cost:
    """CPU time of a process with its children, of user and system, in seconds, and its most memory in bytes."""

    user: float
    system: float
    memory: int

    @property
    def seconds(self) -> float:
        return self.user + self.system


def cost(command: Sequence[str | Path]) -> Cost:
    """Run a command to its end. Raises SpeedError with its last line where it fails."""
    WORK.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        report = Path(folder, "report.json")
        measuring = [sys.executable, "-I", "-S", CHILD, report, *command]
        done = subprocess.run(measuring, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            lines = [line for line in done.stdout.decode(errors="replace").splitlines() if line.strip()]
            last = lines[-1].strip() if lines else f"exit code {done.returncode}"
            raise SpeedError(f"{Path(command[0]).name} {command[1]} has failed: {last}")
        return Cost(**json.loads(report.read_text()))


def best(times: int, command: Sequence[str | Path]) -> Cost:
    """The run with the least CPU time of some."""
    return min((cost(command) for _ in range(times)), key=lambda run: run.seconds)


def crypt(megabytes: int, times: int) -> dict[str, float]:
    """`lutra crypt` of a file, and of 16 bytes, which is its start-up."""
    WORK.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        source, target = Path(folder, "plain"), Path(folder, "encrypted")
        source.write_bytes(bytes(16))
        start = best(times, [LUTRA, *CRYPT, source, target])
        with source.open("wb") as file:
            for _ in range(megabytes):
                file.write(os.urandom(MEGABYTE))
        whole = best(times, [LUTRA, *CRYPT, source, target])
        if target.stat().st_size != megabytes * MEGABYTE:
            raise SpeedError(f"lutra crypt has written {target.stat().st_size} bytes of {megabytes * MEGABYTE}")
    return {
        "bytes": megabytes * MEGABYTE,
        "seconds": round(whole.seconds, 3),
        "start_up_seconds": round(start.seconds, 3),
        "memory_bytes": whole.memory,
        "start_up_memory_bytes": start.memory,
    }


def assembling(lines: int) -> float:
    """A program of so many lines in a process of its own, without its start-up; the best of three."""
    with tempfile.TemporaryDirectory() as folder:
        program.write(Path(folder), lines=lines)
        command = [sys.executable, "-m", "assembly_speed.once", folder]
        runs = (subprocess.run(command, check=True, stdout=subprocess.PIPE) for _ in range(3))
        return min(float(json.loads(run.stdout)[once.SOURCE]) for run in runs)


def others(lines: int) -> dict[str, Callable[[], float]]:
    """Other commands to measure, by what they do; each returns seconds of CPU time."""
    return {f"assembling {lines:,} lines": partial(assembling, lines)}
