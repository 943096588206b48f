"""Gates of `lutra_axi` without its core and its SRAMs, by unit.

The core is a black box. The hierarchy is kept, so that each unit has its gates; they are mapped by the script for area.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from ppa import area, configurations, hierarchy, sram, synthesis, tools
from ppa.design import CORE, GENERATED, Design
from ppa.tools import ROOT, PpaError

TOP = "lutra_axi"
OUT = ROOT / "build" / "ppa" / TOP


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
    units = listed(ROOT / "soc" / "rtl" / "lutra_soc.f")
    files = (*listed(ROOT / GENERATED / "lutra_packages.f"), *packages, *units, sram.write(folder)[0], box)
    return Design(TOP, files, {})


def measure(folder: Path) -> tuple[area.Module, list[hierarchy.Part]]:
    """The whole, and its units. Raises PpaError."""
    folder.mkdir(parents=True, exist_ok=True)
    found = tools.find()
    synthesis.run(design(folder), found, configurations.KEPT, folder, lambda _: None)
    modules = area.read(folder / "stat.json", found.liberty, frozenset({CORE}))
    return area.total(modules, area.top_of(modules, TOP)), hierarchy.parts(modules)


def main() -> int:
    """Print the table; 1 where it cannot be made."""
    parser = argparse.ArgumentParser(
        prog="python -m ppa.soc", description=__doc__, epilog="example: ./lutra --with python -m ppa.soc --json"
    )
    parser.add_argument("--out", type=Path, default=OUT, help="folder for the netlist; default: build/ppa/lutra_axi")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of text")
    given = parser.parse_args()
    try:
        whole, units = measure(given.out.resolve())
    except (PpaError, OSError) as error:
        print(f"ppa: {error}", file=sys.stderr)
        return 1
    if given.json:
        parts = [
            {"instance": u.instance, "module": u.module, "gates": u.gates, "registers": u.sequential} for u in units
        ]
        print(json.dumps({"gates": whole.gates, "registers": whole.sequential, "units": parts}, indent=1))
        return 0
    print(f"{TOP}: {whole.gates:.0f} GE = {whole.sequential:.0f} registers + {whole.logic:.0f} logic")
    for unit in units:
        print(f"{unit.gates:9.0f} {unit.sequential:8.0f}  {unit.module} {unit.instance}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
