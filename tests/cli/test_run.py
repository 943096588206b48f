"""`lutra run` on every engine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import lutra.iss.engine
from lutra.iss.job import Job
from support.cli import Lutra

ENGINES = lutra.engine.names()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("rounds", [1, 2])
def test_what_is_loaded_is_computed_on_and_dumped(engine: str, rounds: int, lutra: Lutra, elf: Path) -> None:
    Path("in").write_bytes(bytes(range(0x40, 0x50)))
    options = ["--load", "m2@0x000=in", "--dump", "m3@0:16=out", "--engine", engine, "--rounds", rounds]
    result = lutra("run", elf, *options)
    assert result.code == 0, result.err
    assert result.out.startswith("halted at pc 0x0002, ")
    assert Path("out").read_bytes() == b"\x40" * 16


@pytest.mark.parametrize("engine", ENGINES)
def test_the_engines_count_the_same(engine: str, lutra: Lutra, elf: Path) -> None:
    status = lutra("run", elf, "--engine", engine, "--json").json
    assert status["state"] == "halted"
    assert (status["cycles"], status["instructions"]) == (10, 3)
    assert status["engine"] == engine
    assert status["trap"] is None
    assert status["source"].endswith("program.s:5")
    assert sum(status["stalls"].values()) == 0


@pytest.mark.parametrize("engine", ENGINES)
def test_a_trap_names_place_and_reason_and_dumps_nothing(engine: str, lutra: Lutra, elf: Path) -> None:
    result = lutra("run", elf, "--entry", "underflow", "--dump", "m3@0:16=out", "--engine", engine)
    assert result.code == 1
    assert result.failure.startswith("trap at pc 0x0003, ")
    assert "program.s:8: call-stack-underflow: a return without a call" in result.failure
    assert not Path("out").exists()


def test_json_tells_of_a_trap(lutra: Lutra, elf: Path) -> None:
    result = lutra("run", elf, "--entry", "underflow", "--json")
    assert result.code == 1
    assert (result.json["state"], result.json["trap"], result.json["pc"]) == ("trapped", "call-stack-underflow", 3)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_cycle_limit_is_an_error(engine: str, lutra: Lutra, elf: Path) -> None:
    result = lutra("run", elf, "--entry", "spin", "--max-cycles", 100, "--engine", engine)
    assert result.code == 1
    assert "no halt within 100 cycles" in result.failure


def test_an_endless_program_ends_without_an_option(lutra: Lutra, elf: Path) -> None:
    begun = time.monotonic()
    result = lutra("run", elf, "--entry", "spin")
    assert result.code == 1
    assert "no halt within 100000000 cycles (--max-cycles)" in result.failure
    assert time.monotonic() - begun < 60


def test_no_limit_of_cycles_is_asked_for_by_0(lutra: Lutra, elf: Path) -> None:
    assert lutra("run", elf, "--max-cycles", 0).code == 0


def test_a_program_that_waits_is_no_error(lutra: Lutra, elf: Path) -> None:
    result = lutra("run", elf, "--entry", "pause")
    assert result.code == 0
    assert result.out.startswith("waiting at pc ")


@pytest.mark.parametrize("trace", [(), ("--trace", "trace.txt")])
def test_a_program_that_waits_is_resumed(trace: tuple[str, ...], lutra: Lutra, elf: Path) -> None:
    for engine in ("iss", "rtl", "cosim"):
        found = lutra("run", elf, "--entry", "pause", "--resume", "--json", "--engine", engine, *trace).json
        assert (found["state"], found["instructions"]) == ("halted", 2)


def test_assembly_is_run_as_its_image(lutra: Lutra, elf: Path) -> None:
    assert lutra("run", "program.s", "--json").json == lutra("run", elf, "--json").json


def test_an_interrupt_ends_an_endless_program(elf: Path) -> None:
    command = Path(sys.executable).with_name("lutra")
    run = subprocess.Popen(
        [command, "run", elf, "--entry", "spin", "--max-cycles", "0", "--dump", "m3@0:16=out"],
        stderr=subprocess.PIPE,
        # A job in the background of a shell script ignores interrupts, and so would what it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    time.sleep(4)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=20)
    assert run.returncode == 130
    assert b"Traceback" not in err
    assert not Path("out").exists()


@pytest.mark.parametrize("engine", ENGINES)
def test_trace_has_a_line_per_instruction(engine: str, lutra: Lutra, elf: Path) -> None:
    Path("in").write_bytes(b"\x12" * 16)
    assert lutra("run", elf, "--load", "m2@0=in", "--trace", "trace", "--engine", engine).code == 0
    lines = Path("trace").read_text().splitlines()
    assert [line.split()[:3] for line in lines] == [["7", "0000", "bcast"], ["8", "0001", "mov"], ["9", "0002", "halt"]]
    assert lines[0].endswith("v0=" + "12" * 16)


@pytest.mark.parametrize("engine", ["rtl", "cosim"])
def test_run_writes_waves(engine: str, lutra: Lutra, elf: Path) -> None:
    assert lutra("run", elf, "--engine", engine, "--wave", "wave.fst").code == 0
    assert Path("wave.fst").stat().st_size > 0


def test_the_simulator_has_no_waves(lutra: Lutra, elf: Path) -> None:
    assert "choose --engine rtl or cosim" in lutra("run", elf, "--wave", "wave.fst").error


@pytest.mark.parametrize(
    ("code", "arguments", "text"),
    [
        (2, ["--load", "m2=in"], "--load m2: m2 is a memory; write m2@OFFSET, as in m2@0x000"),
        (1, ["--load", "m2@0=none"], "none: no such file"),
        (2, ["--load", "m2@x=in"], "--load m2@x: 'x' is not a number"),
        (2, ["--load", "m7@0=in"], "--load m7@0: no memory space 'm7'; choose from m0, m1"),
        (1, ["--load", "m2@0xff8=in"], "in: has more than 8 bytes, the limit for m2 from 0xff8 on"),
        (2, ["--dump", "m3@0=out"], "--dump m3@0: write PLACE:LENGTH=FILE, e.g. m3@0x000:256=out.bin"),
        (2, ["--dump", "m3@0:5000=out"], "--dump m3@0:5000: m3@0x0: 5000 bytes do not fit"),
        (2, ["--dump", "m3@0:0y5=out"], "'0y5' is not a number"),
        (1, ["--dump", "m3@0:16=nowhere/out"], "nowhere/out: the folder does not exist"),
        (2, ["--entry", "stort"], "--entry: the image has no program label stort; did you mean 'start'?"),
        (1, ["--trace", "nowhere/trace"], "nowhere/trace: No such file or directory"),
        (2, ["--wave", "w.vcd", "--engine", "rtl"], "--wave w.vcd: waveforms are written in FST; use w.fst"),
        (1, ["--wave", "nowhere/w.fst", "--engine", "rtl"], "--wave nowhere/w.fst: the folder does not exist"),
    ],
)
def test_wrong_arguments_of_run_are_one_line_and_write_nothing(
    code: int, arguments: list[str], text: str, lutra: Lutra, elf: Path
) -> None:
    Path("in").write_bytes(bytes(16))
    result = lutra("run", elf, *arguments)
    assert result.code == code
    assert text in result.error
    assert not Path("out").exists()


def test_a_divergence_is_reported_over_several_lines(lutra: Lutra, elf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare = Job.prepare

    def disturbed(job: Job, engine: Any) -> None:
        prepare(job, engine)
        halt = engine.read("pm", 16, 8)
        engine.backend.rtl.write(engine.isa.program.code, 8, halt)

    monkeypatch.setattr(Job, "prepare", disturbed)
    result = lutra("run", elf, "--engine", "cosim", "--trace", "trace")
    assert (result.code, result.out) == (1, "")
    lines = result.err.splitlines()
    assert lines[0] == "lutra: error: simulator and RTL diverge: the retirements differ"
    assert lines[1].split()[2:5] == ["0001", "halt", "program.s:4"]
    assert f"  - simulator: store:m3[0x0000]={'00' * 16}" in lines and "  + RTL      : no store" in lines
    assert lines[-1].split()[1:3] == ["0000", "bcast"] and "program.s:3 start" in lines[-1]
    assert [line.split()[1] for line in Path("trace").read_text().splitlines()] == ["0000"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(lutra: Lutra, elf: Path) -> None:
    Path("in").write_bytes(bytes(16))
    Path("in").chmod(0)
    assert "Permission denied" in lutra("run", elf, "--load", "m2@0=in").error
