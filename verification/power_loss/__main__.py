"""`python -m power_loss`: cut the power at every place of a field update; the device must recover.

python -m power_loss                                   # all scenarios completely: half an hour on two idle cores
python -m power_loss --sample 300 --double 10,20       # about 300 places of each, the second cut after 10 of them
python -m power_loss --scenario update --shard 3/10    # every tenth place, from the third on
python -m power_loss --repeat update:0.57.3.random.0   # one place again, with all output of the devices
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from power_loss import report
from power_loss.runner import DEVICES, RunError, programs, run
from power_loss.scenarios import SCENARIOS, write_plan
from variant import ROOT

WORK = ROOT / "build" / "power-loss"
# Options of two numbers: their separator, their names, whether the first is the smaller one.
CHOICES = (
    ("seeds", ":", "A:B, A below B", True),
    ("shard", "/", "I/N, I below N", True),
    ("double", ",", "N,M", False),
)


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m power_loss", description="Power loss during a field update.")
    names = ", ".join(SCENARIOS)
    parser.add_argument("--scenario", default=",".join(SCENARIOS), metavar="A,B", help=f"some of {names}")
    parser.add_argument("--seeds", default="0:1", metavar="A:B", help="of what is left at random (0:1)")
    parser.add_argument("--shard", default="0/1", metavar="I/N", help="every N-th place, from the I-th on (0/1)")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="N places of each scenario instead of all")
    parser.add_argument(
        "--double",
        default="200,40",
        metavar="N,M",
        help="a second cut after N of the places of each scenario, at M places of each recovery (200,40)",
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument("--json", type=Path, metavar="FILE", default=WORK / "report.json", help="for programs")
    parser.add_argument("--page", type=Path, metavar="FILE", default=WORK / "report.md", help="for people")
    parser.add_argument("--repeat", metavar="PLACE", help="this place alone, as a failure names it")
    options = parser.parse_args()
    options.scenario = options.scenario.split(",")
    for name in options.scenario:
        if name not in SCENARIOS:
            parser.error(f"no scenario {name!r}; choose from {names}")
    for name, separator, form, ordered in CHOICES:
        given = getattr(options, name)
        found = re.fullmatch(rf"(\d+){separator}(\d+)", given)
        if not found or (ordered and int(found[1]) >= int(found[2])):
            parser.error(f"--{name} {given}: expected {form}")
    return options


def repeat(place: str) -> int:
    """Repeat one place; return 1 if it fails."""
    name, _, where = place.partition(":")
    if name not in SCENARIOS or not where:
        print(f"power-loss: no place {place!r}; a failure names one, as update:0.57.3.random.0", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(dir=DEVICES) as folder:
        device, campaign = programs(ROOT)
        plan = write_plan(name, device, Path(folder))
        (Path(folder) / "device").mkdir()
        return subprocess.run([campaign, plan, Path(folder) / "device", f"--repeat={where}"], check=False).returncode


def main() -> int:
    """Return 0 if every device recovered."""
    options = arguments()
    try:
        if options.repeat:
            return repeat(options.repeat)
        choice = [f"--seeds={options.seeds}", f"--sample={options.sample}", f"--double={options.double}"]
        results = run(ROOT, options.scenario, choice, options.shard, options.jobs)
    except RunError as error:
        print(f"power-loss: {error}", file=sys.stderr)
        return 1
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(report.as_json(results))
    options.page.write_text(report.as_page(results))
    for result in results:
        for place, what in result.failures:
            command = f"python -m power_loss --repeat {result.scenario}:{place}"
            print(f"power-loss: {what.strip()}\n    again: ./lutra --with {command}", file=sys.stderr)
    print(report.summary(results))
    return 1 if any(result.failures for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
