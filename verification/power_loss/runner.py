"""The C++ programs as processes: one per job, each with its own devices."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from power_loss.scenarios import write_plan

# The files of the devices: in memory where the machine has such a folder.
DEVICES = "/dev/shm" if Path("/dev/shm").is_dir() else None


class RunError(Exception):
    """A program could not be started, or ended without a result."""


@dataclass
class Result:
    """Results of a scenario.

    single, double: cuts by the access that was cut and what it left; outcomes: what booted after the first cut; lives:
    processes of devices; failures: place and failure, the first of each process.
    """

    scenario: str
    single: dict[str, int] = field(default_factory=dict)
    double: dict[str, int] = field(default_factory=dict)
    outcomes: dict[str, int] = field(default_factory=dict)
    failures: list[tuple[str, str]] = field(default_factory=list)
    lives: int = 0

    def add(self, found: dict[str, object]) -> None:
        """Add the results of one process."""
        for name in ("single", "double", "outcomes"):
            counts, more = getattr(self, name), found.get(name, {})
            assert isinstance(more, dict)
            counts.update({key: counts.get(key, 0) + value for key, value in more.items()})
        failures, lives = found["failures"], found.get("lives", 0)
        assert isinstance(failures, list) and isinstance(lives, int)
        self.failures += [(place, what) for place, what in failures]
        self.lives += lives


def programs(root: Path) -> tuple[Path, Path]:
    """The device and the campaign of a tree. RunError if they are not built."""
    found = tuple(root / "build/power-loss/bin" / name for name in ("power_loss_device", "power_loss_campaign"))
    for path in found:
        if not path.exists():
            raise RunError(f"{path} is not built yet; run: make build")
    return found[0], found[1]


def run(root: Path, scenarios: Sequence[str], choice: Sequence[str], shard: str, jobs: int) -> list[Result]:
    """Run scenarios in sequence, each with `jobs` processes. choice: options of the program; shard: I/N."""
    device, campaign = programs(root)
    results = []
    for name in scenarios:
        result = Result(name)
        with tempfile.TemporaryDirectory(prefix="power-loss-", dir=DEVICES) as text:
            folder = Path(text)
            plan = write_plan(name, device, folder)
            shards = [
                _Shard(campaign, plan, folder / str(job), [*choice, _share(shard, job, jobs)]) for job in range(jobs)
            ]
            _wait(name, shards)
            for one in shards:
                result.add(one.result())
        results.append(result)
    return results


def _share(shard: str, job: int, jobs: int) -> str:
    """A job's part of a shard."""
    index, count = map(int, shard.split("/"))
    return f"--shard={index + job * count}/{count * jobs}"


class _Shard:
    """A process of the campaign and its output; it ends with this process."""

    def __init__(self, campaign: Path, plan: Path, folder: Path, options: Sequence[str]) -> None:
        folder.mkdir()
        command = [str(part) for part in (campaign, plan, folder, *options)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self._last = ""
        self.done = self.all = 0
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            if line.startswith("progress "):
                self.done, self.all = map(int, line.split()[1:])
            else:
                self._last = line

    def alive(self) -> bool:
        self._thread.join(0.2)
        return self._thread.is_alive()

    def stop(self) -> None:
        self._process.kill()

    def result(self) -> dict[str, object]:
        with self._process:
            assert self._process.stderr
            said = self._process.stderr.read()
        if self._process.returncode not in (0, 1) or not self._last.startswith("{"):
            raise RunError(f"the campaign's program failed ({self._process.returncode}): {said}")
        found: dict[str, object] = json.loads(self._last)
        return found


def _alive(shards: Sequence[_Shard]) -> bool:
    """Whether any of them is alive; waits a little for each."""
    states = [shard.alive() for shard in shards]
    return any(states)


def _wait(name: str, shards: Sequence[_Shard]) -> None:
    """Wait until all have ended, with progress in one line."""
    shown = -1
    try:
        while _alive(shards):
            done, total = sum(s.done for s in shards), sum(s.all for s in shards)
            percent = 100 * done // total if total else 0
            text = f"{name}: {done:,} of {total:,} places cut"
            if sys.stderr.isatty():
                print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
            elif percent // 10 > shown // 10:
                print(text, file=sys.stderr, flush=True)
            shown = max(shown, percent)
    except BaseException:
        for shard in shards:
            shard.stop()
        raise
    finally:
        if sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
