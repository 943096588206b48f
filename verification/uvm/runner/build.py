"""Build a UVM bench: fetch the library, verilate, compile. `make uvm` and `make soc-uvm` start it.

Verilator rewrites all files whatever has changed; files with unchanged contents keep their old time, so that only the
others are compiled again.
"""

from __future__ import annotations

import argparse
import fcntl
import filecmp
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import zlib
from collections import defaultdict
from pathlib import Path

from pyslang.driver import CommandLineOptions, Driver

from uvm.runner.benches import BENCHES, CORE, ROOT, Bench

LIBRARY = "uvm_pkg.sv"
LIBRARY_GROUPS = 10

# Clang compiles the classes in little more than half of gcc's time; the wheel's makefile is configured for gcc.
CLANG = (
    "CXX=clang++-19",
    "LINK=clang++-19 -fuse-ld=lld-19",
    "CFG_CXXFLAGS_COROUTINES=",
    "CFG_CXXFLAGS_NO_UNUSED=-w",
    "CFG_CXXFLAGS_PCH_I=-include-pch",
    "CFG_GCH_IF_CLANG=.gch",
)
GCC = ("CXX=g++", "LINK=g++", "CFG_CXXFLAGS_NO_UNUSED=-w")


class BuildError(Exception):
    """The bench cannot be built; says why and what to do, in a few lines."""


def say(text: str) -> None:
    print(f"==> {text}", flush=True)


def uvm_home() -> Path:
    """The folder of the UVM library: $UVM_HOME, or the set-up's cache."""
    done = subprocess.run([ROOT / ".ci" / "uvm-library"], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise BuildError("no UVM library, see above")
    return Path(done.stdout.strip())


def verilator(library: Path, bench: Bench = CORE) -> list[str]:
    """The command that reads the bench, without options for its output."""
    return [
        "verilator_bin", "--timing", "--assert", "--timescale", "1ns/1ps", "--top-module", bench.top,
        # The library is not ours to fix. Of our code, `make lint` checks the core, and the bench must compile.
        "-Wno-fatal", "-Wno-lint", "-Wno-style", *bench.options, *sources(library, bench),
    ]  # fmt: skip


def sources(library: Path, bench: Bench = CORE) -> list[str]:
    """The files of library, device and bench, in the order in which they are read."""
    return [str(library / LIBRARY), *bench.sources]


def elaborate(bench: Bench = CORE) -> None:
    """Read and elaborate the bench with slang, in a second, and compile nothing; raises BuildError.

    Verilator takes half a minute for it and knows fewer rules of the language.
    """
    driver = Driver()
    driver.addStandardArgs()
    command = ["slang", "--single-unit", "--timescale", "1ns/1ps", "--top", bench.top, "-Wnone"]
    command += sources(uvm_home(), bench)
    ready = driver.parseCommandLine(shlex.join(command), CommandLineOptions()) and driver.processOptions()
    if not (ready and driver.parseAllSources() and driver.runFullCompilation(True)):
        raise BuildError("slang refuses the bench, see above")


def verilate(into: Path, library: Path, bench: Bench) -> None:
    """Write the bench as C++ into a new folder."""
    shutil.rmtree(into, ignore_errors=True)
    options = [
        "--cc", "--exe", "--main", "--trace-fst", "--x-assign", "unique", "--x-initial", "unique",
        "--prefix", "Vuvm", "--Mdir", str(into), "-j", "2", "--output-groups", "0",
        # -MP: a removed header does not stop make.
        "-CFLAGS", " ".join(["-std=c++20", "-MP", *(f"-I{ROOT / path}" for path in bench.includes)]),
        *(str(ROOT / path) for path in bench.cpp_sources),
    ]  # fmt: skip
    run([*verilator(library, bench), *options], "verilator failed")


def group(folder: Path) -> None:
    """Rewrite the list of classes in Verilator's makefile: a few large files instead of thousands.

    The group of a class depends only on its name, so that a change stays in its group (Verilator's own
    --output-groups cuts by size). All of them are fast ones, with one precompiled header.
    """
    makefile = folder / "Vuvm_classes.mk"
    lists = re.compile(r"^(VM_CLASSES_(?:FAST|SLOW)) \+= \\\n((?:\t?.*\\\n)*)", re.M)
    text = makefile.read_text()
    groups: dict[str, list[str]] = defaultdict(list)
    for _, names in lists.findall(text):
        for name in names.replace("\\", "").split():
            groups[group_of(name)].append(name)
    for into, names in groups.items():
        if [into] != names:
            (folder / f"{into}.cpp").write_text("".join(f'#include "{name}.cpp"\n' for name in sorted(names)))
    listed = {"VM_CLASSES_FAST": sorted(groups), "VM_CLASSES_SLOW": []}
    makefile.write_text(lists.sub(lambda m: f"{m[1]} += {' '.join(listed[m[1]])}\n", text))


def group_of(name: str) -> str:
    """The group of a generated file: the classes of a package, a part of the library, the core, or small files."""
    parts = re.fullmatch(r"Vuvm_(\w+?)__03a__03a(\w+?)(__Vclpkg)?(__\d+)?(__Slow)?", name)
    if not parts:
        return name if name.startswith("Vuvm___024root__") else "group_rest"
    return f"group_{parts[1]}" + (f"_{zlib.crc32(parts[2].encode()) % LIBRARY_GROUPS}" if parts[1] == "uvm_pkg" else "")


def run(command: list[str], failure: str) -> None:
    """Run a command; show its output only if it fails."""
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stdout)
        raise BuildError(f"{failure}, see above")


def take_over(new: Path, old: Path) -> int:
    """Update `old` to the contents of `new` without touching equal files; return the number of other files."""
    old.mkdir(parents=True, exist_ok=True)
    sources = {path.name for path in new.iterdir()}
    for path in old.iterdir():
        if path.suffix in (".cpp", ".h") and path.name not in sources:
            path.unlink()
            path.with_suffix(".o").unlink(missing_ok=True)
    changed = [n for n in sources if not ((old / n).exists() and filecmp.cmp(new / n, old / n, shallow=False))]
    for name in changed:
        shutil.copy(new / name, old / name)
    return len(changed)


def compile_(jobs: int, bench: Bench) -> None:
    clang = shutil.which("clang++-19") and shutil.which("ld.lld-19")
    if not clang:
        say("clang-19 and lld-19 are not installed: g++ takes about twice as long")
    command = ["make", "-C", str(bench.objects), "-f", "Vuvm.mk", f"-j{jobs}", "OPT_FAST=-O0", "OPT_GLOBAL=-O1"]
    run([*command, *(CLANG if clang else GCC)], "the compiler failed")


def digest(library: Path, bench: Bench) -> str:
    """Digest of everything that the bench is made of."""
    files = sorted(path for pattern in bench.inputs for path in ROOT.glob(pattern))
    total = hashlib.sha256(str(library).encode())
    for path in files:
        total.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return total.hexdigest()


def build(jobs: int, bench: Bench = CORE) -> None:
    """Build everything that has changed. One build of a bench at a time."""
    bench.out.mkdir(parents=True, exist_ok=True)
    with (bench.out / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        start = time.monotonic()
        library = uvm_home()
        stamp, now = bench.out / "stamp", digest(library, bench)
        if bench.program.exists() and stamp.exists() and stamp.read_text() == now:
            return
        stamp.unlink(missing_ok=True)
        say("UVM bench: verilating")
        verilate(bench.out / "new", library, bench)
        group(bench.out / "new")
        changed = take_over(bench.out / "new", bench.objects)
        say(f"UVM bench: compiling, {changed} files have changed ({time.monotonic() - start:.0f} s so far)")
        compile_(jobs, bench)
        stamp.write_text(now)
        say(f"UVM bench: built in {time.monotonic() - start:.0f} s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", choices=BENCHES, default="core", help="of the core, or of lutra_axi")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="compilers at a time")
    arguments = parser.parse_args()
    try:
        build(arguments.jobs, BENCHES[arguments.bench])
    except BuildError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
