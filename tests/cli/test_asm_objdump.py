"""`lutra asm` and `lutra objdump`."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from support.cli import PROGRAM, Lutra


def test_a_listing_shows_the_definitions_of_the_command_line(lutra: Lutra) -> None:
    Path("sub").mkdir()
    Path("sub/rows.inc").write_text("        bcast v0, m2[OFFSET], 0\n")
    Path("a.s").write_text('        .section text\n        .include "rows.inc"\n        halt\n')
    result = lutra("asm", "a.s", "-o", "a.elf", "-I", "sub", "-D", "OFFSET=0x20", "--listing", "a.lst")
    assert (result.code, result.out, result.err) == (0, "", "")
    assert "bcast v0, m2[0x20], 0" in Path("a.lst").read_text()


def test_output_has_ordinary_permissions(elf: Path) -> None:
    assert stat.S_IMODE(elf.stat().st_mode) & 0o444 == 0o444


def test_errors_name_the_line_and_write_nothing(lutra: Lutra) -> None:
    Path("bad.s").write_text("        .section text\n        frob v0\n        halt v9\n")
    result = lutra("asm", "bad.s", "-o", "bad.elf", "--listing", "bad.lst")
    assert result.code == 1
    assert "bad.s:2:9: error:" in result.err
    assert "bad.s:3:" in result.err
    assert "lutra: error: 2 errors, nothing written" in result.err
    assert sorted(p.name for p in Path().iterdir()) == ["bad.s"]


def test_an_image_that_exists_survives_a_failure(lutra: Lutra, elf: Path) -> None:
    before = elf.read_bytes()
    Path("program.s").write_text("        frob\n")
    assert lutra("asm", "program.s", "-o", elf).code == 1
    assert elf.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["ok.s", "-o", "x.elf", "-D", "WIDTH"], "-D WIDTH: write NAME=VALUE"),
        (["ok.s", "-o", "x.elf", "-D", "WIDTH=big"], "'big' is not a number"),
    ],
)
def test_wrong_arguments_of_asm_are_one_line_and_write_nothing(arguments: list[str], text: str, lutra: Lutra) -> None:
    Path("ok.s").write_text(PROGRAM)
    result = lutra("asm", *arguments)
    assert result.code == 2
    assert text in result.error
    assert not Path("x.elf").exists()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["missing.s", "-o", "x.elf"], "missing.s"),
        (["ok.s", "-o", "nowhere/x.elf"], "nowhere/x.elf: the folder does not exist"),
        (["ok.s", "-o", "x.elf", "-I", "nowhere"], "-I nowhere: no such folder"),
        (["ok.s", "-o", "x.elf", "--listing", "nowhere/x.lst"], "nowhere/x.lst"),
    ],
)
def test_files_that_asm_cannot_use_are_one_line_and_write_nothing(
    arguments: list[str], text: str, lutra: Lutra
) -> None:
    Path("ok.s").write_text(PROGRAM)
    result = lutra("asm", *arguments)
    assert result.code == 1
    assert text in result.error
    assert not Path("x.elf").exists()


def test_a_device_is_written_and_not_replaced(lutra: Lutra) -> None:
    Path("ok.s").write_text(PROGRAM)
    assert lutra("asm", "ok.s", "-o", "/dev/null").code == 0
    assert Path("/dev/null").is_char_device()


def test_objdump_shows_everything_without_an_option(lutra: Lutra, elf: Path) -> None:
    text = lutra("objdump", elf).out
    assert "program.elf: entry 0x0000" in text
    assert "halt" in text and "spin" in text and "words" in text
    assert "program.s:3" in text


@pytest.mark.parametrize(("option", "shown"), [("-d", "program:"), ("-h", "memories:"), ("-t", "symbols:")])
def test_objdump_shows_what_is_asked_for(option: str, shown: str, lutra: Lutra, elf: Path) -> None:
    text = lutra("objdump", option, elf).out
    assert [t for t in ("program:", "memories:", "symbols:") if t in text] == [shown]


@pytest.mark.parametrize("command", ["objdump", "run"])
def test_a_damaged_image_is_one_line(command: str, lutra: Lutra, elf: Path) -> None:
    whole = elf.read_bytes()
    for length in (0, 3, 40, 64, 100, len(whole) // 2, len(whole) - 1):
        elf.write_bytes(whole[:length])
        result = lutra(command, elf)
        assert result.code == 1
        assert result.error.startswith("program.elf: ")


@pytest.mark.parametrize("command", ["objdump", "run"])
def test_a_missing_image_is_one_line(command: str, lutra: Lutra) -> None:
    assert lutra(command, "none.elf").error == "none.elf: no such file"
    Path("folder").mkdir()
    assert lutra(command, "folder").error == "folder: is a folder; give a file"
