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
    with pytest.raises(lutra.EngineError, match="no engine 'fpga'; choose from iss, rtl, cosim"):
        lutra.make_engine("fpga")
    with pytest.raises(lutra.EngineError, match="rounds per instruction must be 1 or 2, not 3"):
        lutra.make_engine("rtl", 3)


def said(program: str) -> str:
    """Output of a program in a process of its own: one process has one binding."""
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


WHOLE_RUN = """
start:  arset   ar0, 0
        bcast   v1, m2[0], 3
        repeat  3, .L_end
        mov     m3[ar0++], v1
.L_end: tbl0    v1, v1
        mov     t0[0x10], v1
        halt
"""


@pytest.mark.parametrize("name", ["iss", "rtl", "cosim"])
def test_fields_of_a_whole_run_are_those_of_its_records(name: str) -> None:
    fields = ("ar_mask", "rd_en", "rd", "store_en", "store_space", "store_address", "ar_value")
    image = lutra.assemble_text(WHOLE_RUN, warnings=["no-all"])
    engine = lutra.make_engine(name)
    engine.load(image)
    engine.start(image.entry)
    records = list(engine.records())
    engine.start(image.entry)
    found = engine.retirements(fields, 1000)
    assert [step[:3] for step in found] == [(r.cycle, r.pc, r.insn) for r in records]
    # Bytes are equal just where the fields are.
    shown = [tuple(map(repr, map(r.fields.get, fields))) for r in records]
    assert (
        len(set(shown)) == len({step[3] for step in found}) == len(set(zip(shown, (s[3] for s in found), strict=True)))
    )
    engine.start(image.entry)
    plain = [{f: r.fields[f] for f in fields if f in r.fields and f != "ar_value"} for r in records]
    assert engine.combinations(fields[:-1], 1000) == [d for n, d in enumerate(plain) if d not in plain[:n]]


def test_a_whole_run_ends_soon_after_its_limit_and_names_a_wrong_field() -> None:
    engine = lutra.make_engine("iss")
    image = lutra.assemble_text("start: jmp start", warnings=["no-all"])
    engine.load(image)
    engine.start(image.entry)
    assert 50 < engine.retirements(["rd"], 50)[-1][0] < 60
    assert engine.stop().state == "running"
    with pytest.raises(ValueError, match="no such field"):
        engine.combinations(["rx"], 50)
