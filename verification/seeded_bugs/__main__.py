"""`python -m seeded_bugs`: apply each patch of this folder to a copy; the layer named in its header must find it.

python -m seeded_bugs                    # all of them
python -m seeded_bugs rtl_repeat_off_by_one
python -m seeded_bugs --layer proof      # those that a proof must refute
python -m seeded_bugs --without-state rtl_resume_clears_notify    # not found: no retirement shows it
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from seeded_bugs.layers import LAYER_OF, LAYERS
from variant import ROOT, BuildError, Variant

HERE = Path(__file__).parent
WORK = ROOT / "build" / "seeded-bugs"
HEADER = ("What", "Mistake", "Caught by")


class PatchError(Exception):
    """A patch without its header, or one that does not apply."""


@dataclass(frozen=True)
class Bug:
    """A patch and its header."""

    path: Path
    header: dict[str, str]

    @property
    def name(self) -> str:
        """Name of the bug on the command line."""
        return self.path.stem


def read(path: Path, wanted: Sequence[str] = HEADER) -> Bug:
    """The patch of a file; PatchError if the header lacks one of the wanted lines."""
    lines = (line.partition(": ") for line in path.read_text().split("\ndiff ")[0].splitlines())
    header = {key: value for key, _, value in lines if value}
    missing = [key for key in wanted if key not in header]
    if missing:
        raise PatchError(f"{path.name}: no line `{missing[0]}: ...` in front of the patch")
    return Bug(path, header)


def changed(bug: Bug) -> dict[str, bytes]:
    """The changed files of a patch, by path; PatchError if it does not apply."""
    names = [line[6:] for line in bug.path.read_text().splitlines() if line.startswith("+++ b/")]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in names:
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes((ROOT / name).read_bytes())
        options = ["--batch", "--silent", "--fuzz=0", "--no-backup-if-mismatch", "-r", "-", "-p1", "-i", str(bug.path)]
        done = subprocess.run(["patch", *options], cwd=copy, capture_output=True, text=True)
        if done.returncode:
            raise PatchError(f"{bug.path.name} no longer applies; make it anew:\n{done.stdout}{done.stderr}")
        return {name: (copy / name).read_bytes() for name in names}


def layer_name(bug: Bug) -> str:
    """Return the layer that must find a bug; PatchError if the header names none, or does not say what to run."""
    wanted = bug.header["Caught by"]
    if wanted not in LAYER_OF:
        raise PatchError(f"{bug.path.name}: `Caught by: {wanted}` is none of {', '.join(LAYER_OF)}")
    name = LAYER_OF[wanted]
    if LAYERS[name].words != ("Run" in bug.header):
        needed = "needs a line `Run: ...`" if LAYERS[name].words else "takes no line `Run: ...`"
        raise PatchError(f"{bug.path.name}: layer {name} {needed}")
    return name


def check(bug: Bug, variant: Variant, options: Sequence[str]) -> dict[str, object]:
    """Build with the bug, run the layer that must find it, and keep the reproducer."""
    name = layer_name(bug)
    layer = LAYERS[name]
    variant.copy(changed(bug))
    variant.generate()
    if layer.compiled:
        variant.build()
    found = layer.search(variant, shlex.split(bug.header.get("Run", "")), options) | {
        "bug": bug.name,
        "layer": name,
        "expected": bug.header["Caught by"],
        "what": bug.header["What"],
    }
    source = found.pop("source", None)
    if isinstance(source, str):
        place = WORK / f"{bug.name}.s"
        place.write_text(source)
        found["reproducer"] = place.relative_to(ROOT).as_posix()
    return found


def line(found: dict[str, object]) -> str:
    """A bug and what found it, as text."""
    work = f", {found['instructions']:,} instructions" if "instructions" in found else ""
    work += f", {found['seconds']:.2f} s" if "seconds" in found else ""
    short = "" if "words" not in found else f"; shrunk to {found['words']} instructions: {found['reproducer']}"
    return f"{found['bug']}: {found['by'] or 'NOT FOUND'} ({found.get('where', '')}{work}){short}"


def main() -> int:
    """Return 0 if every bug is found as its header says."""
    parser = argparse.ArgumentParser(prog="python -m seeded_bugs", description="Bugs put in on purpose must be found.")
    parser.add_argument("names", nargs="*", metavar="BUG", help="only these, by the names of their files")
    parser.add_argument("--layer", choices=tuple(LAYERS), help="only bugs that this layer must find")
    parser.add_argument("--jobs", type=int, default=2, help="processes of the compiler (2)")
    parser.add_argument("--json", type=Path, metavar="FILE", default=WORK / "report.json", help="for programs")
    parser.add_argument(
        "--without-state", action="store_true", help="search by retirements alone, to see what they miss"
    )
    options = parser.parse_args()
    paths = sorted(p for p in HERE.glob("*.patch") if not options.names or p.stem in options.names)
    if options.layer:
        paths = [p for p in paths if LAYER_OF.get(read(p).header["Caught by"]) == options.layer]
    if not paths:
        parser.error(f"no such bug; choose from {', '.join(sorted(p.stem for p in HERE.glob('*.patch')))}")
    variant = Variant(WORK, "-O1", options.jobs)
    results, faults = [], 0
    for number, path in enumerate(paths, 1):
        try:
            found = check(read(path), variant, ["--without-state"] * options.without_state)
        except (PatchError, BuildError) as error:
            print(f"seeded-bugs: {error}", file=sys.stderr)
            faults += 1
            continue
        results.append(found)
        print(f"{number}/{len(paths)} {line(found)}", flush=True)
        if found["by"] != found["expected"]:
            print(f"seeded-bugs: {path.name} says {found['expected']}", file=sys.stderr)
            faults += 1
    options.json.write_text(json.dumps(results, indent=1))
    print(f"{len(results)} of {len(paths)} bugs tried, {faults} not found as their headers say; {options.json}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
