"""`lutra run` on every engine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import lutra.iss.engine
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
    assert (status["cycles"], status["instructions"]) == (9, 3)
    assert status["engine"] == engine
    assert status["trap"] is None
    assert status["source"].endswith("program.s:5")
    assert sum(status["stalls"].values()) == 0


@pytest.mark.parametrize("engine", ENGINES)
def test_a_trap_names_place_and_reason_and_dumps_nothing(engine: str, lutra: Lutra, elf: Path) -> None:
    result = lutra("run", elf, "--entry", "underflow", "--dump", "m3@0:16=out", "--engine", engine)
    assert result.code == 1
    assert result.error.startswith("trap at pc 0x0003, ")
    assert "program.s:8: call-stack-underflow: a return without a call" in result.error
    assert not Path("out").exists()


def test_json_tells_of_a_trap(lutra: Lutra, elf: Path) -> None:
    result = lutra("run", elf, "--entry", "underflow", "--json")
    assert result.code == 1
    assert (result.json["state"], result.json["trap"], result.json["pc"]) == ("trapped", "call-stack-underflow", 3)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_cycle_limit_is_an_error(engine: str, lutra: Lutra, elf: Path) -> None:
    result = lutra("run", elf, "--entry", "spin", "--max-cycles", 100, "--engine", engine)
    assert result.code == 1
    assert "no halt within the 100 cycles" in result.error


def test_an_endless_program_ends_without_an_option(lutra: Lutra, elf: Path) -> None:
    begun = time.monotonic()
    result = lutra("run", elf, "--entry", "spin")
    assert result.code == 1
    assert "no halt within the 100000000 cycles that --max-cycles allows" in result.error
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
    assert [line.split()[:3] for line in lines] == [["6", "0000", "bcast"], ["7", "0001", "mov"], ["8", "0002", "halt"]]
    assert lines[0].endswith("v0=" + "12" * 16)


@pytest.mark.parametrize("engine", ["rtl", "cosim"])
def test_run_writes_waves(engine: str, lutra: Lutra, elf: Path) -> None:
    assert lutra("run", elf, "--engine", engine, "--wave", "wave.fst").code == 0
    assert Path("wave.fst").stat().st_size > 0


def test_the_simulator_has_no_waves(lutra: Lutra, elf: Path) -> None:
    assert "choose --engine rtl or cosim" in lutra("run", elf, "--wave", "wave.fst").error


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--load", "m2=in"], "--load m2=in: write SPACE@OFFSET=FILE"),
        (["--load", "m2@x=in"], "'x' is not a number"),
        (["--load", "m7@0=in"], "in: no memory space 'm7'; there are m0, m1"),
        (["--dump", "m3@0=out"], "--dump m3@0=out: write SPACE@OFFSET:LENGTH=FILE"),
        (["--dump", "m3@0:5000=out"], "out: m3@0x0: 5000 bytes do not fit"),
        (["--dump", "m3@0:0y5=out"], "'0y5' is not a number"),
        (["--entry", "stort"], "the image has no such program label; did you mean start?"),
    ],
)
def test_wrong_arguments_of_run_are_one_line_and_write_nothing(
    arguments: list[str], text: str, lutra: Lutra, elf: Path
) -> None:
    Path("in").write_bytes(bytes(16))
    result = lutra("run", elf, *arguments)
    assert result.code == 2
    assert text in result.error
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--load", "m2@0=none"], "none: no such file"),
        (["--load", "m2@0xff8=in"], "in: has more than 8 bytes, the most that m2 from 0xff8 on may have"),
        (["--dump", "m3@0:16=nowhere/out"], "nowhere/out: the folder to write to does not exist"),
        (["--trace", "nowhere/trace"], "nowhere/trace: No such file or directory"),
        (["--wave", "nowhere/w.fst", "--engine", "rtl"], "--wave nowhere/w.fst: the folder does not exist"),
    ],
)
def test_files_that_run_cannot_use_are_one_line_and_write_nothing(
    arguments: list[str], text: str, lutra: Lutra, elf: Path
) -> None:
    Path("in").write_bytes(bytes(16))
    result = lutra("run", elf, *arguments)
    assert result.code == 1
    assert text in result.error
    assert not Path("out").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(lutra: Lutra, elf: Path) -> None:
    Path("in").write_bytes(bytes(16))
    Path("in").chmod(0)
    assert "Permission denied" in lutra("run", elf, "--load", "m2@0=in").error
