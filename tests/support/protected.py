"""Python on a simulator of the core that firmware which computes twice runs on."""

from __future__ import annotations

import os
import subprocess

from support.description import ROOT

NAME = "protected"


def with_core(*command: str) -> subprocess.CompletedProcess[str]:
    """Compile that simulator, and run Python on it."""
    kept = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    make = ["make", "build", f"CONFIGURATION={NAME}", "RTL=0"]
    subprocess.run(make, check=True, cwd=ROOT, env=kept, capture_output=True)
    python_there = ["./lutra", "--configuration", NAME, "--with", "python", *command]
    return subprocess.run(python_there, check=False, cwd=ROOT, env=kept, capture_output=True, text=True)
