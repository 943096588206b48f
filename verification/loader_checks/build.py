"""Compile the loader's sources, for RV32 and for tests on this machine."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOADER = ROOT / "patch" / "loader"
CRYPTO = LOADER / "monocypher"
# monocypher.c is part of this file of ours.
CURVE = LOADER / "src" / "ed25519.c"
HASH = CRYPTO / "monocypher-ed25519.c"
GENERATED = ROOT / "build" / "gen" / "c"
# Only for a host without a C library.
FREESTANDING = "freestanding.c"
STANDARD = "-std=c11"
# The functions that a host calls: what the linker keeps, and all that these need.
ENTRIES = ("check", "apply", "boot", "confirm", "revert", "get_status", "load", "find", "find_routine", "self_test")
RV32 = ("--target=riscv32-unknown-elf", "-march=rv32imc", "-mabi=ilp32", "-ffreestanding")
SMALLEST = ("-Oz", "-msave-restore", "-ffunction-sections", "-fdata-sections")


class CheckError(Exception):
    """Description of the failure, one line each."""


def includes() -> list[str]:
    """For every source; Monocypher's own headers are not ours to warn about."""
    return [f"-I{LOADER / 'include'}", f"-I{GENERATED}", f"-isystem{CRYPTO}"]


def sources(freestanding: bool) -> list[Path]:
    """Sources of the loader's own code."""
    return sorted(path for path in (LOADER / "src").glob("*.c") if freestanding or path.name != FREESTANDING)


def run(command: Iterable[str | Path]) -> str:
    """Its output.

    Raises:
        CheckError: It failed, or is not there.
    """
    words = [str(word) for word in command]
    if shutil.which(words[0]) is None:
        raise CheckError(f"{words[0]}: not found; install it (.ci/system-packages has its package)")
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CheckError((done.stderr or done.stdout).strip())
    return done.stdout


def shared_library(out: Path, driver: Path, compiler: str = "cc", flags: Iterable[str] = ("-O1",)) -> Path:
    """The loader and `driver`, for tests; the cryptography is not slowed down."""
    objects = []
    for path, counted in ((CURVE, flags), (HASH, ())):
        objects.append(out.with_name(f"{path.stem}.o"))
        run([compiler, STANDARD, "-fPIC", *counted, "-O2", *includes(), "-c", path, "-o", objects[-1]])
    files = [*(path for path in sources(freestanding=False) if path != CURVE), driver, *objects]
    run([compiler, STANDARD, "-shared", "-fPIC", *flags, *includes(), *files, "-o", out])
    return out


def firmware_elf(folder: Path) -> Path:
    """The whole loader for rv32imc with its cryptography, without the texts; what is not called is left out."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [path for path in sources(freestanding=True) if path.name != "text.c"]
    objects = []
    for path in (*files, HASH, LOADER / "rv32" / "runtime.S"):
        objects.append(folder / f"{path.stem}.o")
        standard = [STANDARD] if path.suffix == ".c" else []
        run(["clang-19", *RV32, *standard, *SMALLEST, *includes(), "-c", path, "-o", objects[-1]])
    elf = folder / "loader.elf"
    keep = [f"-ulutra_{name}" for name in ENTRIES]
    run(["ld.lld-19", "-melf32lriscv", "--gc-sections", *keep, f"-elutra_{ENTRIES[0]}", *objects, "-o", elf])
    return elf
