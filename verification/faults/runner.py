"""Shards of a campaign: ranges of cycles of a job, each by one process of the engine. A shard that is there is kept."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faults.classes import Shard
from faults.errors import FaultsError
from faults.netlist import Netlist
from variant import ROOT

ENGINE = ROOT / "build" / "faults" / "bin" / "faults_engine"
KINDS = ("flip", "stuck", "memory")


@dataclass(frozen=True)
class Choice:
    """The faults of a campaign. part: of them, chosen by the seed; cycles: of the job, all where there are none.

    pairs: of flips in a shard, drawn by the seed; window: cycles that both are in, 0 for the rest of the job.
    """

    kinds: tuple[str, ...] = KINDS
    part: float = 1.0
    seed: int = 0
    cycles: tuple[int, int] | None = None
    lanes: int = 0
    pairs: int = 0
    window: int = 0


def check(netlist: Netlist, record: Path) -> dict[str, Any]:
    """Compare the netlist without faults with the record; return its cycles and sites. FaultsError if they differ."""
    found: dict[str, Any] = json.loads(_engine([f"--netlist={netlist.file}", f"--record={record}"]))
    return found


def shards(cycles: tuple[int, int], size: int) -> list[tuple[int, int]]:
    """Return ranges of `size` cycles."""
    first, last = cycles
    return [(at, min(at + size, last)) for at in range(first, last, size)]


def run(
    netlist: Netlist,
    record: Path,
    folder: Path,
    choice: Choice,
    ranges: Sequence[tuple[int, int]],
    jobs: int = 1,
    watch: Sequence[str] = (),
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> list[Shard]:
    """Run the shards that `folder` does not have yet, each to a class file. progress: shards done, and all."""
    folder.mkdir(parents=True, exist_ok=True)
    made_from = hashlib.sha256(netlist.file.read_bytes() + record.read_bytes() + ENGINE.read_bytes()).hexdigest()[:12]
    done = 0

    def one(cycles: tuple[int, int]) -> Shard:
        nonlocal done
        first, last = cycles
        kinds = ",".join(choice.kinds)
        drawn = f"-{choice.pairs}-{choice.window}" if choice.pairs else ""
        path = folder / f"{made_from}-{kinds}-{choice.part:g}-{choice.seed}-{first}-{last}{drawn}.faults"
        if not path.is_file():
            options = [f"--netlist={netlist.file}", f"--record={record}", f"--out={path}", f"--cycles={first}:{last}"]
            options += [f"--kinds={kinds}", f"--part={choice.part}", f"--seed={choice.seed}", f"--lanes={choice.lanes}"]
            options += [f"--pairs={choice.pairs}"] + [f"--window={choice.window}"] * bool(choice.window)
            _engine([*options, *(f"--watch={name}" for name in watch)])
        done += 1
        progress(done, len(ranges))
        return Shard(path)

    with ThreadPoolExecutor(jobs) as pool:
        try:
            return list(pool.map(one, ranges))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _engine(options: Sequence[str]) -> str:
    if not ENGINE.is_file():
        raise FaultsError(f"{ENGINE} is not built yet; run: make build")
    done = subprocess.run([ENGINE, *options], capture_output=True, text=True, check=False)
    if done.returncode:
        raise FaultsError(done.stderr.strip().removeprefix("faults_engine: ") or f"the engine ended: {done.returncode}")
    return done.stdout
