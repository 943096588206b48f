"""`python -m power_loss.bugs`: bugs seeded in the loader, which the campaign must find.

python -m power_loss.bugs                            # all patches of the folder bugs/
python -m power_loss.bugs fuses_before_the_record
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from power_loss.report import total
from power_loss.runner import Result, RunError, run
from power_loss.scenarios import SCENARIOS
from seeded_bugs.__main__ import Bug
from seeded_bugs.loader import Verdict, chosen, parser, plant, search
from variant import ROOT, Variant

HERE = Path(__file__).parent / "bugs"
WORK = ROOT / "build" / "power-loss"
HEADER = ("What", "Mistake", "Found in")
# For the scenario in the header: places, places with a second cut, second places.
CHOICE = ("--seeds=0:1", "--sample=1200", "--double=10,20")
# As the campaign's program names it: what shows without a cut says nothing of power.
BEFORE = "before any cut"


@dataclass(frozen=True)
class Found:
    """A bug, the scenario, the number of cuts it took, and the first place that shows it, with the failure."""

    bug: str
    scenario: str
    cuts: int
    place: str
    what: str


def check(bug: Bug, variant: Variant, jobs: int) -> Found:
    """Build the device with the bug, and cut its power."""
    scenario = plant(bug, variant, "Found in", SCENARIOS)
    for target in ("power_loss_device", "power_loss_campaign"):
        variant.run("cmake", "--build", variant.work / "cmake", "--parallel", str(jobs), "--target", target)
    (result,) = run(variant.tree, [scenario], CHOICE, "0/1", jobs)
    # A failure after one cut is easier to understand than one after two.
    place, what = min(result.failures, key=lambda failure: "/" in failure[0], default=("", ""))
    return Found(bug.name, scenario, _cuts(result), place, what.strip().replace("\n", "; "))


def _cuts(result: Result) -> int:
    return total([result], "single") + total([result], "double")


def main() -> int:
    """Return 0 if every bug is found in the scenario that its header names, and only after a cut."""
    known = sorted(HERE.glob("*.patch"))
    arguments = parser("power_loss.bugs", known, "processes")
    arguments.add_argument("--json", type=Path, metavar="FILE", default=WORK / "bugs.json", help="for programs")
    options = arguments.parse_args()
    patches = chosen(arguments, options.names, known)
    variant = Variant(WORK / "bugs", "-O1", options.jobs)
    found: list[Found] = []

    def judge(bug: Bug) -> Verdict:
        one = check(bug, variant, options.jobs)
        found.append(one)
        seen = f"{one.place}: {one.what}" if one.place else "NOT FOUND"
        return Verdict(one.place not in ("", BEFORE), f"{one.scenario}, {one.cuts:,} cuts, {seen}")

    faults = search("power-loss-bugs", patches, HEADER, judge, RunError)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps([asdict(one) for one in found], indent=1) + "\n")
    print(f"{len(patches) - faults} of {len(patches)} mistakes in the loader found; {options.json}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
