"""The mutated build: simulator and core with every mutant in them, as an installation beside the real one."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from mutation import cplusplus, systemverilog
from mutation.schemata import CPLUSPLUS, SYSTEMVERILOG, Mutant, Site, Writer, every

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
WORK = ROOT / "build" / "mutation"
TREE = WORK / "tree"
SITE = WORK / "site"
MUTANTS = WORK / "mutants.json"

PARTS = ("isa", "iss", "assembler", "rtl", "firmware")
GENERATED = ("build/gen/sv/lutra_blocks.sv", "build/gen/sv/lutra_decoder.sv")
# The decoder says the same for every instruction; one in so many of its mutants stands for the others.
EVERY = {"build/gen/sv/lutra_decoder.sv": 12}
# The simulator without its binding and without the record, which is the comparison and not what is compared.
SIMULATOR = ("decode.cpp", "execute.cpp", "machine.cpp", "machine.hpp", "functions.hpp", "stream.hpp", "timing.hpp", "value.hpp")
# A function in every place it is used would be as many copies of its mutants.
PACKAGE_FUNCTION = re.compile(r"(function automatic [^;]*;)")


class BuildError(Exception):
    """What went wrong, with the end of the tool's output."""


def run(command: list[str | Path], log: Path) -> None:
    """A command whose output goes to a file; BuildError when it fails."""
    with log.open("a") as out:
        out.write(f"$ {' '.join(map(str, command))}\n")
        out.flush()
        code = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, cwd=ROOT).returncode
    if code:
        raise BuildError(f"{command[0]} failed ({code}), see {log}:\n" + "\n".join(log.read_text().splitlines()[-15:]))


def put(path: Path, text: str | bytes) -> None:
    """Write a file unless it is so already: what did not change is not compiled again."""
    data = text.encode() if isinstance(text, str) else text
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def copy_tree(target: Path, root: Path = ROOT) -> set[Path]:
    """The parts of the checkout that make an installation, unchanged files left alone; what is of no part goes."""
    wanted = {
        path.relative_to(root)
        for part in PARTS
        for path in (root / part).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    for path in list(target.rglob("*")):
        relative = path.relative_to(target)
        if path.is_file() and relative.parts[0] in PARTS and relative not in wanted:
            path.unlink()
    return wanted


def mutate() -> tuple[dict[Path, str], list[Mutant]]:
    """The mutated texts by path within the checkout, and their mutants."""
    writer = Writer()
    texts: dict[Path, str] = {}
    hardware = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "rtl").glob("*.sv"))
    for name in (*hardware, *GENERATED):
        source = (ROOT / name).read_text()
        sites: list[Site] = systemverilog.sites(source)
        if name in EVERY:
            sites = list(every(sites, EVERY[name]))
        text = writer.write(name, source, sites, SYSTEMVERILOG)
        if name.endswith("_pkg.sv"):
            text = PACKAGE_FUNCTION.sub(r"\1  /*verilator no_inline_task*/", text)
        texts[Path(name)] = text
    for name in SIMULATOR:
        path = f"iss/src/{name}"
        source = (ROOT / path).read_text()
        texts[Path(path)] = writer.write(path, source, cplusplus.sites(source), CPLUSPLUS)
    return texts, writer.mutants


def build(jobs: int) -> list[Mutant]:
    """Make the mutated installation in SITE; the mutants that it holds."""
    WORK.mkdir(parents=True, exist_ok=True)
    log = WORK / "build.log"
    log.write_text("")
    texts, mutants = mutate()
    for path in copy_tree(TREE):
        put(TREE / path, texts[path] if path in texts else (ROOT / path).read_bytes())
    for name in ("lutra_mutant.hpp", "lutra_mutant.cpp"):
        put(TREE / "iss/src" / name, (HERE / "selector" / name).read_bytes())
    put(TREE / "rtl/mutation.vlt", (HERE / "selector/mutation.vlt").read_bytes())
    cmake = WORK / "cmake"
    # Compiled for a short build: most mutants die in the first fraction of a second.
    flags = f"-O1 -w -include {TREE}/iss/src/lutra_mutant.hpp"
    if not (cmake / "build.ninja").exists():
        options = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Mutation", f"-DCMAKE_CXX_FLAGS={flags}"]
        python = f"-DPython_EXECUTABLE={sys.executable}"
        run(["cmake", "-S", TREE / "iss", "-B", cmake, *options, python, f"-DCMAKE_INSTALL_PREFIX={SITE}"], log)
    run(["cmake", "--build", cmake, "--target", "isagen"], log)
    for name in GENERATED:
        put(TREE / name, texts[Path(name)])
    run(["cmake", "--build", cmake, "--parallel", str(jobs)], log)
    shutil.rmtree(SITE, ignore_errors=True)
    run(["cmake", "--install", cmake], log)
    MUTANTS.write_text(json.dumps([asdict(m) for m in mutants], indent=0))
    return mutants
