"""lutra debug: commands from the command line, from scripts and from standard input; what is refused."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from support.cli import Lutra

KEY = "000102030405060708090a0b0c0d0e0f"


@pytest.fixture(autouse=True)
def no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))


def vectors(ciphertext: str) -> Path:
    file = Path("vectors.json")
    test = {"id": "1", "key": KEY, "plaintext": KEY, "ciphertext": ciphertext}
    file.write_text(json.dumps({"algorithm": "AES", "mode": "ECB", "tests": [test]}))
    return file


def test_commands_are_done_in_the_order_of_scripts_and_then_the_command_line(lutra: Lutra, elf: Path) -> None:
    Path("first").write_text("p 1\n\n# nothing\np 2\n")
    Path("second").write_text("p 3\n")
    ran = lutra("debug", elf, "-c", "p 4", "-x", "first", "-x", "second", "--batch")
    assert ran.code == 0
    assert [line for line in ran.out.splitlines() if " = " in line] == ["1 = 1", "2 = 2", "3 = 3", "4 = 4"]
    assert "(lutra) p 4\n" in ran.out


def test_a_session_begins_where_a_run_would(lutra: Lutra, elf: Path) -> None:
    ran = lutra("debug", elf, "--entry", "pause", "--load", f"m2@0=hex:{KEY}", "--batch", "-c", "p/x m2[0]")
    assert ran.out.startswith("at the start\ncycle 0, program.s:")
    assert f"m2[0] = {KEY}" in ran.out
    assert lutra("debug", elf, "--entry", "pause", "-c", "c", "--batch").out.count("waiting for the host") == 1
    assert "halted: " in lutra("debug", elf, "--entry", "pause", "--resume", "-c", "c", "--batch").out
    assert "no halt within" in lutra("debug", elf, "--entry", "spin", "--max-cycles", "500", "-c", "c", "--batch").out


def test_assembly_is_debugged_with_its_definitions(lutra: Lutra) -> None:
    Path("inc").mkdir()
    Path("inc/x.inc").write_text("        arset   ar0, N\n")
    Path("p.s").write_text('        .include "x.inc"\n        halt\n')
    ran = lutra("debug", "p.s", "-I", "inc", "-D", "N=5", "--batch", "-c", "s", "-c", "p ar0")
    assert "ar0 = 5" in ran.out


def test_standard_input_is_read_to_its_end_or_to_quit(lutra: Lutra, elf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("p 1\nfrob\np 2\n"))
    ran = lutra("debug", elf)
    assert ran.code == 1
    assert "1 = 1" in ran.out
    assert "2 = 2" in ran.out
    assert ran.err == "lutra: error: no command 'frob'; `help` lists all\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\nfrob\n"))
    assert lutra("debug", elf).code == 0


def test_the_first_command_that_fails_ends_the_line(lutra: Lutra, elf: Path) -> None:
    Path("script").write_text("p 1\n\nfrob\n")
    ran = lutra("debug", elf, "-x", "script", "-c", "p 2", "--batch")
    assert (ran.code, ran.error) == (1, "script:3: no command 'frob'; `help` lists all")
    assert "2 = 2" not in ran.out
    ran = lutra("debug", elf, "-c", "p v9", "--batch")
    assert (ran.code, ran.error) == (1, "-c p v9: v9: column 1: no register or symbol 'v9'")


def test_a_script_that_is_no_text_is_shown_in_short_and_as_text(lutra: Lutra, elf: Path) -> None:
    Path("script").write_bytes(b"p 1\n\x1b[31m\x00\xff" + b"frob" * 10_000 + b"\nfrob")
    ran = lutra("debug", elf, "-x", "script", "--batch")
    assert ran.code == 1
    shown = ran.out + ran.err
    assert all(c.isprintable() or c == "\n" for c in shown)
    assert "(lutra) \\x1b[31m\\x00" in ran.out
    assert ran.error.startswith("script:2: no command '") and ran.error.endswith("; `help` lists all")
    assert max(map(len, shown.splitlines())) < 500


def test_a_command_that_quits_ends_the_line(lutra: Lutra, elf: Path) -> None:
    ran = lutra("debug", elf, "-c", "quit", "-c", "frob")
    assert (ran.code, ran.err) == (0, "")


def test_a_wrong_answer_opens_at_its_first_wrong_byte(lutra: Lutra) -> None:
    ran = lutra("debug", "--kat", vectors("00" * 16), "--batch", "-c", "info program")
    assert ran.code == 0
    assert ran.out.startswith("vectors.json: 1 (encrypt): expected 000000")
    assert "byte 0 of the answer is 0x0a, not 0x00: m3[0x000:1], written here last\n" in ran.out
    assert "run 0: aes_tables_encrypt" in ran.out


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        ([], 2, "give FILE or --kat VECTORS"),
        (["program.elf", "--kat", "vectors.json"], 2, "give FILE or --kat VECTORS, not both"),
        (["program.elf", "--test", "1"], 2, "--test works only with --kat VECTORS; give that instead of FILE"),
        (["program.elf", "--against", "installed"], 2, "--against works only with --kat VECTORS"),
        (
            ["--kat", "vectors.json", "--load", "m2@0=hex:00"],
            2,
            "--load works only with FILE; a test of VECTORS sets up",
        ),
        (["--kat", "vectors.json", "-D", "A=1"], 2, "-D works only with FILE"),
        (["program.elf", "--load", "m9@0=hex:00"], 2, "--load m9@0: no memory space 'm9'"),
        (["program.elf", "--entry", "nowhere"], 2, "--entry: the image has no program label nowhere"),
        (["program.elf", "-D", "A=1"], 2, "-D are for assembly"),
        (["program.elf", "--engine", "qemu"], 2, "'qemu' is not one of"),
        (["none.elf"], 1, "none.elf: no such file"),
        (["."], 1, ".: is a folder; give a file"),
        (["program.elf", "-x", "none"], 1, "none: no such file"),
        (["--kat", "none.json"], 1, "none.json"),
        (["--kat", "vectors.json"], 1, "vectors.json: all 2 answers are right; --test ID opens one all the same"),
        (["--kat", "vectors.json", "--test", "9"], 1, "vectors.json has no test 9"),
        (["--kat", "vectors.json", "--manifest", "none"], 1, "none"),
        (["--kat", "vectors.json", "--test", "1", "--against", "none"], 1, "none"),
        (
            ["--kat", "vectors.json", "--test", "1", "--against", "installed"],
            1,
            "1: both do the same, instruction for instruction",
        ),
    ],
)
def test_what_is_wrong_with_a_session_is_one_line(
    lutra: Lutra, elf: Path, arguments: list[str], code: int, error: str
) -> None:
    vectors("0a940bb5416ef045f1c39458c653ea5a")
    ran = lutra("debug", *arguments, "--batch")
    assert ran.code == code
    assert error in ran.error
    assert ran.err.count("\n") == 1


def test_lines_are_asked_for_on_a_terminal_without_a_screen(
    lutra: Lutra, elf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    lines = iter(["stepi", "", "frob", "", "p 1"])
    interrupts = iter([False, False, False, True])

    def ask(prompt: str) -> str:
        assert prompt == "(lutra) "
        try:
            line = next(lines)
        except StopIteration:
            raise EOFError from None
        if next(interrupts, False):
            raise KeyboardInterrupt
        return line

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", ask)
    ran = lutra("debug", elf, "--plain")
    assert ran.code == 0
    # The empty line has done the step again.
    assert [line.split(",")[0] for line in ran.out.splitlines() if line.startswith("cycle")] == [
        "cycle 0",
        "cycle 8",
        "cycle 9",
    ]
    # An interrupt at the prompt gives the line up, not the session.
    assert "error: no command 'frob'; `help` lists all\n\n`quit` leaves the debugger\n" in ran.out
    assert ran.out.endswith("1 = 1\n\n")
