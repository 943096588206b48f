"""`python -m mutation`: build all mutants of core and simulator, try them, report.

python -m mutation                     # all of them
python -m mutation --sample 40         # a fixed sample, for daily use
python -m mutation --only 'rtl/lutra_agu.sv' --json agu.json
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import json
import random
import sys
from collections import Counter
from pathlib import Path

from mutation import build, report, runner
from mutation.schemata import Mutant
from variant import ROOT, BuildError


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m mutation", description="Mutants of RTL and simulator.")
    parser.add_argument("--sample", type=int, metavar="N", help="N mutants chosen by the seed instead of all")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    parser.add_argument("--only", metavar="PATTERN", default="*", help="files, as rtl/*.sv")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument(
        "--keep",
        choices=("nothing", "killed", "all"),
        default="nothing",
        help="verdicts of earlier runs of the same mutants that are not tried again (nothing)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", default=build.WORK / "report.json", help="for programs")
    parser.add_argument("--page", type=Path, metavar="FILE", default=build.WORK / "report.md", help="for people")
    return parser.parse_args()


def progress(done: int, total: int, outcomes: Counter[str]) -> None:
    """Show progress: a line that stays in place on a terminal, elsewhere one per 100 mutants."""
    text = f"{done}/{total} mutants: " + ", ".join(f"{n} {name}" for name, n in sorted(outcomes.items()))
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="" if done < total else "\n", file=sys.stderr, flush=True)
    elif done % 100 == 0 or done == total:
        print(text, file=sys.stderr, flush=True)


def chosen(mutants: list[Mutant], options: argparse.Namespace) -> list[Mutant]:
    """The mutants to try: those of the wanted files, all or a sample."""
    found = [m for m in mutants if fnmatch.fnmatch(m.file, options.only)]
    if options.sample is None:
        return found
    return random.Random(options.seed).sample(found, min(options.sample, len(found)))


def digest(mutants: list[Mutant]) -> str:
    """Digest of the mutants' texts and places: verdicts are valid only for these."""
    return hashlib.sha256(repr([(m.file, m.line, m.column, m.operator) for m in mutants]).encode()).hexdigest()[:12]


def kept(record: Path, tried: list[Mutant], which: str) -> dict[int, runner.Verdict]:
    """Verdicts of earlier runs, the last of each mutant."""
    if which == "nothing" or not record.exists():
        return {}
    verdicts = (runner.Verdict(**json.loads(line)) for line in record.read_text().splitlines())
    wanted = {m.number for m in tried}
    latest = {v.number: v for v in verdicts if v.number in wanted}
    return {n: v for n, v in latest.items() if v.killed or which == "all"}


def main() -> int:
    """Return 0 if enough were killed, every survivor has a reason and, in a whole run, every reason a survivor."""
    options = arguments()
    print("mutation: building", file=sys.stderr, flush=True)
    try:
        search_path, mutants = build.build(options.jobs)
    except BuildError as error:
        print(f"mutation: {error}", file=sys.stderr)
        return 1
    tried = chosen(mutants, options)
    if not tried:
        print(f"mutation: no mutants in {options.only}", file=sys.stderr)
        return 1
    record = build.WORK / f"verdicts-{digest(mutants)}.jsonl"
    known = kept(record, tried, options.keep)
    if options.keep == "nothing":
        record.unlink(missing_ok=True)
    left = [m for m in tried if m.number not in known]
    if left:
        done = runner.run(left, search_path, build.WORK / "run", record, options.jobs, progress)
        if done.failure:
            print(f"mutation: {done.failure}", file=sys.stderr)
            return 1
        known |= done.verdicts
    found = report.result(tried, list(known.values()), ROOT)
    options.json.write_text(json.dumps(report.as_json(found), indent=1))
    options.page.write_text(report.as_page(found))
    print(f"{len(tried)} mutants, {100 * found.score:.1f} % killed; {options.page}")
    whole = len(tried) == len(mutants)
    faults = [f"{len(found.unexplained)} survivors without a reason"] if found.unexplained else []
    if whole and found.unused:
        faults.append(f"{len(found.unused)} reasons without a survivor")
    if whole and found.score < report.REQUIRED:
        faults.append(f"less than {100 * report.REQUIRED:.0f} % killed")
    for fault in faults:
        print(f"mutation: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
