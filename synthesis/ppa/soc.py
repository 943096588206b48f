"""`lutra_axi`: its gates by unit, or its period.

For the gates the core and the SRAMs are black boxes. The hierarchy is kept, so that each unit has its gates; they are
mapped by the script for area. For the period the core is there, flat, with one script of the portfolio; it takes about
15 minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from ppa import area, configurations, hierarchy, sram, synthesis, timing, tools
from ppa import measure as measurement
from ppa.design import CORE, GENERATED, SYSTEM, Design, core_files
from ppa.progress import teller
from ppa.timing import Arc
from ppa.tools import ROOT, PpaError

OUT = ROOT / "build" / "ppa" / SYSTEM
UNITS = ROOT / "soc" / "rtl" / "lutra_soc.f"


def listed(path: Path) -> list[Path]:
    """The files of a list."""
    return [(path.parent / name).resolve() for name in path.read_text().split()]


def black_box() -> str:
    """The core's ports alone."""
    text = (ROOT / "rtl" / f"{CORE}.sv").read_text()
    ports = text[text.index(f"module {CORE}") : text.index("\n);") + 3]
    return f"(* blackbox *)\n{ports}\nendmodule\n"


def design(folder: Path) -> Design:
    """`lutra_axi` around the box."""
    box = folder / f"{CORE}.sv"
    box.write_text(black_box())
    packages = [path for path in listed(ROOT / "rtl" / "lutra.f") if path.stem.endswith("_pkg")]
    files = (*listed(ROOT / GENERATED / "lutra_packages.f"), *packages, *listed(UNITS), sram.write(folder)[0], box)
    return Design(SYSTEM, files)


def whole(folder: Path) -> Design:
    """`lutra_axi` with its core."""
    return Design(SYSTEM, (*core_files(ROOT, sram.write(folder)[0]), *listed(UNITS)))


def measure(folder: Path) -> tuple[area.Module, list[hierarchy.Part]]:
    """The whole, and its units. Raises PpaError."""
    folder.mkdir(parents=True, exist_ok=True)
    found = tools.find()
    synthesis.run(design(folder), found, configurations.KEPT, folder, lambda _: None)
    modules = area.read(folder / "stat.json", found.liberty, frozenset({CORE}))
    return area.total(modules, area.top_of(modules, SYSTEM)), hierarchy.parts(modules)


def period(folder: Path) -> tuple[Arc, Arc]:
    """The longest path, and the longest that begins or ends outside of the core. Raises PpaError."""
    folder.mkdir(parents=True, exist_ok=True)
    point = measurement.measure(whole(folder), tools.find(), configurations.PORTFOLIO[0], folder, teller(SYSTEM))
    units = {path.stem for path in listed(UNITS)}
    return point.arcs[0], next(arc for arc in point.arcs if units & {*arc.modules})


def show_period(folder: Path, as_json: bool) -> None:
    """Print the two paths."""
    named = dict(zip(("whole", "outside_of_the_core"), period(folder), strict=True))
    if as_json:
        paths = {
            name: {"ns": arc.ns, "start": timing.group(arc.start), "end": timing.group(arc.end)}
            for name, arc in named.items()
        }
        print(json.dumps(paths, indent=1))
        return
    for name, arc in named.items():
        print(f"{arc.ns:6.3f} ns  {name.replace('_', ' ')}: {timing.group(arc.start)} to {timing.group(arc.end)}")


def show_gates(folder: Path, as_json: bool) -> None:
    """Print the table of gates."""
    total, units = measure(folder)
    if as_json:
        parts = [
            {"instance": u.instance, "module": u.module, "gates": u.gates, "registers": u.sequential} for u in units
        ]
        print(json.dumps({"gates": total.gates, "registers": total.sequential, "units": parts}, indent=1))
        return
    print(f"{SYSTEM}: {total.gates:.0f} GE = {total.sequential:.0f} registers + {total.logic:.0f} logic")
    for unit in units:
        print(f"{unit.gates:9.0f} {unit.sequential:8.0f}  {unit.module} {unit.instance}")


def main() -> int:
    """Print what is asked for; 1 where it cannot be measured."""
    parser = argparse.ArgumentParser(
        prog="python -m ppa.soc", description=__doc__, epilog="example: ./lutra --with python -m ppa.soc --json"
    )
    parser.add_argument("--period", action="store_true", help="the longest paths instead of the gates")
    parser.add_argument("--out", type=Path, help="folder for the netlist; default: below build/ppa/lutra_axi")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of text")
    given = parser.parse_args()
    show = show_period if given.period else show_gates
    try:
        show((given.out or OUT / ("period" if given.period else "gates")).resolve(), given.json)
    except (PpaError, OSError) as error:
        print(f"ppa: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
