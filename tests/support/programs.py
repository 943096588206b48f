"""Programs that tests compile, kept in build/test-programs for all processes and runs until a source changes."""

from __future__ import annotations

import fcntl
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path

from support.documents import ROOT

KEPT = ROOT / "build/test-programs"
SECONDS = 7 * 24 * 3600
# Verilator and what there is of compilers.
TOOLS = (ROOT / ".ci/verilator.lock", ROOT / ".ci/system-packages", ROOT / ".ci/requirements.lock")


def kept(name: str, made_from: Iterable[Path | str], make: Callable[[Path], Path]) -> Path:
    """The program that `make` compiles in a folder from files, those of whole folders, and texts.

    Another process waits for the one that compiles.
    """
    KEPT.mkdir(parents=True, exist_ok=True)
    program = KEPT / f"{name}-{digest(made_from)}"
    with (KEPT / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not program.exists():
            with tempfile.TemporaryDirectory() as folder:
                shutil.copy(make(Path(folder)), f"{program}.new")
            Path(f"{program}.new").rename(program)
            _forget()
        program.touch()
    return program


def _forget() -> None:
    """Remove what no run has asked for lately."""
    for old in KEPT.glob("*-*"):
        if old.stat().st_mtime < time.time() - SECONDS:
            old.unlink(missing_ok=True)


def digest(made_from: Iterable[Path | str]) -> str:
    """A digest of texts, and of the names and contents of files."""
    found = sha256()
    for each in (*TOOLS, *made_from):
        if isinstance(each, str):
            found.update(f"text {len(each)} {each}".encode())
            continue
        for file in (
            sorted(f for f in each.rglob("*") if f.is_file() and f.suffix != ".pyc") if each.is_dir() else [each]
        ):
            contents = file.read_bytes()
            found.update(f"file {file} {len(contents)} ".encode() + contents)
    return found.hexdigest()
