"""`python -m fuzz`: coverage-guided fuzzing of the loader in C, with sanitizers, and of the reader in Python.

python -m fuzz --runs 50000                     # this many inputs per target
python -m fuzz --seconds 1200 --target pack     # for this long
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict
from pathlib import Path

from fuzz.runner import TARGETS, WORK, FuzzError, Outcome, build, run


def line(outcome: Outcome, seconds: float) -> str:
    """The outcome as text: what was tried, and how to reproduce a finding."""
    text = f"{outcome.target}: {outcome.runs:,} inputs, {outcome.coverage:,} places reached, {seconds:.0f} s"
    if not outcome.finding:
        return f"{text}, no finding"
    packs = WORK / "packs"
    program = "python -m fuzz.reader" if outcome.target == "reader" else f"{WORK}/cmake/fuzz_{outcome.target}"
    again = f"LUTRA_FUZZ_PACKS={packs} ./lutra --with {program} {outcome.finding}"
    return f"{text}\n    {outcome.what}\n    again: {again}"


def main() -> int:
    """Return 0 if there is no finding."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description="Fuzzing of packs, flash and fuses.")
    parser.add_argument("--target", default=",".join(TARGETS), metavar="A,B", help=f"some of {', '.join(TARGETS)}")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--runs", type=int, default=50000, metavar="N", help="inputs of each target (50000)")
    limit.add_argument("--seconds", type=int, metavar="N", help="of each target instead")
    parser.add_argument("--seed", type=int, default=1, help="of the mutations (1)")
    parser.add_argument("--json", type=Path, metavar="FILE", default=WORK / "report.json", help="for programs")
    options = parser.parse_args()
    names = options.target.split(",")
    if unknown := [name for name in names if name not in TARGETS]:
        parser.error(f"no target {', '.join(unknown)}; choose from {', '.join(TARGETS)}")
    limits = [f"-max_total_time={options.seconds}"] if options.seconds else [f"-runs={options.runs}"]
    outcomes = []
    try:
        build()
        for name in names:
            begin = time.monotonic()
            outcomes.append(run(name, limits, options.seed))
            print(line(outcomes[-1], time.monotonic() - begin), flush=True)
    except FuzzError as error:
        print(f"fuzz: {error}", file=sys.stderr)
        return 1
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps([asdict(outcome) for outcome in outcomes], indent=1) + "\n")
    findings = sum(bool(outcome.finding) for outcome in outcomes)
    print(f"fuzz: {sum(outcome.runs for outcome in outcomes):,} inputs, {findings or 'no'} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
