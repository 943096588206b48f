"""CPU time and memory of a command, and what commands are measured."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from speed.errors import SpeedError

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "speed"
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


def cost(command: Sequence[str | Path], environment: Mapping[str, str] | None = None) -> Cost:
    """Run a command to its end. Raises SpeedError with its last line where it fails."""
    WORK.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=WORK) as said:
        process = subprocess.Popen(
            list(map(str, command)), stdout=said, stderr=said, env={**os.environ, **(environment or {})}
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            said.seek(0)
            lines = said.read().decode(errors="replace").split("\n")
            last = next((line for line in reversed(lines) if line.strip()), f"exit code {process.returncode}")
            raise SpeedError(f"{Path(command[0]).name}: {last.strip()}")
    return Cost(used.ru_utime, used.ru_stime, 1024 * used.ru_maxrss)


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


# Other commands to measure, by what they do; each returns seconds of CPU time. `python -m speed` prints them all.
OTHERS: Mapping[str, Callable[[], float]] = {}
