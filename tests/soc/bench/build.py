"""The bench of `lutra_axi`: Verilate it once, and run cocotb tests on it.

The core is a block of its own (`--hierarchical`), so that a change in soc/rtl does not compile it again.
"""

from __future__ import annotations

import sys
from pathlib import Path

from cocotb_tools.runner import get_runner

ROOT = Path(__file__).resolve().parents[3]
BENCH = Path(__file__).parent
GENERATED = ROOT / "build" / "gen" / "sv"
TOP = "lutra_axi"
# Whoever waits for it compiles for speed of compilation.
MAKE = "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1"


def folder(width: int) -> Path:
    return ROOT / "build" / "soc" / f"axi-{width}"


def build(width: int = 64) -> Path:
    """The folder with the model of a bus of `width` bits, up to date."""
    lists = [GENERATED / "lutra_packages.f", ROOT / "rtl" / "lutra.f", GENERATED / "lutra_modules.f"]
    lists.append(ROOT / "soc" / "rtl" / "lutra_soc.f")
    waivers = [ROOT / "soc" / "rtl" / "lint.vlt", ROOT / "rtl" / "lint.vlt", BENCH / "ports.vlt"]
    arguments = ["--no-public-flat-rw", "--hierarchical", "-Wall", "--assert", "--output-split", "20000", "-j", "2"]
    arguments += ["-CFLAGS", "-O1", "-MAKEFLAGS", MAKE, f"-GDATA_WIDTH={width}", *map(str, waivers)]
    for path in lists:
        arguments += ["-F", str(path)]
    get_runner("verilator").build(
        hdl_toplevel=TOP,
        build_args=arguments,
        build_dir=folder(width),
        always=True,
        timescale=("1ns", "1ps"),
        log_file=folder(width).with_suffix(".log"),
    )
    return folder(width)


def run(module: str, width: int = 64, case: str | None = None) -> Path:
    """Run the tests of a module of this folder, or those that match; the results as a file of JUnit's form."""
    # The simulation's path is this one.
    if str(BENCH) not in sys.path:
        sys.path.insert(0, str(BENCH))
    results = folder(width) / f"{module}.xml"
    return get_runner("verilator").test(
        test_module=module,
        hdl_toplevel_lang="verilog",
        hdl_toplevel=TOP,
        build_dir=folder(width),
        test_dir=folder(width),
        results_xml=str(results),
        test_filter=case,
    )
