"""`python -m power_loss.bugs`: bugs seeded in the loader, which the campaign must find.

python -m power_loss.bugs                            # all patches of the folder bugs/
python -m power_loss.bugs fuses_before_the_record
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from power_loss.report import total
from power_loss.runner import Result, RunError, run
from power_loss.scenarios import SCENARIOS
from seeded_bugs.__main__ import Bug, PatchError, changed, read
from variant import ROOT, BuildError, Variant

HERE = Path(__file__).parent / "bugs"
WORK = ROOT / "build" / "power-loss"
HEADER = ("What", "Mistake", "Found in")
# For the scenario in the header: places, places with a second cut, second places.
CHOICE = ("--seeds=0:1", "--sample=1200", "--double=10,20")


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
    scenario = bug.header["Found in"]
    if scenario not in SCENARIOS:
        raise PatchError(f"{bug.path.name}: no scenario {scenario!r}; choose from {', '.join(SCENARIOS)}")
    variant.copy(changed(bug))
    variant.generate()
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
    known = {path.stem: path for path in sorted(HERE.glob("*.patch"))}
    parser = argparse.ArgumentParser(
        prog="python -m power_loss.bugs", description="Mistakes in the loader must be found."
    )
    parser.add_argument("names", nargs="*", metavar="BUG", help=f"only some of {', '.join(known)}")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument("--json", type=Path, metavar="FILE", default=WORK / "bugs.json", help="for programs")
    options = parser.parse_args()
    if unknown := [name for name in options.names if name not in known]:
        parser.error(f"no bug {', '.join(unknown)}; choose from {', '.join(known)}")
    variant = Variant(WORK / "bugs", "-O1", options.jobs)
    names = options.names or list(known)
    found: list[Found] = []
    faults = 0
    for number, name in enumerate(names, 1):
        try:
            one = check(read(known[name], HEADER), variant, options.jobs)
        except (PatchError, BuildError, RunError) as error:
            print(f"power-loss-bugs: {error}", file=sys.stderr)
            faults += 1
            continue
        found.append(one)
        seen = f"{one.place}: {one.what}" if one.place else "NOT FOUND"
        print(f"{number}/{len(names)} {name}: {one.scenario}, {one.cuts:,} cuts, {seen}", flush=True)
        faults += not one.place or one.place == BEFORE
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps([asdict(one) for one in found], indent=1) + "\n")
    print(f"{len(names) - faults} of {len(names)} mistakes in the loader found; {options.json}")
    return 1 if faults else 0


# The campaign program's words: a failure without a cut says nothing about power.
BEFORE = "before any cut"

if __name__ == "__main__":
    sys.exit(main())
