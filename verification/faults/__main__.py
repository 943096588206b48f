"""`python -m faults`: try faults in the synthesized netlist of the core, and say what became of each.

python -m faults                                      # all faults of all jobs: hours
python -m faults --job aes --sample 100000            # so many flips and stuck gates of one job, some minutes
python -m faults --job snow3g --kinds stuck --json    # every gate stuck, for programs
python -m faults --job aes --pairs 1000000            # so many pairs of flips, and nothing else
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

from faults import jobs, netlist, runner
from faults.errors import FaultsError
from faults.instructions import mnemonics
from faults.report import Summary, as_json, as_page, summarize
from lutra.iss.engine import EngineError
from variant import ROOT

WORK = ROOT / "build" / "faults"


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m faults",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    names = ", ".join(jobs.JOBS)
    parser.add_argument("--job", default=",".join(jobs.JOBS), metavar="A,B", help=f"some of {names}")
    parser.add_argument("--kinds", default=",".join(runner.KINDS), metavar="A,B", help="some of flip, stuck, memory")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="about N faults of each job instead of all")
    parser.add_argument("--pairs", type=int, default=0, metavar="N", help="N pairs of flips of each job, nothing else")
    parser.add_argument(
        "--window",
        type=int,
        default=0,
        metavar="N",
        help="cycles with both flips of a pair (the rest of the job)",
    )
    parser.add_argument("--seed", type=int, default=0, help="of the sample (0)")
    parser.add_argument("--cycles", metavar="A:B", help="cycles of the job in which a fault begins (all)")
    parser.add_argument("--shard", type=int, default=128, metavar="N", help="cycles of a shard (128)")
    parser.add_argument(
        "--lanes", type=int, choices=(64, 256, 512), default=0, help="at a time (what the processor has)"
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    options = parser.parse_args()
    options.job, options.kinds = options.job.split(","), tuple(options.kinds.split(","))
    for given, known, what in ((options.job, jobs.JOBS, "job"), (options.kinds, runner.KINDS, "kind")):
        for name in given:
            if name not in known:
                parser.error(f"no {what} {name!r}; choose from {', '.join(known)}")
    if options.cycles:
        found = re.fullmatch(r"(\d+):(\d+)", options.cycles)
        if not found or int(found[1]) >= int(found[2]):
            parser.error(f"--cycles {options.cycles}: expected A:B, A below B")
        options.cycles = int(found[1]), int(found[2])
    if options.shard < 1 or options.jobs < 1 or min(options.sample, options.pairs, options.window) < 0:
        parser.error("--sample, --pairs, --window, --shard and --jobs take positive numbers")
    if options.pairs and options.sample:
        parser.error("--pairs and --sample: choose one")
    if options.window and not options.pairs:
        parser.error("--window is of --pairs")
    if options.pairs:
        options.kinds = ()
    return options


def say(text: str) -> None:
    """Report progress on standard error."""
    print(f"faults: {text}", file=sys.stderr, flush=True)


def campaign(name: str, made: netlist.Netlist, options: argparse.Namespace) -> Summary:
    """Run one job's faults."""
    folder = WORK / "campaign" / name
    folder.mkdir(parents=True, exist_ok=True)
    recorded, record = jobs.record(jobs.JOBS[name]), folder / "record.txt"
    jobs.write(recorded, made, record)
    found = runner.check(made, record)
    cycles = options.cycles or (0, found["cycles"])
    universe = found["sites"] * (cycles[1] - cycles[0] if "flip" in options.kinds else 0)
    universe += 2 * found["sites"] if "stuck" in options.kinds else 0
    part = min(1.0, options.sample / universe) if options.sample and universe else 1.0
    say(f"{name}: {found['cycles']} cycles, {found['sites']:,} sites, no difference from the RTL without a fault")
    ranges = runner.shards(cycles, options.shard)
    each = -(-options.pairs // len(ranges))
    choice = runner.Choice(options.kinds, part, options.seed, cycles, options.lanes, each, options.window)
    shards = runner.run(
        made,
        record,
        folder,
        choice,
        ranges,
        options.jobs,
        ("pc_o", "state_o"),
        lambda done, of: say(f"{name}: shard {done} of {of}"),
    )
    watched = shards[0].head["watch"]
    return summarize(name, shards, mnemonics(recorded.program, watched["pc_o"], watched["state_o"]))


def main() -> int:
    """Return 0 when the campaign has run; what it finds is its result."""
    options = arguments()
    try:
        made = netlist.make(netlist.core(), say)
        summaries = [campaign(name, made, options) for name in options.job]
    except (FaultsError, EngineError) as error:
        print(f"faults: {error}", file=sys.stderr)
        return 1
    WORK.mkdir(parents=True, exist_ok=True)
    report = json.dumps(as_json(summaries), indent=1)
    (WORK / "report.json").write_text(report + "\n")
    Path(WORK / "report.md").write_text(as_page(summaries))
    print(report if options.json else as_page(summaries))
    return 0


if __name__ == "__main__":
    sys.exit(main())
