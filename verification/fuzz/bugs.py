"""`python -m fuzz.bugs`: bugs seeded in the loader, which fuzzing must find.

python -m fuzz.bugs                        # all patches of the folder bugs/
python -m fuzz.bugs length_not_bounded
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from fuzz.runner import TARGETS, WORK, FuzzError, Outcome, build, run
from seeded_bugs.__main__ import Bug, PatchError, changed, read
from variant import BuildError, Variant

HERE = Path(__file__).parent / "bugs"
HEADER = ("What", "Mistake", "Found by")
RUNS = {"pack": 200000, "flash": 100000, "reader": 20000}


def check(bug: Bug, variant: Variant, jobs: int) -> Outcome:
    """Build with the bug, and fuzz the target that its header names."""
    target = bug.header["Found by"]
    if target not in TARGETS:
        raise PatchError(f"{bug.path.name}: no target {target!r}; choose from {', '.join(TARGETS)}")
    variant.copy(changed(bug))
    variant.generate()
    if target == "reader":
        variant.run("cmake", "--build", variant.work / "cmake", "--parallel", str(jobs), "--target", "fuzz_check")
    else:
        build(variant.tree, variant.work / "fuzzers")
    library = variant.tree / "build/fuzz/libfuzz_check.so"
    return run(target, [f"-runs={RUNS[target]}"], 1, variant.work / "fuzzers", library)


def main() -> int:
    """Return 0 if every bug is found by the target that its header names."""
    known = {path.stem: path for path in sorted(HERE.glob("*.patch"))}
    parser = argparse.ArgumentParser(prog="python -m fuzz.bugs", description="Mistakes in the loader must be found.")
    parser.add_argument("names", nargs="*", metavar="BUG", help=f"only some of {', '.join(known)}")
    parser.add_argument("--jobs", type=int, default=2, help="processes of the compiler (2)")
    options = parser.parse_args()
    if unknown := [name for name in options.names if name not in known]:
        parser.error(f"no bug {', '.join(unknown)}; choose from {', '.join(known)}")
    variant = Variant(WORK / "bugs", "-O1", options.jobs)
    names = options.names or list(known)
    faults = 0
    for number, name in enumerate(names, 1):
        try:
            found = check(read(known[name], HEADER), variant, options.jobs)
        except (PatchError, BuildError, FuzzError) as error:
            print(f"fuzz-bugs: {error}", file=sys.stderr)
            faults += 1
            continue
        seen = found.what if found.finding else "NOT FOUND"
        print(f"{number}/{len(names)} {name}: {found.target}, {found.runs:,} inputs, {seen}", flush=True)
        faults += not found.finding
    print(f"{len(names) - faults} of {len(names)} mistakes in the loader found")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
