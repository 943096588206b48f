"""`lutra_axi` or `lutra_cluster`: gates by unit, or the period.

For the gates the core and the SRAMs are black boxes, and so is each `lutra_axi` of a cluster. The hierarchy is kept, so
that each unit has its gates; they are mapped by the script for area. The period is that of a flat netlist by one script
of the portfolio. `lutra_axi` has its core then, which is mapped as a module of its own, as it is for its own period;
it takes about 15 minutes. A cluster keeps its boxes, whose own period is that of `lutra_axi`, and paths to and from
them are not timed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

from ppa import area, configurations, hierarchy, sram, synthesis, timing, tools
from ppa import measure as measurement
from ppa.design import CLUSTER, CORE, GENERATED, SYSTEM, Design, core_files
from ppa.progress import teller
from ppa.timing import Arc
from ppa.tools import ROOT, PpaError

OUT = ROOT / "build" / "ppa"
UNITS = ROOT / "soc" / "rtl" / "lutra_soc.f"
CLUSTER_UNITS = ROOT / "soc" / "cluster" / "lutra_cluster.f"
MOST_CORES = 8


def listed(path: Path) -> list[Path]:
    """The files of a list."""
    return [(path.parent / name).resolve() for name in path.read_text().split()]


def black_box(source: Path, folder: Path) -> Path:
    """A file with the ports of a module alone."""
    text, box = source.read_text(), folder / source.name
    ports = text[text.index(f"module {source.stem}") : text.index("\n);") + 3]
    box.write_text(f"(* blackbox *)\n{ports}\nendmodule\n")
    return box


def packages(path: Path) -> list[Path]:
    """The packages of a list."""
    return [file for file in listed(path) if file.stem.endswith("_pkg")]


def design(folder: Path) -> Design:
    """`lutra_axi` around the box."""
    core = (*listed(ROOT / GENERATED / "lutra_packages.f"), *packages(ROOT / "rtl" / "lutra.f"))
    box = black_box(ROOT / "rtl" / f"{CORE}.sv", folder)
    return Design(SYSTEM, (*core, *listed(UNITS), sram.write(folder)[0], box))


def cluster(folder: Path, cores: int, pairs: int) -> Design:
    """`lutra_cluster` around a box for each core."""
    core = (*listed(ROOT / GENERATED / "lutra_packages.f"), *packages(ROOT / "rtl" / "lutra.f"))
    box = black_box(ROOT / "soc" / "rtl" / f"{SYSTEM}.sv", folder)
    shared = [file for file in listed(UNITS) if file.stem != SYSTEM]
    files = (*core, *shared, box, *listed(CLUSTER_UNITS), sram.write(folder, cluster=True)[0])
    return Design(CLUSTER, files, {"CORES": cores, "LOCKSTEP_PAIRS": pairs})


def whole(folder: Path, flat: bool) -> Design:
    """`lutra_axi` with its core."""
    files = (*core_files(ROOT, sram.write(folder)[0]), *listed(UNITS))
    return Design(SYSTEM, files, blocks=() if flat else (CORE,))


def measure(made: Design, folder: Path) -> tuple[area.Module, list[hierarchy.Part]]:
    """The whole, and its units. Raises PpaError."""
    found = tools.find()
    synthesis.run(made, found, configurations.KEPT, folder, lambda _: None)
    modules = area.read(folder / "stat.json", found.liberty, frozenset({CORE if made.top == SYSTEM else SYSTEM}))
    return area.total(modules, area.top_of(modules, made.top)), hierarchy.parts(modules)


def period(folder: Path, flat: bool) -> tuple[Arc, Arc]:
    """The longest path, and the longest that begins or ends outside of the core. Raises PpaError."""
    folder.mkdir(parents=True, exist_ok=True)
    point = measurement.measure(whole(folder, flat), tools.find(), configurations.PORTFOLIO[0], folder, teller(SYSTEM))
    units = {path.stem for path in listed(UNITS)}
    return point.arcs[0], next(arc for arc in point.arcs if units & {*arc.modules})


def cluster_period(made: Design, folder: Path) -> Arc:
    """The longest path between registers and SRAMs of a cluster, outside of its boxes. Raises PpaError."""
    found = tools.find()
    synthesis.run(made, found, configurations.PORTFOLIO[0], folder, teller(CLUSTER))
    net = folder / "net.v"
    # OpenSTA reads no parameters, which Yosys leaves at boxes.
    net.write_text(re.sub(rf"\b{SYSTEM} #\(.*?\n  \) ", f"{SYSTEM} ", net.read_text(), flags=re.DOTALL))
    return timing.paths(made, found, folder)[0]


def show_period(named: dict[str, Arc], as_json: bool) -> None:
    """Print the longest paths."""
    if as_json:
        paths = {
            name: {"ns": arc.ns, "start": timing.group(arc.start), "end": timing.group(arc.end)}
            for name, arc in named.items()
        }
        print(json.dumps(paths, indent=1))
        return
    for name, arc in named.items():
        print(f"{arc.ns:6.3f} ns  {name.replace('_', ' ')}: {timing.group(arc.start)} to {timing.group(arc.end)}")


def show_gates(made: Design, folder: Path, as_json: bool) -> None:
    """Print the table of gates."""
    total, units = measure(made, folder)
    if as_json:
        parts = [
            {"instance": u.instance, "module": u.module, "gates": u.gates, "registers": u.sequential} for u in units
        ]
        print(json.dumps({"gates": total.gates, "registers": total.sequential, "units": parts}, indent=1))
        return
    print(f"{made.top}: {total.gates:.0f} GE = {total.sequential:.0f} registers + {total.logic:.0f} logic")
    for unit in units:
        print(f"{unit.gates:9.0f} {unit.sequential:8.0f}  {unit.module} {unit.instance}")


def main() -> int:
    """Print what is asked for; 1 where it cannot be measured."""
    parser = argparse.ArgumentParser(
        prog="python -m ppa.soc", description=__doc__, epilog="example: ./lutra --with python -m ppa.soc --json"
    )
    parser.add_argument("--period", action="store_true", help="the longest paths instead of the gates")
    parser.add_argument("--flat", action="store_true", help="with --period: map core and surroundings as one module")
    parser.add_argument("--cluster", type=int, metavar="CORES", help="a lutra_cluster of so many cores, not lutra_axi")
    parser.add_argument("--pairs", type=int, default=0, help="lock-step pairs of the cluster (default: 0)")
    parser.add_argument("--out", type=Path, help="folder for the netlist; default: below build/ppa")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of text")
    given = parser.parse_args()
    if given.cluster is not None and not 1 <= given.cluster <= MOST_CORES:
        parser.error(f"a cluster has 1 to {MOST_CORES} cores")
    if not 0 <= given.pairs <= (given.cluster or 0) // 2:
        parser.error("a cluster has a lock-step pair for two cores at most")
    if given.flat and (given.cluster or not given.period):
        parser.error("--flat is for the period of lutra_axi")
    top = CLUSTER if given.cluster else SYSTEM
    folder = (given.out or OUT / top / ("period" if given.period else "gates")).resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        made = cluster(folder, given.cluster, given.pairs) if given.cluster else design(folder)
        if not given.period:
            show_gates(made, folder, given.json)
        elif given.cluster:
            show_period({"outside_of_lutra_axi": cluster_period(made, folder)}, given.json)
        else:
            longest, outside = period(folder, given.flat)
            show_period({"whole": longest, "outside_of_the_core": outside}, given.json)
    except (PpaError, OSError) as error:
        print(f"ppa: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
