"""Whether the core of this checkout is that of a commit, gate by gate, though its text differs.

Both are elaborated by Yosys to a flat netlist without cells of a library, and compared by what they are. What was
measured at the commit is true for this checkout then.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ppa import configurations, differences, figures, generated, netlist, provenance, sram
from ppa.configurations import Configuration
from ppa.design import Design
from ppa.tools import ROOT, PpaError

# All that a core is made of; its generator comes with its description.
SOURCES = ("isa", "rtl")
EXAMPLES = """examples:
  python -m ppa.unchanged --against main                       all configurations of figures.json: some minutes
  python -m ppa.unchanged --against main --configuration aes   one of them: half a minute
  python -m ppa.unchanged --against main --carry               and keep the figures of those that are the same
"""


@contextmanager
def checkout(root: Path, commit: str) -> Iterator[Path]:
    """The sources of the core at a commit, for a while. Raises PpaError."""
    done = subprocess.run(["git", "-C", str(root), "archive", commit, "--", *SOURCES], capture_output=True, check=False)
    if done.returncode:
        raise PpaError(f"--against {commit}: {done.stderr.decode(errors='replace').strip() or 'git has failed'}")
    with TemporaryDirectory(prefix="lutra-ppa-") as folder:
        with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
            archive.extractall(folder, filter="data")
        yield Path(folder)


def compare(wanted: Configuration, old: Path, new: Path, folder: Path) -> tuple[differences.Comparison, list[Design]]:
    """A configuration in two checkouts; also the two designs. Raises PpaError."""
    designs, netlists = [], []
    for side, root in (("before", old), ("now", new)):
        place = folder / wanted.name / side
        place.mkdir(parents=True)
        designs.append(generated.core(wanted, root, place, sram.write(place)[0]))
        netlists.append(netlist.elaborate(designs[-1], place))
    return differences.compare(*netlists), designs


def carried(name: str, recorded: dict[str, Any], before: Design, now: Design) -> str:
    """Take the figures of a configuration over to what is read now; what was done. Raises PpaError."""
    old, new = provenance.digest(before), provenance.digest(now)
    if recorded["inputs"] == new:
        return "its figures are of this text already"
    if recorded["inputs"] != old:
        raise PpaError(f"{name}: its figures are not of that commit's text; measure again: lutra ppa --record")
    recorded["inputs"] = new
    return "its figures are carried over"


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m ppa.unchanged",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--against", required=True, metavar="COMMIT", help="of this repository")
    parser.add_argument(
        "--configuration",
        action="append",
        choices=tuple(configurations.CONFIGURATIONS),
        metavar="NAME",
        help="of python -m ppa (default: those of figures.json)",
    )
    parser.add_argument("--carry", action="store_true", help="write to figures.json that its figures are of this text")
    return parser.parse_args()


def run(options: argparse.Namespace) -> int:
    """Print a line for each configuration; 1 where one differs. Raises PpaError."""
    known = figures.read()
    recorded, failed = known["configurations"], False
    with checkout(ROOT, options.against) as old, TemporaryDirectory(prefix="lutra-ppa-") as folder:
        for name in options.configuration or recorded:
            found, designs = compare(configurations.CONFIGURATIONS[name], old, ROOT, Path(folder))
            notes = list(found.idle)
            if options.carry and not found.difference and name in recorded:
                notes.append(carried(name, recorded[name], *designs))
            print(f"{name}: {found.difference or 'same netlist before mapping'}", flush=True)
            for note in notes:
                print(f"  {note}", flush=True)
            failed |= bool(found.difference)
    if options.carry:
        figures.write(known, figures.FIGURES)
    return 1 if failed else 0


def main() -> int:
    """0; 1 where a core differs, or where it cannot be compared."""
    try:
        return run(arguments())
    except (PpaError, OSError) as error:
        print(f"ppa: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
