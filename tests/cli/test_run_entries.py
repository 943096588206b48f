"""`lutra run` with several entries, and what it shows of registers."""

from __future__ import annotations

from pathlib import Path

import pytest

import lutra.iss.engine as lutra_engine
from support.cli import Lutra
from support.documents import ROOT

ENGINES = lutra_engine.names()

TWO = """\
        .section m0
key:    .row    "000102030405060708090a0b0c0d0e0f"
        .section m3
result: .zero   16

        .section text
        .global schedule, job, pause, off, spin
schedule:
        mov     v0, m0[key]
        arset   ar3, 0x30
        halt
job:    xor     m3[result], v0, m2[0]
        nop
        halt
pause:  wait
        halt
spin:   jmp     spin
off:    nop
"""


@pytest.fixture
def source(folder: Path, lutra: Lutra) -> Path:
    """Two entries that belong together, one that waits, and one that runs off the end."""
    Path("two.s").write_text(TWO)
    assert lutra("asm", "two.s", "-o", "two.elf").code == 0
    return Path("two.elf")


@pytest.mark.parametrize("engine", ENGINES)
def test_an_entry_finds_the_registers_that_the_one_before_has_left(engine: str, lutra: Lutra, source: Path) -> None:
    options = ["--entry", "schedule", "--entry", "job", "--load", "m2@0=hex:" + "f0" * 16, "--engine", engine]
    result = lutra("run", source, *options, "--dump", "result:16=hex:out")
    assert result.code == 0, result.err
    assert result.out.splitlines() == [
        "schedule: halted at pc 0x0002, two.s:11: 10 cycles, 3 instructions",
        "job: halted at pc 0x0005, two.s:14: 10 cycles, 3 instructions",
        "total: 20 cycles, 6 instructions",
    ]
    assert Path("out").read_text() == bytes(n ^ 0xF0 for n in range(16)).hex() + "\n"


@pytest.mark.parametrize("engine", ENGINES)
def test_an_entry_after_a_trap_is_started_past_traps_only(engine: str, lutra: Lutra, source: Path) -> None:
    options = ["--entry", "off", "--entry", "schedule", "--engine", engine]
    assert "lutra: error: off: trap at pc" in lutra("run", source, *options).err
    result = lutra("run", source, *options, "--past-traps")
    assert result.code == 0, result.err
    assert result.out.splitlines()[1] == "schedule: halted at pc 0x0002, two.s:11: 10 cycles, 3 instructions"


@pytest.mark.parametrize("engine", ENGINES)
def test_tables_keys_and_a_block_of_aes_are_one_command(engine: str, lutra: Lutra, folder: Path) -> None:
    """FIPS 197, Appendix C.1."""
    sources = [ROOT / "firmware/aes" / name for name in ("aes.s", "aes_ctr.s")]
    assert lutra("asm", *sources, "-o", "aes.elf").code == 0
    entries = ["--entry", "aes_tables_encrypt", "--entry", "aes128_key_encrypt", "--entry", "aes128_ecb_encrypt"]
    data = {"aes_key": bytes(range(16)).hex(), "aes_length+14": "0001", "m2@0": "00112233445566778899aabbccddeeff"}
    loads = [word for name, digits in data.items() for word in ("--load", f"{name}=hex:{digits}")]
    result = lutra("run", "aes.elf", *entries, *loads, "--dump", "m3@0:16=hex:-", "--engine", engine)
    assert result.out == "69c4e0d86a7b0430d8cdb78070b4c55a\n", result.err


@pytest.mark.parametrize("engine", ENGINES)
def test_json_has_a_run_an_entry_and_their_sum(engine: str, lutra: Lutra, source: Path) -> None:
    found = lutra("run", source, "--entry", "schedule", "--entry", "job", "--json", "--engine", engine).json
    assert [run["entry"] for run in found["runs"]] == ["schedule", "job"]
    assert [run["state"] for run in found["runs"]] == ["halted", "halted"]
    for count in ("cycles", "instructions"):
        assert found[count] == sum(run[count] for run in found["runs"])
    assert found["stalls"] == {c: sum(run["stalls"][c] for run in found["runs"]) for c in found["stalls"]}
    assert (found["state"], found["pc"], found["source"]) == ("halted", 5, "two.s:14")
    assert found["registers"]["v0"] == bytes(range(16)).hex()
    assert found["registers"]["ar3"] == 0x30
    assert (found["trap_text"], found["history"]) == (None, [])


def test_the_entry_of_the_image_has_its_label_in_json(lutra: Lutra, source: Path) -> None:
    assert [run["entry"] for run in lutra("run", source, "--json").json["runs"]] == ["schedule"]


def test_an_entry_can_be_an_address(lutra: Lutra, source: Path) -> None:
    assert lutra("run", source, "--entry", "0x3").out.startswith("halted at pc 0x0005")


def test_the_entry_that_fails_is_named_and_the_next_is_not_started(lutra: Lutra, source: Path) -> None:
    options = ["--entry", "schedule", "--entry", "off", "--entry", "job", "--dump", "result:16=out"]
    result = lutra("run", source, *options)
    assert result.code == 1
    assert result.failure.startswith(
        "off: trap at pc 0x000a, after the last instruction, two.s:18: illegal-instruction: "
    )
    assert [run["entry"] for run in lutra("run", source, *options, "--json").json["runs"]] == ["schedule", "off"]
    assert not Path("out").exists()


def test_a_limit_is_that_of_an_entry(lutra: Lutra, source: Path) -> None:
    options = ["--entry", "schedule", "--entry", "job"]
    assert lutra("run", source, *options, "--max-cycles", 10).code == 0
    result = lutra("run", source, "--entry", "job", "--entry", "spin", "--max-cycles", 20)
    assert result.failure.startswith("spin: no halt within 20 cycles (--max-cycles), stopped at pc 0x0008")


def test_a_wait_before_another_entry_is_an_error_unless_it_is_resumed(lutra: Lutra, source: Path) -> None:
    options = ["--entry", "pause", "--entry", "job"]
    result = lutra("run", source, *options)
    assert result.code == 1
    assert result.failure == (
        "pause: waiting at pc 0x0006, two.s:15, so the other entries were not started; --resume continues after a wait"
    )
    assert lutra("run", source, *options, "--resume").out.splitlines()[-1].startswith("total: ")


@pytest.mark.parametrize("engine", ENGINES)
def test_registers_are_printed_on_request(engine: str, lutra: Lutra, source: Path) -> None:
    lines = lutra("run", source, "--registers", "--engine", engine).out.splitlines()
    assert lines[0].startswith("halted at pc 0x0002")
    assert "v0      000102030405060708090a0b0c0d0e0f" in lines
    assert "v1      00000000000000000000000000000000" in lines
    assert any(line.startswith("ar3     0x0030") for line in lines)
    assert len(lutra("run", source, "--engine", engine).out.splitlines()) == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_a_trap_shows_the_registers_that_are_not_as_after_reset(engine: str, lutra: Lutra, source: Path) -> None:
    report = lutra("run", source, "--entry", "schedule", "--entry", "off", "--engine", engine).report
    shown = report[report.index("registers that differ from reset:") + 1 :]
    assert shown == ["  v0   000102030405060708090a0b0c0d0e0f", "  ar3  0x0030"]


def test_a_trap_shows_all_registers_on_request(lutra: Lutra, source: Path) -> None:
    report = lutra("run", source, "--entry", "off", "--registers", "--history", 0).report
    assert report[0] == "registers:"
    assert "  v1      00000000000000000000000000000000" in report


@pytest.mark.parametrize("engine", ENGINES)
def test_a_trap_shows_the_last_instructions_with_lines_and_values(engine: str, lutra: Lutra, elf: Path) -> None:
    Path("long.s").write_text(
        "        .global main\nmain:   arset ar1, 0xff8\n        mov v0, m1[0]\n"
        + "        nop\n" * 5
        + "        mov m2[ar1], v0\n        halt\n"
    )
    run = ["run", "long.s", "--engine", engine, "--load", "m1@0=hex:" + "a5" * 16]
    report = lutra(*run, "--history", 3).report
    assert report[0] == "last instructions:"
    assert [line.split()[1:3] for line in report[1:4]] == [["0005", "nop"], ["0006", "nop"], ["0007", "mov"]]
    assert "long.s:9 main+7" in report[3] and report[3].endswith("-> trap=address-out-of-range")
    report = lutra(*run).report
    assert [line.split()[1] for line in report[1:9]] == [f"{pc:04x}" for pc in range(8)]
    assert f"m1[0x0000]={'a5' * 16} -> data@0x0000 rd:v0={'a5' * 16}" in report[2]
    assert not any("last instructions" in line for line in lutra(*run, "--history", 0).report)


def test_the_limit_shows_the_last_instructions_too(lutra: Lutra, elf: Path) -> None:
    report = lutra("run", elf, "--entry", "spin", "--max-cycles", 1000, "--history", 2).report
    assert [line.split()[2:4] for line in report[1:3]] == [["jmp", "spin"]] * 2


def test_json_has_the_last_instructions_and_the_text_of_a_trap(lutra: Lutra, elf: Path) -> None:
    result = lutra("run", elf, "--entry", "underflow", "--json")
    assert result.json["trap_text"] == "call-stack-underflow: a return without a call"
    assert [line["instruction"] for line in result.json["history"]] == ["ret"]
    assert result.json["history"][0]["source"] == "program.s:8"
    assert result.report == []


def test_instructions_far_from_the_start_are_found_again_in_a_run_with_waits(lutra: Lutra, folder: Path) -> None:
    Path("far.s").write_text(
        "        .global main\nmain:   arset ar0, 60000\nagain:  wait\n"
        "        djnz ar0, again\n        mov v0, m2[0]\n        ret\n"
    )
    result = lutra("run", "far.s", "--resume", "--history", 3)
    assert result.failure.startswith("trap at pc 0x0004, far.s:6: call-stack-underflow")
    assert [line.split()[2] for line in result.report[1:4]] == ["djnz", "mov", "ret"]


def test_what_is_repeated_for_a_report_is_not_told_to_who_counts_coverage(
    lutra: Lutra, elf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    monkeypatch.setattr(lutra_engine, "_told", [lambda engine: made.append(engine.name)])
    assert lutra("run", elf, "--entry", "underflow", "--engine", "rtl").report[0] == "last instructions:"
    assert made == ["rtl"]


def test_symbols_and_folders_are_given_to_the_assembler(lutra: Lutra, folder: Path) -> None:
    Path("part").mkdir()
    Path("part/value.inc").write_text("value = 5\n")
    Path("a.s").write_text('        .include "value.inc"\n        arset ar0, value + MORE\n        halt\n')
    found = lutra("run", "a.s", "-D", "MORE=2", "-I", "part", "--json").json
    assert found["registers"]["ar0"] == 7
    assert "cannot find 'value.inc'" in lutra("run", "a.s", "-D", "MORE=2").err
    assert lutra("run", "a.s", "-I", "none").error == "-I none: no such folder"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["a.elf", "-D", "A=1"], "-I and -D are for assembly, but a.elf is an image; leave them out"),
        (["a.elf", "-I", "."], "-I and -D are for assembly, but a.elf is an image; leave them out"),
        (["a.s", "-D", "A"], "-D A: write NAME=VALUE, e.g. -D BLOCKS=16"),
        (["a.s", "--entry", "0x"], "--entry: '0x' is not a number such as 256 or 0x100"),
        (["a.s", "--entry", "data"], "--entry: the image has no program label data"),
    ],
)
def test_wrong_usage_of_entries_and_symbols(arguments: list[str], text: str, lutra: Lutra, folder: Path) -> None:
    Path("a.s").write_text(
        "        .global main, data\n        .section m0\ndata:   .byte 1\n        .section text\nmain:   halt\n"
    )
    assert lutra("asm", "a.s", "-o", "a.elf").code == 0
    result = lutra("run", *arguments)
    assert (result.code, text in result.error) == (2, True), result.err
