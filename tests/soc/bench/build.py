"""The bench of `lutra_axi`: Verilate it once, and run cocotb tests on it.

The core is a library of its own, so that a change in soc/rtl does not compile it again.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from cocotb_tools.runner import get_runner

ROOT = Path(__file__).resolve().parents[3]
TESTS = ROOT / "tests"
BENCH = Path(__file__).parent
BUILD = ROOT / "build" / "soc"
GENERATED = ROOT / "build" / "gen" / "sv"
RTL, SOC, CHECKER = ROOT / "rtl", ROOT / "soc" / "rtl", ROOT / "soc" / "checker"
TOP = "lutra_axi"
CORE = "core_library"
# Compiled in little time rather than to fast code: a test runs for some thousand cycles.
MAKE = ["CXX=clang++-19", "LINK=clang++-19", "OPT_FAST=-O1", "OPT_SLOW=-O0", "OPT_GLOBAL=-O1"]
COMMON = ["--assert", "--timescale", "1ns/1ps", "--output-split", "20000"]


class BuildError(Exception):
    """The model does not build: what the tools said."""


def folder(width: int) -> Path:
    return BUILD / f"axi-{width}"


def listed(path: Path) -> list[Path]:
    """The files of a list."""
    return [path.parent / line for line in path.read_text().split()]


def is_newer(target: Path, sources: Iterable[Path]) -> bool:
    return target.exists() and all(target.stat().st_mtime > source.stat().st_mtime for source in sources)


def tool(*command: object) -> None:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        raise BuildError(f"{command[0]}: {done.stdout[-4000:]}{done.stderr[-4000:]}")


def build_core() -> Path:
    """The core as a library."""
    lists = [GENERATED / "lutra_packages.f", RTL / "lutra.f", GENERATED / "lutra_modules.f"]
    pins = BENCH / "core_pins.sv"
    library = BUILD / "core" / f"lib{CORE}.a"
    if is_newer(library, [pins, *lists, *(path for each in lists for path in listed(each))]):
        return library
    library.parent.mkdir(parents=True, exist_ok=True)
    files = [argument for path in lists for argument in ("-F", path)]
    options = ["--lib-create", CORE, "--prefix", "Vcore", "--top-module", "core_pins", "-Wno-lint"]
    tool("verilator_bin", "--cc", "--Mdir", library.parent, *options, *COMMON, RTL / "lint.vlt", *files, pins)
    tool("make", "-C", library.parent, "-f", "Vcore.mk", "-j", 2, *MAKE, library.name)
    return library


def build(width: int = 64) -> Path:
    """The folder with the model of a bus of `width` bits, up to date."""
    library = build_core()
    sources = [SOC / "lint.vlt", RTL / "lint.vlt", BENCH / "bench.vlt", library.with_name(f"{CORE}.sv")]
    sources += [BENCH / "lutra_core.sv", RTL / "lutra_sram.sv", CHECKER / "lutra_axi_bind.sv"]
    lists = [GENERATED / "lutra_packages.f", SOC / "lutra_soc.f", CHECKER / "lutra_checker.f"]
    if is_newer(folder(width) / TOP, [library, *sources, *(path for each in lists for path in listed(each))]):
        return folder(width)
    # To the simulator all outputs of a library depend on all its inputs.
    arguments = ["--no-public-flat-rw", "-Wno-lint", "-Wno-UNOPTFLAT", *COMMON, "-MAKEFLAGS", " ".join(MAKE)]
    arguments += ["-LDFLAGS", str(library), f"-GDATA_WIDTH={width}", f"+incdir+{CHECKER}"]
    arguments += [argument for path in lists for argument in ("-F", str(path))]
    get_runner("verilator").build(
        hdl_toplevel=TOP,
        build_args=[*arguments, *map(str, sources)],
        build_dir=folder(width),
        always=True,
        log_file=folder(width).with_suffix(".log"),
    )
    return folder(width)


def run(module: str, width: int = 64, case: str | None = None) -> Path:
    """Run the tests of a module of this folder, or those that match; the results as a file of JUnit's form."""
    # The simulation's path is this one.
    if str(TESTS) not in sys.path:
        sys.path.insert(0, str(TESTS))
    results = folder(width) / f"{module}.xml"
    get_runner("verilator").test(
        test_module=f"soc.bench.{module}",
        hdl_toplevel_lang="verilog",
        hdl_toplevel=TOP,
        build_dir=folder(width),
        test_dir=folder(width),
        results_xml=str(results),
        test_filter=case,
        log_file=folder(width) / f"{module}.log",
    )
    return results


if __name__ == "__main__":
    build()
    print(run(sys.argv[1], case=sys.argv[2] if len(sys.argv) > 2 else None))
