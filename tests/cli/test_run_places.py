"""The places of `lutra run --load` and `--dump`: by symbol or number, from files or digits, to files or text."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import lutra.iss.engine
from support.cli import Lutra

ENGINES = lutra.engine.names()
ROW = bytes(range(0x40, 0x50))

COPY = """\
SIZE = 32
        .section m1
        .org    0x30
source: .zero   SIZE
        .section m3
        .org    0x80
        .global main, patch, copy, both, upper
copy:   .zero   SIZE
        .section t0:t1
        .org    0x20
both:   .zero   16
        .section t1
        .org    0x50
upper:  .zero   16

        .section text
main:   mov     m3[copy], m1[source]
        halt
patch:  nop
        halt
"""


@pytest.fixture(params=["copy.s", "copy.elf"])
def program(request: pytest.FixtureRequest, folder: Path, lutra: Lutra) -> str:
    """A program with symbols in all kinds of memories, as assembly and as its image."""
    Path("copy.s").write_text(COPY)
    assert lutra("asm", "copy.s", "-o", "copy.elf").code == 0
    return str(request.param)


@pytest.mark.parametrize("engine", ENGINES)
def test_symbols_name_what_is_loaded_and_dumped(engine: str, program: str, lutra: Lutra) -> None:
    Path("row").write_bytes(ROW)
    for source in ("row", f"hex:{ROW.hex()}", f"hex:{ROW.hex().upper()}"):
        result = lutra("run", program, "--load", f"source={source}", "--dump", "copy:16=out", "--engine", engine)
        assert result.code == 0, result.err
        assert Path("out").read_bytes() == ROW


def test_an_offset_is_added_to_a_symbol_and_later_loads_win(program: str, lutra: Lutra) -> None:
    loads = ["--load", f"source=hex:{'11' * 16}", "--load", "source+4=hex:2222", "--load", "m1@0x3f=hex:33"]
    assert lutra("run", program, *loads, "--dump", "copy:16=out", "--dump", "copy+0x04:2=part").code == 0
    assert Path("out").read_bytes().hex() == "11" * 4 + "2222" + "11" * 9 + "33"
    assert Path("part").read_bytes() == b"\x22\x22"


@pytest.mark.parametrize("engine", ENGINES)
def test_symbols_of_tables_and_programs_are_places_too(engine: str, program: str, lutra: Lutra) -> None:
    halt = lutra("run", program, "--dump", "patch+8:8=hex:-").out.splitlines()[0]
    loads = ["--load", f"both=hex:{'0a' * 16}", "--load", f"upper=hex:{'0b' * 16}", "--load", f"main=hex:{halt}"]
    dumps = ["--dump", "t0@0x20:16=t0", "--dump", "t1@0x20:16=t1", "--dump", "upper:16=upper", "--dump", "main:8=main"]
    result = lutra("run", program, *loads, *dumps, "--engine", engine, "--json")
    assert result.code == 0, result.err
    assert result.json["instructions"] == 1
    assert [Path(name).read_bytes()[:1] for name in ("t0", "t1", "upper")] == [b"\x0a", b"\x0a", b"\x0b"]
    assert Path("main").read_bytes() == bytes.fromhex(halt)


def test_digits_go_to_standard_output_and_the_summary_does_not(program: str, lutra: Lutra) -> None:
    dumps = ["--dump", "copy:4=hex:-", "--dump", "copy+4:2=hex:-", "--dump", "copy:2=hex:file"]
    result = lutra("run", program, "--load", "source=hex:0123456789ab", *dumps)
    assert result.out == "01234567\n89ab\n"
    assert result.err.startswith("halted at pc 0x0001")
    assert Path("file").read_text() == "0123\n"


def test_bytes_go_to_standard_output_as_they_are(program: str) -> None:
    command = str(Path(sys.executable).with_name("lutra"))
    run = subprocess.run(
        [command, "run", program, "--load", "source=hex:00ff0a", "--dump", "copy:3=-"],
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert run.stdout == b"\x00\xff\x0a"


@pytest.mark.parametrize("name", ["a=b", "a:b", "m2@0", "a=hex:00", "x:y=z"])
def test_names_of_files_may_have_the_signs_of_places(name: str, program: str, lutra: Lutra) -> None:
    Path(name).write_bytes(ROW)
    assert lutra("run", program, "--load", f"source={name}", "--dump", f"copy:16={name}.out").code == 0
    assert Path(f"{name}.out").read_bytes() == ROW


def test_a_file_that_is_called_like_digits_is_named_with_its_folder(program: str, lutra: Lutra) -> None:
    Path("hex:00ff").write_bytes(ROW)
    assert lutra("run", program, "--load", "source=./hex:00ff", "--dump", "copy:16=./hex:out").code == 0
    assert Path("hex:out").read_bytes() == ROW


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--load", "surce=in"], "--load surce: the image has no symbol surce; did you mean 'source'?"),
        (["--load", "SIZE=in"], "--load SIZE: SIZE is a number, not an address in a memory"),
        (["--load", "source+x=in"], "--load source+x: 'x' is not a number"),
        (["--load", "source+=in"], "--load source+: '' is not a number"),
        (
            ["--load", "source+0xfc8=hex:" + "00" * 9],
            "--load source+0xfc8: m1@0xff8: 9 bytes do not fit; m1 has 0x1000",
        ),
        (["--load", "source+0xfd1=in"], "--load source+0xfd1: m1@0x1001: 0 bytes do not fit; m1 has 0x1000"),
        (["--load", "m1@0x1000=hex:00"], "--load m1@0x1000: m1@0x1000: 1 bytes do not fit"),
        (["--load", "=in"], "--load: write PLACE=FILE or PLACE=hex:DIGITS"),
        (["--load", "source="], "--load: write PLACE=FILE or PLACE=hex:DIGITS"),
        (
            ["--load", "pm@3=hex:00"],
            "--load pm@3: offset and length must be multiples of 8, the bytes of a program word",
        ),
        (["--load", "pm@8=in17"], "--load pm@8: offset and length must be multiples of 8, the bytes of a program word"),
        (["--dump", "pm@4:8=out"], "--dump pm@4:8: offset and length must be multiples of 8"),
        (["--dump", "copy=out"], "--dump copy: write PLACE:LENGTH=FILE"),
        (["--dump", "copy:0=out"], "--dump copy:0: the length must be at least 1"),
        (["--dump", "copy:x=out"], "--dump copy:x: 'x' is not a number"),
        (["--dump", "copy:16=hex:"], "--dump copy:16: write PLACE:LENGTH=FILE"),
        (["--dump", "both:16=out"], "--dump both:16: t0:t1 is several memories; dump t0 or t1"),
        (["--dump", "copy:16=-", "--json"], "--json and --dump copy:16 would both write to standard output"),
        (["--dump", "copy:16=out", "--dump", "copy:8=out"], "is the same file as --dump copy:16"),
        (["--load", "source=in", "--dump", "copy:16=in"], "--dump copy:16 in: is the same file as --load source"),
        (["--dump", "copy:16=copy.s"], "--dump copy:16 copy.s: is the same file as FILE"),
        (["--trace", "copy.s"], "--trace copy.s: is the same file as FILE"),
        (["--dump", "copy:16=out", "--trace", "out"], "is the same file as"),
    ],
)
def test_wrong_places_are_named_and_nothing_is_written(arguments: list[str], text: str, lutra: Lutra) -> None:
    Path("copy.s").write_text(COPY)
    Path("in").write_bytes(ROW)
    Path("in17").write_bytes(bytes(17))
    result = lutra("run", "copy.s", *arguments)
    assert result.code == 2
    assert text in result.error
    assert not Path("out").exists()
    assert Path("copy.s").read_text() == COPY and Path("in").read_bytes() == ROW


@pytest.mark.parametrize(
    "load",
    [
        "source=hex:5ec2e75ec2e",
        "source=hex:5ec2e75ec2ex",
        "hex:5ec2e75ec2e7",
        "hex:5ec2e75ec2e7=source",
        "m1@0xfff=hex:5ec2e75ec2e7",
        "none=hex:5ec2e75ec2e7",
        "source:hex:5ec2e75ec2e7",
    ],
)
def test_no_error_shows_digits(load: str, lutra: Lutra, folder: Path) -> None:
    Path("copy.s").write_text(COPY)
    result = lutra("run", "copy.s", "--load", load)
    assert result.code != 0
    assert "5ec2e7" not in result.error


def test_a_file_without_end_is_read_no_further_than_the_memory(lutra: Lutra, folder: Path) -> None:
    Path("copy.s").write_text(COPY)
    assert (
        "has more than 4048 bytes, the limit for m1 from 0x30 on"
        in lutra("run", "copy.s", "--load", "source=/dev/zero").error
    )


def test_a_name_that_several_files_have_is_not_guessed(lutra: Lutra, folder: Path) -> None:
    for name, at in (("a.s", 0), ("b.s", 32)):
        Path(name).write_text(f"        .section m0\n        .org {at}\nkey:    .zero 16\n        .byte key & 0\n")
    Path("main.s").write_text("        halt\n")
    assert lutra("asm", "main.s", "a.s", "b.s", "-o", "all.elf").code == 0
    result = lutra("run", "all.elf", "--load", "key=hex:00")
    assert result.error == (
        "--load key: key is several symbols, of a.s, b.s; make one of them global, or give the address"
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_named(lutra: Lutra, folder: Path) -> None:
    Path("copy.s").write_text(COPY)
    Path("in").write_bytes(ROW)
    Path("in").chmod(0)
    assert "in: Permission denied" in lutra("run", "copy.s", "--load", "source=in").error
