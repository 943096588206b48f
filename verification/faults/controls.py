"""`python -m faults.controls`: what each check of a protected core finds that nothing else does.

A check is taken out of the netlist by holding the registers that its result goes to, and the same faults are tried
again: what was found before is a silent wrong output then.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from faults import jobs, netlist, runner
from faults.classes import GROUPS, count
from faults.errors import FaultsError
from faults.netlist import Netlist
from faults.report import grouped
from faults.runner import Choice
from lutra.isa import load
from lutra.iss.engine import EngineError
from variant import ROOT

WORK = ROOT / "build" / "faults" / "controls"
ALERT = "gen_protect.u_protection.u_alert"
# Sampled faults of a job are enough of what a check is for.
FLIPS, MEMORIES = Choice(("flip",), part=0.01), Choice(("memory",), part=0.2)


@dataclass(frozen=True)
class Check:
    """Registers that tell that something is wrong, and that nothing is; faults that it is there for."""

    wrong: tuple[str, ...]
    right: tuple[str, ...]
    job: str
    choice: Choice

    @property
    def held(self) -> Mapping[str, int]:
        """Values that say that all is well, by the name of the register."""
        return {f"{ALERT}.{name}": value for names, value in ((self.wrong, 0), (self.right, 1)) for name in names}


CHECKS: Mapping[str, Check] = {
    "program words": Check(("mem_wrong_q",), ("mem_right_q",), "aes", MEMORIES),
    "rows": Check(("x1_wrong_q",), ("x1_right_q",), "aes", MEMORIES),
    "look-ups": Check(("wb_wrong_q",), ("wb_right_q",), "aes", MEMORIES),
    "control": Check(("differ_q",), ("same_q",), "aes", FLIPS),
}


def without(made: Netlist, held: Mapping[str, int], folder: Path) -> Netlist:
    """Return the netlist with registers that are held. FaultsError where there is no such register."""
    gates = sum(1 for kind, _ in made.sites if not kind.startswith("$_DFF") and kind != "memory")
    flip_flops = [name for kind, name in made.sites[gates:] if kind != "memory"]
    if missing := held.keys() - set(flip_flops):
        raise FaultsError(f"the netlist has no register {', '.join(sorted(missing))}")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "netlist.txt").write_text("".join(f"{line}\n" for line in _lines(made, held, flip_flops)))
    (folder / "sites.txt").write_bytes((made.folder / "sites.txt").read_bytes())
    return Netlist(folder)


def _lines(made: Netlist, held: Mapping[str, int], flip_flops: list[str]) -> Iterator[str]:
    names = iter(flip_flops)
    for line in made.file.read_text().splitlines():
        if not line.startswith("flop "):
            yield line
            continue
        value = held.get(next(names))
        kind, q, d, *reset = line.split()
        yield " ".join([kind, q, d if value is None else str(value), *reset])


def tried(made: Netlist, record: Path, folder: Path, check: Check) -> Counter[int]:
    """Return the classes of the check's faults."""
    cycles = runner.check(made, record)["cycles"]
    shards = runner.run(made, record, folder, check.choice, [(0, cycles)])
    return sum((count(t.classes) for shard in shards for t in shard.tried()), Counter[int]())


def compared(made: Netlist, folder: Path, check: Check) -> dict[str, dict[str, int]]:
    """Return how many of the check's faults are in each group, with it and without it."""
    folder.mkdir(parents=True, exist_ok=True)
    record = folder / "record.txt"
    jobs.write(jobs.record(jobs.JOBS[check.job]), made, record)
    lesser = without(made, check.held, folder / "without")
    return {
        "with": grouped(tried(made, record, folder, check)),
        "without": grouped(tried(lesser, record, folder / "without", check)),
    }


def main() -> int:
    """Return 1 where the core has no checks, or one that finds nothing."""
    if not load().configuration.protect:
        print("faults: this core has no checks; give --configuration protected", file=sys.stderr)
        return 1
    try:
        made = netlist.make(netlist.core(), lambda text: print(f"faults: {text}", file=sys.stderr))
        found = {name: compared(made, WORK / name.replace(" ", "-"), check) for name, check in CHECKS.items()}
    except (FaultsError, EngineError) as error:
        print(f"faults: {error}", file=sys.stderr)
        return 1
    print(json.dumps(found, indent=1))
    silent = next(group for group in GROUPS if group.startswith("silent"))
    return 0 if all(of["without"][silent] > of["with"][silent] for of in found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
