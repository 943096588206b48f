"""Options of `lutra asm` for warnings, errors and builds."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lutra.asm import CHECKS, depfile
from support.cli import Lutra

UNUSED = "nop\nl: halt\n"
# Far more than it takes, on a machine that does other work.
SECONDS = 30


def test_warnings_are_shown_and_the_image_is_written(lutra: Lutra) -> None:
    Path("a.s").write_text(UNUSED)
    result = lutra("asm", "a.s", "-o", "a.elf")
    assert result.code == 0
    assert result.err.startswith("a.s:2:1: warning: label 'l' is not used [unused-label]\n    l: halt\n    ^\n")
    assert Path("a.elf").exists()


@pytest.mark.parametrize("options", [["-Werror"], ["-W", "error"], ["-Werror=unused-label"], ["-W", "error=all"]])
def test_a_warning_as_error_writes_nothing(options: list[str], lutra: Lutra) -> None:
    Path("a.s").write_text(UNUSED)
    result = lutra("asm", "a.s", "-o", "a.elf", *options)
    assert result.code == 1
    assert "a.s:2:1: error: label 'l' is not used [unused-label]" in result.err
    assert result.err.endswith("lutra: error: 1 error, nothing written\n")
    assert not Path("a.elf").exists()


@pytest.mark.parametrize("options", [["-Wno-unused-label"], ["-W", "no-all"], ["-Werror", "-Wno-unused-label"]])
def test_a_check_that_is_off_says_nothing(options: list[str], lutra: Lutra) -> None:
    Path("a.s").write_text(UNUSED)
    result = lutra("asm", "a.s", "-o", "a.elf", *options)
    assert (result.code, result.err) == (0, "")


def test_help_lists_every_check(lutra: Lutra) -> None:
    text = lutra("asm", "--help").out
    for check in CHECKS.values():
        assert f"{check.name} " in text
        assert f"{check.text} ({check.severity})" in text


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["-Wnonsense"], "-W nonsense: no such check; choose from loop-depth, "),
        (["-MF", "x.d"], "-MF names the file that -MD writes; give -MD as well"),
        (["-D", "A=1", "-D", "A=2"], "-D A=2: 'A' is defined twice; first as 1"),
        (["-D", "v0=1"], "-D v0=1: 'v0' names a register or memory"),
        (["--max-errors", "-1"], "--max-errors"),
        (["-MD", "-MF", "a.s"], "is the same file as a.s"),
        (["-MD", "-MF", "x.elf"], "is the same file as -o"),
    ],
)
def test_wrong_options_are_wrong_usage_in_one_line(arguments: list[str], text: str, lutra: Lutra) -> None:
    Path("a.s").write_text("halt\n")
    result = lutra("asm", "a.s", "-o", "x.elf", *arguments)
    assert result.code == 2
    assert text in result.error
    assert sorted(p.name for p in Path().iterdir()) == ["a.s"]


def test_errors_are_capped_and_all_are_shown_on_request(lutra: Lutra) -> None:
    Path("a.s").write_text("bogus\n" * 30)
    few = lutra("asm", "a.s", "-o", "a.elf")
    assert few.err.count(": error: unknown") == 20
    assert few.err.endswith("stopped after 20 errors (--max-errors 0 shows all), nothing written\n")
    assert lutra("asm", "a.s", "-o", "a.elf", "--max-errors", 3).err.count(": error: unknown") == 3
    everything = lutra("asm", "a.s", "-o", "a.elf", "--max-errors", 0)
    assert everything.err.count(": error: unknown") == 30
    assert everything.err.endswith("lutra: error: 30 errors, nothing written\n")


def test_fifty_thousand_errors_end_soon(lutra: Lutra) -> None:
    Path("a.s").write_text("bogus\n" * 50_000)
    begun = time.monotonic()
    assert lutra("asm", "a.s", "-o", "a.elf").code == 1
    assert time.monotonic() - begun < SECONDS / 10


@pytest.mark.parametrize(("last", "length"), [("1", 10_000), ("1 / 0", 10_000), ("a0", 3_000)])
def test_a_chain_of_thousands_of_symbols_ends_soon(last: str, length: int, lutra: Lutra) -> None:
    lines = [f"a{n} = a{n + 1} + 1\n" for n in range(length)]
    Path("a.s").write_text(f"halt\narset ar0, a0\n{''.join(lines)}a{length} = {last}\n")
    begun = time.monotonic()
    result = lutra("asm", "a.s", "-o", "a.elf")
    assert time.monotonic() - begun < SECONDS
    assert result.code == (0 if last == "1" else 1)
    assert result.err.count("error:") == (0 if last == "1" else 2)


COMMAND = "cp rule rules.d && touch a.elf && echo built"
BUILD = f"""\
a.elf:
\t{COMMAND}
-include rules.d
"""
NINJA = f"""\
rule asm
  command = {COMMAND}
  depfile = rules.d
build a.elf: asm
"""
# Names that make and ninja have to be told apart from their own signs; ninja knows no backslash before a backslash.
NAMES = ["plain.s", "with blank.inc", "a#b.inc", "a$b.inc", "a:b.inc", "sub/grün.inc"]
BACKSLASHES = ["back\\slash.inc", "a\\ b.inc", "a\\\\#b.inc"]


def built(program: str) -> bool:
    """Whether make or ninja had something to do."""
    path = shutil.which(program)
    assert path, f"{program} is not there"
    ran = subprocess.run([path], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return "built" in ran.stdout


def change(file: str) -> None:
    """Let a file be newer than everything; the file system counts in milliseconds."""
    time.sleep(0.02)
    Path(file).touch()


@pytest.mark.parametrize(("program", "names"), [("make", NAMES + BACKSLASHES), ("ninja", NAMES)])
def test_make_and_ninja_build_again_when_a_file_changes(program: str, names: list[str]) -> None:
    Path("Makefile").write_text(BUILD)
    Path("build.ninja").write_text(NINJA)
    Path("sub").mkdir()
    for name in names:
        Path(name).write_text("halt\n")
    Path("rule").write_text(depfile("a.elf", names))
    time.sleep(0.02)
    assert built(program)
    assert not built(program)
    for name in names:
        change(name)
        assert built(program), name
        assert not built(program), name
    # A missing file is not an error: it may not be included any more.
    Path(names[-1]).unlink()
    assert built(program)


def test_make_builds_what_lutra_asm_says() -> None:
    program = Path(sys.executable).parent / "lutra"
    Path("Makefile").write_text(f"a.elf:\n\t{program} asm main.s -o a.elf -MD && echo built\n-include a.d\n")
    Path("main.s").write_text('.include "with blank.inc"\n.section m0\n.incbin "data.bin"\n')
    Path("data.bin").write_bytes(b"1")
    Path("with blank.inc").write_text("halt\n")
    assert built("make")
    assert not built("make")
    change("data.bin")
    assert built("make")


def test_the_rule_goes_beside_the_image(lutra: Lutra) -> None:
    Path("a.s").write_text('.include "b.inc"\n')
    Path("b.inc").write_text("halt\n")
    assert lutra("asm", "a.s", "-o", "out.elf", "-MD").code == 0
    assert Path("out.d").read_text() == "out.elf: \\\n  a.s \\\n  b.inc\n\nb.inc:\n"


@pytest.mark.parametrize("sign", ["\t", "\n", ";", "|", "=", "%"])
def test_a_name_that_make_cannot_read_is_refused(sign: str, lutra: Lutra) -> None:
    with pytest.raises(ValueError, match="make cannot read the file name"):
        depfile("a.elf", [f"a{sign}b.s"])
    Path(f"a{sign}b.s").write_text("halt\n")
    result = lutra("asm", f"a{sign}b.s", "-o", "a.elf", "-MD")
    assert result.code == 1
    assert "-MD: make cannot read the file name" in result.error
    assert not Path("a.elf").exists()
