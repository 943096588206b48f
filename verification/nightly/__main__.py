"""`python -m nightly`: run the long campaigns in sequence and write one page with their findings.

python -m nightly                             # all parts, seeds of today
python -m nightly --parts random,vectors --seeds 0:1000
python -m nightly --page                      # rewrite the page: outcomes older than the tree are marked
"""

from __future__ import annotations

import argparse
import datetime
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from nightly.outcome import PASSED, Outcome, read, record_pass, replace, tree_of, write
from nightly.page import page
from nightly.parts import PARTS, Part

ROOT = Path(__file__).parents[2]
WORK = ROOT / "build" / "nightly"
# Programs per night, some 17,000 instructions each, and the day of the first seeds.
SEEDS_A_NIGHT = 2000
FIRST_DAY = datetime.date(2026, 1, 1)


def run(name: str, part: Part, seeds: str, root: Path = ROOT, work: Path = WORK) -> Outcome:
    """Run one part on the current tree; its output goes to a file. There is no result if the tree changes meanwhile."""
    log, before = work / f"{name}.log", tree_of(root)
    start = time.monotonic()
    with log.open("w") as file:
        command = part.command.format(seeds=seeds).split()
        # A separate session, so that all of its processes can be ended.
        process = subprocess.Popen(command, cwd=root, stdout=file, stderr=file, start_new_session=True)
        try:
            result = "failed" if process.wait(3600 * part.hours) else "passed"
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            result = "out of time"
        except KeyboardInterrupt:
            os.killpg(process.pid, signal.SIGINT)
            raise
    if tree_of(root).tree != before.tree:
        result = "tree changed"
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    seconds = round(time.monotonic() - start)
    last = lines[-1] if lines else ""
    return Outcome(name, result, last, seconds, str(log.relative_to(root)), before.commit, before.tree)


def main() -> int:
    """Return 1 if a part has not passed."""
    begin = (datetime.date.today() - FIRST_DAY).days * SEEDS_A_NIGHT
    parser = argparse.ArgumentParser(prog="python -m nightly", description="The long campaigns, and a page about them.")
    parser.add_argument("--parts", default=",".join(PARTS), metavar="A,B", help=f"some of {', '.join(PARTS)}")
    parser.add_argument(
        "--seeds", default=f"{begin}:{begin + SEEDS_A_NIGHT}", metavar="A:B", help="default: of the day"
    )
    parser.add_argument("--page", action="store_true", help="run nothing, write the page anew")
    given = parser.parse_args()
    names = [] if given.page else given.parts.split(",")
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        parser.error(f"no part {', '.join(unknown)}; choose from {', '.join(PARTS)}")
    WORK.mkdir(parents=True, exist_ok=True)
    # A nested make would share the job server of the outer one.
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL"):
        os.environ.pop(name, None)
    results, summary = WORK / "summary.json", WORK / "summary.md"
    outcomes = {name: outcome for name, outcome in read(results).items() if name in PARTS}
    for at, name in enumerate(names, 1):
        print(f"[{at}/{len(names)}] {name}: {PARTS[name].text}", flush=True)
        outcomes[name] = run(name, PARTS[name], given.seeds)
        print(f"        {outcomes[name].result}, {outcomes[name].seconds} s: {outcomes[name].last}", flush=True)
        write(results, outcomes)
        replace(summary, page(ROOT, outcomes, tree_of(ROOT), given.seeds))
    replace(summary, page(ROOT, outcomes, tree_of(ROOT), given.seeds))
    if record_pass(ROOT, outcomes, PARTS):
        print(f"every part has passed on this commit: commit {PASSED}")
    print(f"summary in {summary.relative_to(ROOT)}: {summary.read_text().splitlines()[0].removeprefix('# ')}")
    return 1 if any(outcomes[name].result != "passed" for name in names) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("interrupted")
