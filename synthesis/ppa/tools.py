"""The programs and the cells: what `.ci/ppa-tools` fetches, and Yosys in a process of its own."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / ".ci" / "ppa-tools"
STAGE = "#: "  # before what is said of a script's next lines
STEP = "#! "  # before a module of this package whose `run` does something with the design

# Yosys writes to its standard output from C++; what is said of its progress goes to the one that was there before.
_CHILD = f"""
import importlib, os, sys
from pyosys import libyosys as ys
told = os.fdopen(os.dup(1), "w")
os.dup2(os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
os.dup2(1, 2)
design = ys.Design()
for line in open(sys.argv[1]):
    if line.startswith("{STAGE}"):
        print(line[{len(STAGE)}:].strip(), file=told, flush=True)
    elif line.startswith("{STEP}"):
        importlib.import_module(line[{len(STEP)}:].strip()).run(design)
    elif line.strip():
        ys.run_pass(line.strip(), design)
"""


class PpaError(Exception):
    """A tool is missing, or refuses its work; the text says what to do."""


@dataclass(frozen=True)
class Tools:
    """Tools that a run needs in addition to Python packages."""

    sta: Path
    liberty: Path


def find() -> Tools:
    """The tools, fetched where they are missing. Raises PpaError."""
    if importlib.util.find_spec("pyosys") is None:
        raise PpaError("pyosys, the synthesis, is not installed; run: make setup")
    done = subprocess.run([SCRIPT], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise PpaError("the tools of `make ppa` are not there, see above")
    folder = Path(done.stdout.strip())
    return Tools(
        Path(os.environ.get("LUTRA_STA") or folder / "sta"),
        Path(os.environ.get("LUTRA_LIBERTY") or folder / "nangate45.lib"),
    )


def yosys(script: str, folder: Path, say: Callable[[str], None] = lambda _: None) -> None:
    """Run a script in `folder`; its stages are said as they begin. Raises PpaError with the last lines of the log."""
    place, log = folder / "run.ys", folder / "yosys.log"
    place.write_text(script)
    with subprocess.Popen(
        [sys.executable, "-c", _CHILD, place, log], stdout=subprocess.PIPE, text=True, cwd=folder
    ) as run:
        assert run.stdout is not None
        for line in run.stdout:
            say(line.strip())
    if run.returncode:
        last = log.read_text(errors="replace").strip().splitlines()[-6:] if log.exists() else []
        raise PpaError("\n".join([f"Yosys ended with {run.returncode}; {log}:", *last]))


def opensta(tools: Tools, script: str, folder: Path) -> str:
    """Return OpenSTA's output. Raises PpaError."""
    place, log = folder / "sta.tcl", folder / "sta.log"
    place.write_text(script)
    with log.open("w") as out:
        code = subprocess.run(
            [tools.sta, "-no_splash", "-exit", place], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT
        ).returncode
    text = log.read_text(errors="replace")
    errors = [line for line in text.splitlines() if line.startswith("Error")]
    if code or errors:
        raise PpaError("\n".join([f"OpenSTA ended with {code}; {log}:", *(errors or text.splitlines()[-6:])]))
    return text
