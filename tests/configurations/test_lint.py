"""The core of every configuration that lies ready passes Verilator's lint, without building anything."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.documents import ROOT

READY = sorted(file.stem for file in (ROOT / "isa/configurations").glob("*.toml"))


@pytest.mark.parametrize("name", READY)
def test_the_core_of_a_configuration_passes_lint(name: str, tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT / "isa")}
    command = [sys.executable, "-m", "isagen", "--configuration", name, "--out", str(tmp_path)]
    subprocess.run(command, check=True, env=environment, cwd=ROOT)
    lint = ["./lutra", "--with", "verilator_bin", "--lint-only", "-Wall", "--no-timing", "--assert", "--quiet"]
    sources = ["rtl/lint.vlt", "rtl/sim/state.vlt", "+incdir+rtl", "-F", f"{tmp_path}/sv/lutra_packages.f"]
    sources += ["-F", "rtl/lutra.f", "-F", f"{tmp_path}/sv/lutra_modules.f"]
    sources += [f"{tmp_path}/sim/lutra_state_pkg.sv", "rtl/sim/lutra_state.sv"]
    run = subprocess.run(
        [*lint, "--top-module", "lutra_core", *sources], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert (run.returncode, run.stdout + run.stderr) == (0, "")
