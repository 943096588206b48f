"""`python -m faults.compare`: faults of the core in the engine and on the Verilated netlist, which have to agree.

python -m faults.compare                       # 10,000 faults of AES
python -m faults.compare --job snow3g --count 2000
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from faults import cross_check, jobs, netlist, runner
from faults.__main__ import WORK, say
from faults.classes import NAMES
from faults.cross_check import Fault
from faults.errors import FaultsError
from faults.netlist import Netlist
from faults.runner import Choice
from lutra.iss.engine import EngineError

# A share of all faults in which there are some hundreds of each class.
PART = 0.005
# Classes of the engine that the other side does not tell apart: something still differs at the end, or not.
SAME = {2: 1}


@dataclass(frozen=True)
class Compared:
    """A fault, and its class on both sides."""

    fault: Fault
    engine: int
    netlist: int

    @property
    def agrees(self) -> bool:
        return self.netlist == SAME.get(self.engine, self.engine)


def tried(made: Netlist, record: Path, folder: Path, choice: Choice, cycles: int) -> dict[Fault, int]:
    """Return the faults that the engine tries, with their classes."""
    return {
        (one.kind, site, one.cycle): value
        for shard in runner.run(made, record, folder, choice, [(0, cycles)])
        for one in shard.tried()
        if one.kind != "memory"
        for site, value in enumerate(one.classes)
        if value
    }


def chosen(found: Mapping[Fault, int], count: int, seed: int = 1) -> list[Fault]:
    """Return `count` faults, at random, as many of each class as there are."""
    by_class: dict[int, list[Fault]] = {}
    for fault, value in found.items():
        by_class.setdefault(value, []).append(fault)
    shuffled = [random.Random(seed).sample(faults, len(faults)) for _, faults in sorted(by_class.items())]
    return [fault for row in zip_longest(*shuffled) for fault in row if fault is not None][:count]


def compare(made: Netlist, record: Path, program: Path, found: Mapping[Fault, int], count: int) -> list[Compared]:
    """Try faults that the engine has tried on the Verilated netlist, too."""
    faults = chosen(found, count)
    values = cross_check.run(program, made, record, faults)
    return [Compared(fault, found[fault], value) for fault, value in zip(faults, values, strict=True)]


def page(compared: Sequence[Compared]) -> str:
    """Return a table: classes of the engine, how many faults, and on how many both agree."""
    lines = ["| class | faults | the same |", "| --- | --- | --- |"]
    for value, name in sorted(NAMES.items()):
        of = [one for one in compared if one.engine == value]
        if of:
            lines.append(f"| {name} | {len(of):,} | {sum(one.agrees for one in of):,} |")
    return "\n".join(lines)


def compiled(made: Netlist) -> Path:
    """Return the Verilated netlist, which is kept next to it."""
    program = made.file.parent / "verilated" / "Vfaulty"
    sources = (made.file, Path(cross_check.__file__), cross_check.BENCH)
    if program.exists() and all(program.stat().st_mtime > source.stat().st_mtime for source in sources):
        return program
    return cross_check.build(made, program.parent)


def main() -> int:
    """Return 1 where the two disagree."""
    parser = argparse.ArgumentParser(
        prog="python -m faults.compare", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--job", choices=jobs.JOBS, default="aes", metavar="NAME", help="a job of the campaign (aes)")
    parser.add_argument("--count", type=int, default=10_000, metavar="N", help="faults (10000)")
    options = parser.parse_args()
    if options.count < 1:
        parser.error("--count takes a positive number")
    try:
        made = netlist.make(netlist.core(), say)
        folder = WORK / "compare" / options.job
        folder.mkdir(parents=True, exist_ok=True)
        record = folder / "record.txt"
        jobs.write(jobs.record(jobs.JOBS[options.job]), made, record)
        cycles = runner.check(made, record)["cycles"]
        found = tried(made, record, folder, Choice(("flip", "stuck"), part=PART), cycles)
        say(f"{options.job}: {len(found):,} faults tried by the engine; compiling the netlist")
        program = compiled(made)
        begun = time.perf_counter()
        compared = compare(made, record, program, found, options.count)
    except (FaultsError, EngineError) as error:
        print(f"faults: {error}", file=sys.stderr)
        return 1
    print(page(compared))
    different = [one for one in compared if not one.agrees]
    for one in different[:20]:
        print(f"{one.fault}: {NAMES[one.engine]}, on the Verilated netlist {NAMES[one.netlist]}")
    seconds = time.perf_counter() - begun
    print(
        f"{options.job}: {len(compared):,} faults, {len(different)} differ; {seconds:,.0f} s of the Verilated netlist"
    )
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
