"""Engines by name: those that register, what is told of them, and what an installation without the core says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import lutra
from lutra.iss import engine as engines
from lutra.rtl import _rtl


def test_an_engine_that_registers_is_made_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "_factories", dict(engines._factories))
    engines.register("other", engines.Simulator)
    assert "other" in engines.names()
    made = lutra.make_engine("other", 1)
    assert isinstance(made, engines.Simulator) and made.rounds == 1


def test_who_asked_is_told_of_every_engine_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "_told", [])
    told: list[lutra.Engine] = []
    engines.on_made(told.append)
    assert [lutra.make_engine("iss"), lutra.make_engine("cosim")] == told


def test_an_engine_that_does_not_exist_is_refused() -> None:
    with pytest.raises(lutra.EngineError, match="no engine 'fpga'; there are iss, rtl, cosim"):
        lutra.make_engine("fpga")
    with pytest.raises(lutra.EngineError, match="rounds per instruction must be 1 or 2, not 3"):
        lutra.make_engine("rtl", 3)


def said(program: str) -> str:
    """What a program prints in a process of its own: one process has one binding."""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("name", ["rtl", "cosim"])
def test_without_the_core_its_engines_say_how_to_get_it(name: str) -> None:
    program = f"""
import sys
sys.modules["lutra.rtl._rtl"] = None
import lutra
lutra.make_engine("iss")
try:
    lutra.make_engine("{name}")
except lutra.EngineError as error:
    print(error)
"""
    assert said(program) == (
        "this installation has no Verilated core: run `make build` in a checkout, or install a wheel that was built "
        "with Verilator; --engine iss needs none\n"
    )


def test_a_core_that_cannot_be_loaded_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "_rtl.py").write_text("raise ImportError('liblz4.so.1: cannot open shared object file')\n")
    program = f"""
import lutra
lutra.rtl.__path__.insert(0, {str(tmp_path)!r})
try:
    lutra.make_engine("rtl")
except lutra.EngineError as error:
    print(error)
"""
    assert said(program) == (
        "the Verilated core cannot be loaded: liblz4.so.1: cannot open shared object file; install what is missing\n"
    )


def test_a_core_of_another_version_is_refused() -> None:
    program = f"""
import os
import lutra
from lutra.iss import _iss
os.environ["LUTRA_RTL_LIBRARY"] = {_rtl.__file__!r}
_iss.RECORD_BYTES += 8
try:
    lutra.make_engine("cosim")
except lutra.EngineError as error:
    print(error)
"""
    assert said(program).endswith("its retirement record is not this installation's; build it from this version\n")
