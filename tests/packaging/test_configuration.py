"""Configurations of the build.

Without a usable Verilator: an error, or with LUTRA_RTL=AUTO, as pip builds, one without the core. Without clang:
another compiler.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.documents import ROOT


def configured(folder: Path, rtl: str, verilator: Path | str, *more: str) -> subprocess.CompletedProcess[str]:
    """CMake's configuration of the checkout in a folder of its own."""
    options: dict[str, str | Path] = {
        "LUTRA_RTL": rtl,
        "LUTRA_VERILATOR": verilator,
        "LUTRA_PYTHON_DIR": folder / "python",
        "Python_EXECUTABLE": sys.executable,
    }
    defines = [f"-D{name}={value}" for name, value in options.items()]
    command = ("cmake", "-S", str(ROOT), "-B", str(folder / "cmake"), "-G", "Ninja", *defines, *more)
    return subprocess.run([str(ROOT / "lutra"), "--with", *command], capture_output=True, text=True, check=False)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A Verilator as old as Debian 12's."""
    path = tmp_path / "verilator"
    path.write_text("#!/bin/sh\necho 'Verilator 5.006 2023-01-22 rev (Debian 5.006-3)'\n")
    path.chmod(0o755)
    return path


def test_a_build_that_wants_the_core_refuses_an_old_verilator(tmp_path: Path, old: Path) -> None:
    done = configured(tmp_path, "ON", old)
    assert done.returncode != 0
    assert f"lutra: {old} is not a Verilator newer than 5.006" in " ".join(done.stderr.split())


def test_a_build_by_pip_leaves_the_core_out_and_says_so(tmp_path: Path, old: Path) -> None:
    earlier = tmp_path / "python/lutra/rtl/_rtl.abi3.so"
    earlier.parent.mkdir(parents=True)
    earlier.touch()
    done = configured(tmp_path, "AUTO", old)
    assert done.returncode == 0, done.stderr
    assert "is not a Verilator newer than 5.006; the RTL engine is left out" in done.stderr
    assert "Vlutra_r2" not in (tmp_path / "cmake/build.ninja").read_text()
    assert not earlier.exists()


@pytest.mark.parametrize(("clang", "compiler"), [("clang++-19", "clang++-19"), ("no-such-clang", "g++")])
def test_the_core_is_compiled_by_clang_where_there_is_one(tmp_path: Path, clang: str, compiler: str) -> None:
    done = configured(tmp_path, "ON", "", f"-DLUTRA_CLANG={clang}", "-DCMAKE_CXX_COMPILER=g++")
    assert done.returncode == 0, done.stderr
    rules = (tmp_path / "cmake/build.ninja").read_text().splitlines()
    others = ("soc/rtl/sim", "soc/cluster/sim")
    compiled = [line for line in rules if line.endswith("fast.o") and " -c " in line]
    found = [line for line in compiled if not any(other in line for other in others)]
    assert found and all(f"/{compiler} -std=c++20 " in line and " -O3 " in line for line in found)
