"""`python -m fuzz.bugs`: bugs seeded in the loader, which fuzzing must find.

python -m fuzz.bugs                        # all patches of the folder bugs/
python -m fuzz.bugs length_not_bounded
"""

from __future__ import annotations

import sys
from pathlib import Path

from fuzz.runner import TARGETS, WORK, FuzzError, Outcome, build, run
from seeded_bugs.__main__ import Bug
from seeded_bugs.loader import Verdict, chosen, parser, plant, search
from variant import Variant

HERE = Path(__file__).parent / "bugs"
HEADER = ("What", "Mistake", "Found by")
RUNS = {"pack": 200000, "flash": 100000, "reader": 20000}


def check(bug: Bug, variant: Variant, jobs: int) -> Outcome:
    """Build with the bug, and fuzz what its header names."""
    target = plant(bug, variant, "Found by", TARGETS)
    if target == "reader":
        variant.run("cmake", "--build", variant.work / "cmake", "--parallel", str(jobs), "--target", "fuzz_check")
    else:
        build(variant.tree, variant.work / "fuzzers")
    library = variant.tree / "build/fuzz/libfuzz_check.so"
    return run(target, [f"-runs={RUNS[target]}"], 1, variant.work / "fuzzers", library)


def main() -> int:
    """Return 0 if every bug is found by the target that its header names."""
    known = sorted(HERE.glob("*.patch"))
    arguments = parser("fuzz.bugs", known, "processes of the compiler")
    options = arguments.parse_args()
    patches = chosen(arguments, options.names, known)
    variant = Variant(WORK / "bugs", "-O1", options.jobs)

    def judge(bug: Bug) -> Verdict:
        outcome = check(bug, variant, options.jobs)
        seen = outcome.what if outcome.finding else "NOT FOUND"
        return Verdict(bool(outcome.finding), f"{outcome.target}, {outcome.runs:,} inputs, {seen}")

    faults = search("fuzz-bugs", patches, HEADER, judge, FuzzError)
    print(f"{len(patches) - faults} of {len(patches)} mistakes in the loader found")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
