"""The project that is opened in the editors: a cipher of its own, and the command `lutra` of this checkout."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Ten lines whose values are easily recognized; README.md, First firmware.
PROGRAM = """\
// first.s: m3[i] = m2[i] ^ key, four rows
        .section m0
key:    .row    "000102030405060708090a0b0c0d0e0f"

        .section text
        mov     v0, m0[key]
        repeat  4, done                         // the loop itself costs no cycle
        xor     m3[ar1++], m2[ar0++], v0
done:   halt
"""


class EditorError(Exception):
    """An editor's failure, or a missing program with the package that has it."""


def program(name: str, package: str) -> str:
    """Return the path of a program; EditorError names the Debian package that brings it."""
    found = shutil.which(name)
    if found is None:
        raise EditorError(f"{name} is not installed; run: apt-get install {package}")
    return found


def environment(**more: str) -> dict[str, str]:
    """Return the environment of an editor: `lutra` is on its PATH, and it reads no settings of the user."""
    return os.environ | {"PATH": f"{ROOT}{os.pathsep}{os.environ['PATH']}"} | more


def make(folder: Path) -> Path:
    """Write the project into a new folder; return it."""
    folder.mkdir(parents=True)
    (folder / "first.s").write_text(PROGRAM)
    return folder
