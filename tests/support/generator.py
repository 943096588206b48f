"""The generator on a description with additions."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def described(folder: Path, addition: str) -> Path:
    """A copy of the description with some records more; returns its top file."""
    for file in (ROOT / "isa").glob("*.td"):
        shutil.copy(file, folder)
    (folder / "addition.td").write_text(addition)
    top = folder / "lutra.td"
    top.write_text(top.read_text() + 'include "addition.td"\n')
    return top


def generate(top: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """`python -m isagen --td top options`."""
    return subprocess.run(
        [sys.executable, "-m", "isagen", "--td", str(top), *options],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(ROOT / "isa"), "PATH": os.environ["PATH"]},
    )
