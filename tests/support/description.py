"""A copy of the description to which a test adds records, and what is generated from it."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

from isagen.__main__ import main
from support.programs import kept

ROOT = Path(__file__).parents[2]


def described(folder: Path, records: str, changes: tuple[tuple[str, str], ...] = ()) -> Path:
    """Copy the description with more records and return its top file; changes: (old, new) in all of its files."""
    for file in (ROOT / "isa").glob("*.td"):
        text = file.read_text()
        for old, new in changes:
            text = text.replace(old, new)
        (folder / file.name).write_text(text)
    (folder / "added.td").write_text(records)
    top = folder / "lutra.td"
    with top.open("a") as out:
        out.write('include "added.td"\n')
    return top


def generator(*options: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the generator in this process; a process of its own takes twice the time."""
    command = list(map(str, options))
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(command)
    return subprocess.CompletedProcess(command, code, out.getvalue(), err.getvalue())


def isagen(top: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the generator on a description."""
    return generator("--td", top, *options)


def generate(
    folder: Path, records: str, changes: tuple[tuple[str, str], ...] = (), options: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """Generate into `folder`/gen from the description with more records and changes."""
    return isagen(described(folder, records, changes), "--out", str(folder / "gen"), *options)


def refusal(folder: Path, records: str) -> str:
    """The findings of the generator, which refuses the description with these records and writes nothing."""
    run = generate(folder, records)
    assert run.returncode == 1, run.stderr
    assert "added.td:" in run.stderr
    assert "Traceback" not in run.stderr
    assert not (folder / "gen").exists()
    return run.stderr


def python(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Run a program that sees the instruction set generated into a folder."""
    environment = os.environ | {"LUTRA_ISA_TABLES": str(folder / "python/lutra/isa/tables.json")}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)


def compiled(folder: Path, source: str, *sources: Path, given: str = "") -> str:
    """Output of a C++ program that includes the simulator's headers and the generated ones; given: its input."""
    (folder / "main.cpp").write_text(source)
    compiler = next(c for c in ("c++", "g++", "clang++") if shutil.which(c))
    headers, own = folder / "gen" / "cpp", ROOT / "iss" / "src"
    command = [compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{headers}", f"-I{own}", "main.cpp"]

    def make(at: Path) -> Path:
        subprocess.run([*command, *map(str, sources), "-o", str(at / "main")], cwd=folder, check=True)
        return at / "main"

    generated = [text for file in sorted(headers.iterdir()) for text in (file.name, file.read_text())]
    program = kept("isa", (source, own, *sources, *generated), make)
    return subprocess.run([program], input=given, capture_output=True, text=True, check=True).stdout


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
