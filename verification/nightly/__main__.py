"""`python -m nightly`: the long campaigns one after the other, with one page of what they found.

python -m nightly                             # all parts, seeds of today
python -m nightly --parts random,vectors --seeds 0:1000
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORK = ROOT / "build" / "nightly"
# Programs of a night, some 17,000 instructions each, and of which day the first seeds are.
SEEDS_A_NIGHT = 2000
FIRST_DAY = datetime.date(2026, 1, 1)


@dataclass(frozen=True)
class Part:
    """A campaign: its command, hours that it may take at most, and what it is for."""

    command: str
    hours: float
    text: str


PARTS = {
    "random": Part("make random SEEDS={seeds}", 2, "random programs in lock-step"),
    "vectors": Part("make kat", 1, "all known answers in lock-step"),
    "monte-carlo": Part("make monte-carlo", 1, "chains of AES and Camellia in lock-step"),
    "formal": Part("make formal", 1, "proofs"),
    "coverage": Part("make coverage", 3, "functional and code coverage"),
    "uvm": Part("make uvm", 2, "UVM regression"),
    "seeded-bugs": Part("make seeded-bugs", 2, "bugs put in on purpose"),
    "mutation": Part("make mutation-sample", 1, "a sample of mutants"),
}


@dataclass(frozen=True)
class Outcome:
    """What a part ended with: `passed`, `failed` or `out of time`; its last line, seconds, and where its output is."""

    part: str
    text: str
    result: str
    last: str
    seconds: float
    log: str


def run(name: str, part: Part, seeds: str) -> Outcome:
    """One part; its output goes to a file."""
    log = WORK / f"{name}.log"
    start = time.monotonic()
    with log.open("w") as file:
        command = part.command.format(seeds=seeds).split()
        # A session of its own, so that all of its processes can be ended.
        process = subprocess.Popen(command, cwd=ROOT, stdout=file, stderr=file, start_new_session=True)
        try:
            result = "failed" if process.wait(3600 * part.hours) else "passed"
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            result = "out of time"
        except KeyboardInterrupt:
            os.killpg(process.pid, signal.SIGINT)
            raise
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    seconds = time.monotonic() - start
    return Outcome(name, part.text, result, lines[-1] if lines else "", round(seconds), str(log.relative_to(ROOT)))


def page(outcomes: list[Outcome], seeds: str) -> str:
    """The summary as Markdown."""
    revision = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    bad = [o for o in outcomes if o.result != "passed"]
    head = f"{len(outcomes) - len(bad)} of {len(outcomes)} parts passed"
    out = f"# Nightly: {head}\n\nRevision {revision.stdout.strip() or 'unknown'}, seeds {seeds}.\n\n"
    out += "| part | result | time | last line | output |\n| --- | --- | --- | --- | --- |\n"
    for o in outcomes:
        last = o.last.replace("|", "\\|")
        out += f"| {o.part}: {o.text} | {o.result} | {o.seconds:.0f} s | {last} | `{o.log}` |\n"
    return out


def write(path: Path, text: str) -> None:
    """Whole or not at all."""
    part = path.with_name(path.name + ".part")
    part.write_text(text)
    part.replace(path)


def main() -> int:
    """1 where a part has not passed."""
    begin = (datetime.date.today() - FIRST_DAY).days * SEEDS_A_NIGHT
    parser = argparse.ArgumentParser(prog="python -m nightly", description="The long campaigns, and a page about them.")
    parser.add_argument("--parts", default=",".join(PARTS), metavar="A,B", help=f"some of {', '.join(PARTS)}")
    parser.add_argument(
        "--seeds", default=f"{begin}:{begin + SEEDS_A_NIGHT}", metavar="A:B", help="default: of the day"
    )
    given = parser.parse_args()
    names = given.parts.split(",")
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        parser.error(f"no part {', '.join(unknown)}; there are {', '.join(PARTS)}")
    WORK.mkdir(parents=True, exist_ok=True)
    # A make that is called by this one's make would share its job server.
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL"):
        os.environ.pop(name, None)
    outcomes: list[Outcome] = []
    for at, name in enumerate(names, 1):
        print(f"[{at}/{len(names)}] {name}: {PARTS[name].text}", flush=True)
        outcomes.append(run(name, PARTS[name], given.seeds))
        print(f"        {outcomes[-1].result}, {outcomes[-1].seconds:.0f} s: {outcomes[-1].last}", flush=True)
        write(WORK / "summary.md", page(outcomes, given.seeds))
        write(WORK / "summary.json", json.dumps([asdict(o) for o in outcomes], indent=1) + "\n")
    print("summary in build/nightly/summary.md")
    return 1 if any(o.result != "passed" for o in outcomes) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("interrupted")
