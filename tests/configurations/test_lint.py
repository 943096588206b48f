"""The core of every configuration that lies ready passes Verilator's lint, without building anything."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from support.description import generator
from support.documents import ROOT

READY = sorted(file.stem for file in (ROOT / "isa/configurations").glob("*.toml"))


# The smallest; the others have parts of it and of the default one.
BY_DAY = ("cp-asip",)
OTHERS = pytest.mark.nightly("`make test` lints the smallest of them, `make lint` the default one")


@pytest.mark.parametrize("name", [pytest.param(n, marks=[OTHERS] * (n not in BY_DAY)) for n in READY])
def test_the_core_of_a_configuration_passes_lint(name: str, tmp_path: Path) -> None:
    assert generator("--configuration", name, "--out", tmp_path).returncode == 0
    lint = ["./lutra", "--with", "verilator_bin", "--lint-only", "-Wall", "--no-timing", "--assert", "--quiet"]
    sources = ["rtl/lint.vlt", "rtl/sim/state.vlt", "+incdir+rtl", "-F", f"{tmp_path}/sv/lutra_packages.f"]
    sources += ["-F", "rtl/lutra.f", "-F", f"{tmp_path}/sv/lutra_modules.f"]
    sources += [f"{tmp_path}/sim/lutra_state_pkg.sv", "rtl/sim/lutra_state.sv"]
    run = subprocess.run(
        [*lint, "--top-module", "lutra_core", *sources], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert (run.returncode, run.stdout + run.stderr) == (0, "")
