"""The language server in Neovim, with the configuration that a user copies."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

from editors.workspace import ROOT, EditorError, environment, make, program

CONFIGURATIONS = ROOT / "editor/neovim"
CHECK = Path(__file__).with_name("neovim_check.lua")
FIRST_WITH_CONFIG = (0, 11)  # vim.lsp.config
SECONDS = 600


def run(work: Path) -> dict[str, str]:
    """Open a program, break it, hover, look up, rename; return what the editor showed, by step."""
    nvim = program("nvim", "neovim")
    version = subprocess.run([nvim, "--version"], capture_output=True, text=True, check=True).stdout
    number = tuple(map(int, re.findall(r"\d+", version.splitlines()[0])[:2]))
    folder = make(work / "neovim")
    plugins = work / "config" / "nvim" / "plugin"
    plugins.mkdir(parents=True)
    name = "lutra.lua" if number >= FIRST_WITH_CONFIG else "lutra-older.lua"
    shutil.copy(CONFIGURATIONS / name, plugins / "lutra.lua")
    report = work / "neovim.json"
    places = {f"XDG_{kind}_HOME": str(work / kind.lower()) for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
    try:
        done = subprocess.run(
            [nvim, "--headless", "first.s", "-c", f"luafile {CHECK}"],
            cwd=folder, env=environment(**places, LUTRA_REPORT=str(report)), capture_output=True, text=True,
            timeout=SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise EditorError(f"Neovim did not end within {SECONDS} s") from None
    if done.returncode or not report.exists():
        raise EditorError(f"Neovim failed:\n{done.stdout}{done.stderr}")
    steps: dict[str, str] = json.loads(report.read_text())
    return {"version": version.splitlines()[0]} | steps
