"""Gates of the attachments of soc/systems: `python -m ppa.attachments` measures each by itself and writes
soc/systems/gates.json, from which docs/interfaces.md has its table.

Mapped by Yosys and ABC without regard to the period: they are small, and none has a long path.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from pathlib import Path

from lutra.soc.system import GENERATED, SYSTEMS
from ppa.synthesis import GATED_BITS, dont_use
from ppa.tools import PpaError, Tools, find, yosys

RECORD = SYSTEMS / "gates.json"
NAND2 = 0.798  # square micrometres, of the smallest NAND2 of the library
# What is measured, by its name on the page: top and parameters.
PARTS = {
    "S1": ("lutra_attach_bus", ""),
    "S2, window of 32 bits": ("lutra_attach_local", "-G WINDOW=32"),
    "S2, window of 128 bits": ("lutra_attach_local", "-G WINDOW=128"),
    "S3": ("lutra_attach_fifo", ""),
    "S3, instructions": ("lutra_link_insn", ""),
    "S4": ("lutra_trivium_insn", ""),
}


def gates(tools: Tools, top: str, parameters: str) -> float:
    """Thousands of NAND2 gates of a module with all below it."""
    packages = [GENERATED / name for name in (GENERATED / "lutra_packages.f").read_text().split()]
    rtl = SYSTEMS / "rtl"
    models = re.compile(r"lutra_system_(?!pkg)")
    listed = [rtl / name for name in (rtl / "lutra_system.f").read_text().split() if not models.match(name)]
    library = f"-liberty {tools.liberty}"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script = f"""
read_slang --top {top} -D SYNTHESIS {parameters} {" ".join(map(str, [*packages, *listed]))}
synth -flatten -top {top}
clockgate -pos CLKGATE_X4 E:CK:GCK -min_net_size {GATED_BITS}
dfflibmap {library} {dont_use()}
abc {library} {dont_use()}
tee -o {folder}/stat.txt stat {library}
"""
        yosys(script, folder)
        found = re.search(r"Chip area.*?: ([0-9.]+)", (folder / "stat.txt").read_text())
    if not found:
        raise PpaError(f"{top}: Yosys has not said how large it is")
    return round(float(found[1]) / NAND2 / 1000, 2)


def main() -> int:
    try:
        tools = find()
        RECORD.write_text(json.dumps({what: gates(tools, *part) for what, part in PARTS.items()}, indent=1) + "\n")
    except PpaError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
