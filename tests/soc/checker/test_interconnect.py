"""Foreign managers, memories and interconnect break no rule of the AXI checkers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lutra.soc.checker.rules import CHECKER

BENCH = CHECKER / "interconnect" / "interconnect_bench.sv"
RUN = """
import sys
from cocotb_tools.runner import get_runner
get_runner("verilator").test(
    hdl_toplevel="interconnect_bench",
    hdl_toplevel_lang="verilog",
    test_module="support.axi_interconnect",
    build_dir=sys.argv[1],
    test_dir=sys.argv[1],
)
"""
pytestmark = pytest.mark.nightly("a crossbar of others is compiled with cocotb, a minute")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the compiled bench."""
    import pythondata_cpu_cva6
    from cocotb_tools.runner import get_runner

    root = Path(pythondata_cpu_cva6.data_location)
    axi, cells = root / "corev_apu/axi", root / "common/submodules/common_cells"
    sources = [cells / "src/cf_math_pkg.sv", axi / "src/axi_pkg.sv", axi / "src/axi_intf.sv"]
    # A module that is in the file of another name.
    sources += [axi / "src/axi_dw_converter.sv"]
    sources += [*(CHECKER / name for name in (CHECKER / "lutra_checker.f").read_text().split()), BENCH]
    options = ["--assert", "--no-timing", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-UNOPTFLAT", "--quiet"]
    for library in (cells / "src", cells / "src/deprecated", axi / "src"):
        options += ["-y", str(library)]
    options += ["-MAKEFLAGS", "CXX=clang++-19 LINK=clang++-19 CFG_CXXFLAGS_NO_UNUSED=-w OPT_FAST=-O1 OPT_SLOW=-O0"]
    folder = tmp_path_factory.mktemp("interconnect")
    includes = [CHECKER, axi / "include", cells / "include"]
    get_runner("verilator").build(
        sources=sources, includes=includes, hdl_toplevel="interconnect_bench", build_dir=folder, build_args=options
    )
    return folder


def run(program: Path, **environment: str) -> str:
    """The output of the bench, in a process of its own since a broken rule ends it."""
    paths = {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), *sys.path])}
    command = [sys.executable, "-c", RUN, str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | paths | environment)
    return done.stdout + done.stderr


@pytest.mark.parametrize("seed", ["ash", "beech", "cedar"])
def test_foreign_traffic_breaks_no_rule(program: Path, seed: str) -> None:
    said = run(program, SEED=seed)
    assert "PASS=1" in said and "AXI rule" not in said, said


def test_a_fault_of_a_manager_is_seen(program: Path) -> None:
    assert "u_manager0.awvalid_held: AXI rule awvalid_held" in run(program, SEED="ash", FAULT="1")
