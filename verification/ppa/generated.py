"""The generated SystemVerilog of a configuration, without a build of the rest."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from ppa import design
from ppa.configurations import DEFAULT, Configuration
from ppa.design import Design
from ppa.tools import PpaError


def generate(root: Path, configuration: str, folder: Path) -> Path:
    """Write it for a configuration, by its name or file; the folder with lists and sources. Raises PpaError."""
    command = [sys.executable, "-m", "isagen", "--configuration", configuration, "--out", str(folder)]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": str(root / "isa")}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise PpaError(f"configuration {configuration} is not generated:\n{done.stderr.strip()}")
    return folder / design.GENERATED.name


def core(wanted: Configuration, root: Path, folder: Path, sram: Path) -> Design:
    """The core of a configuration, with this file for its memories. Raises PpaError."""
    made = None if wanted.core == DEFAULT else generate(root, wanted.core, folder / "gen")
    return design.of_checkout(sram, design.CORE, root, parameters=wanted.parameters, generated=made)
