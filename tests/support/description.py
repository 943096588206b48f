"""A copy of the description to which a test adds records, and what is generated from it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def generate(
    folder: Path, records: str, changes: tuple[tuple[str, str], ...] = (), options: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """Generate into `folder`/gen from the description with more records; changes: (old, new) in all of its files."""
    for file in (ROOT / "isa").glob("*.td"):
        text = file.read_text()
        for old, new in changes:
            text = text.replace(old, new)
        (folder / file.name).write_text(text)
    (folder / "added.td").write_text(records)
    with (folder / "lutra.td").open("a") as top:
        top.write('include "added.td"\n')
    return subprocess.run(
        [sys.executable, "-m", "isagen", "--td", str(folder / "lutra.td"), "--out", str(folder / "gen"), *options],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(ROOT / "isa"), "PATH": "/usr/bin:/bin"},
    )


def compiled(folder: Path, source: str, *sources: Path, given: str = "") -> str:
    """Output of a C++ program that includes the simulator's headers and the generated ones; given: its input."""
    (folder / "main.cpp").write_text(source)
    compiler = next(c for c in ("c++", "g++", "clang++") if shutil.which(c))
    includes = [f"-I{folder / 'gen' / 'cpp'}", f"-I{ROOT / 'iss' / 'src'}"]
    command = [compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", *includes, "main.cpp", *map(str, sources)]
    subprocess.run([*command, "-o", "main"], cwd=folder, check=True)
    return subprocess.run([folder / "main"], input=given, capture_output=True, text=True, check=True).stdout


def lint(folder: Path) -> str:
    """Verilator's messages about the core with the generated packages and modules; empty if it accepts it."""
    rtl, generated = ROOT / "rtl", folder / "gen" / "sv"
    lists = (generated / "lutra_packages.f", rtl / "lutra.f", generated / "lutra_modules.f")
    command = [
        "verilator_bin",
        "--lint-only",
        "-Wall",
        "--no-timing",
        "--assert",
        "--quiet",
        "--top-module",
        "lutra_core",
    ]
    run = subprocess.run(
        [ROOT / "lutra", "--with", *command, rtl / "lint.vlt", *(word for name in lists for word in ("-F", name))],
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stdout + run.stderr
