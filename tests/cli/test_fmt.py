"""`lutra fmt`: which files it changes, what it shows, and what it leaves alone."""

from __future__ import annotations

import io
import stat
import sys
from pathlib import Path

import pytest

from support.cli import Lutra, Outcome

UNKEMPT = "start: mov v0,v1 // x\n"
NEAT = "start:  mov     v0, v1                  // x\n"


def test_a_file_is_formatted_and_named(lutra: Lutra) -> None:
    Path("a.s").write_text(UNKEMPT)
    assert lutra("fmt", "a.s") == Outcome(0, "a.s\n", "")
    assert Path("a.s").read_text() == NEAT
    assert lutra("fmt", "a.s") == Outcome(0, "", "")


def test_a_folder_means_the_sources_in_it(lutra: Lutra) -> None:
    Path("one/two").mkdir(parents=True)
    Path("one/.hidden").mkdir()
    for name in ("one/b.inc", "one/two/a.s", "one/notes.txt", "one/.hidden/c.s"):
        Path(name).write_text(UNKEMPT)
    assert lutra("fmt", "one", "one/b.inc", "one/two/../b.inc") == Outcome(0, "one/b.inc\none/two/a.s\n", "")
    assert Path("one/two/a.s").read_text() == NEAT
    assert Path("one/notes.txt").read_text() == UNKEMPT
    assert Path("one/.hidden/c.s").read_text() == UNKEMPT


@pytest.mark.parametrize("name", ["README.md", "firmware.toml", "s", "a.asm", ".s"])
@pytest.mark.parametrize("option", [(), ("--check",), ("--diff",)], ids=" ".join)
def test_a_file_that_is_not_assembly_by_its_name_is_left_alone(
    name: str, option: tuple[str, ...], lutra: Lutra
) -> None:
    Path(name).write_text(UNKEMPT)
    done = lutra("fmt", *option, name)
    assert done == Outcome(
        1, "", f"lutra: error: {name}: not a .s or .inc file, not changed; `lutra fmt -` accepts any assembly\n"
    )
    assert Path(name).read_text() == UNKEMPT


def test_a_file_that_is_formatted_is_not_written(lutra: Lutra) -> None:
    Path("a.s").write_text(NEAT)
    Path("a.s").chmod(0o444)
    before = Path("a.s").stat().st_mtime_ns, Path("a.s").stat().st_ino
    assert lutra("fmt", "a.s") == Outcome(0, "", "")
    assert (Path("a.s").stat().st_mtime_ns, Path("a.s").stat().st_ino) == before


def test_mode_and_link_of_a_file_stay(lutra: Lutra) -> None:
    Path("a.s").write_text(UNKEMPT)
    Path("a.s").chmod(0o640)
    Path("link.s").symlink_to("a.s")
    assert lutra("fmt", "link.s").code == 0
    assert Path("link.s").is_symlink()
    assert Path("a.s").read_text() == NEAT
    assert stat.S_IMODE(Path("a.s").stat().st_mode) == 0o640
    assert sorted(p.name for p in Path().iterdir()) == ["a.s", "link.s"]


def test_check_names_files_and_writes_nothing(lutra: Lutra) -> None:
    Path("a.s").write_text(UNKEMPT)
    Path("b.s").write_text(NEAT)
    assert lutra("fmt", "--check", "a.s", "b.s") == Outcome(1, "a.s: not formatted\n", "")
    assert lutra("fmt", "--check", "b.s") == Outcome(0, "", "")
    assert Path("a.s").read_text() == UNKEMPT


def test_line_ends_and_mark_of_another_system_are_not_formatted(lutra: Lutra) -> None:
    Path("a.s").write_bytes(b"\xef\xbb\xbf" + NEAT.replace("\n", "\r\n").encode())
    assert lutra("fmt", "--check", "a.s").code == 1
    assert lutra("fmt", "a.s").code == 0
    assert Path("a.s").read_bytes() == NEAT.encode()


def test_diff_shows_changes_and_writes_nothing(lutra: Lutra) -> None:
    Path("a.s").write_text(UNKEMPT)
    done = lutra("fmt", "--diff", "a.s")
    assert (done.code, done.err) == (0, "")
    assert done.out == f"--- a.s\n+++ a.s\n@@ -1 +1 @@\n-{UNKEMPT}+{NEAT}"
    assert lutra("fmt", "--diff", "--check", "a.s") == Outcome(1, done.out, "")
    assert Path("a.s").read_text() == UNKEMPT


def test_diff_of_a_last_line_without_an_end_is_whole(lutra: Lutra) -> None:
    Path("a.s").write_text(UNKEMPT.rstrip("\n"))
    assert lutra("fmt", "--diff", "a.s").out.endswith(f"-{UNKEMPT}\\ No newline at end of file\n+{NEAT}")


def test_standard_input_goes_to_standard_output(lutra: Lutra, monkeypatch: pytest.MonkeyPatch) -> None:
    for text, options, expected in (
        (UNKEMPT, (), Outcome(0, NEAT, "")),
        (NEAT, (), Outcome(0, NEAT, "")),
        (UNKEMPT, ("--check",), Outcome(1, "<stdin>: not formatted\n", "")),
        (NEAT, ("--check",), Outcome(0, "", "")),
    ):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert lutra("fmt", "-", *options) == expected


def test_a_file_with_an_error_is_left_alone_and_the_others_are_formatted(lutra: Lutra) -> None:
    Path("a.s").write_text(UNKEMPT)
    Path("b.s").write_bytes(b"nop\n  mov \xff")
    Path("c.s").write_text(UNKEMPT)
    done = lutra("fmt", "a.s", "b.s", "none.s", "c.s")
    assert (done.code, done.out) == (1, "a.s\nc.s\n")
    assert done.err == (
        "lutra: error: b.s:2:7: byte 0xff is not valid UTF-8; save the file in UTF-8\n"
        "lutra: error: none.s: no such file\n"
    )
    assert Path("b.s").read_bytes() == b"nop\n  mov \xff"


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        ((), 2, "Missing argument 'PATH...'"),
        (("-", "a.s"), 2, "- cannot be combined with other files"),
        (("/dev/null",), 1, "/dev/null: not a regular file"),
        (("empty",), 1, "empty: no .s or .inc file in this folder"),
        (("long.s",), 1, "long.s: has more than 16777216 bytes"),
    ],
)
def test_wrong_use_is_one_line(lutra: Lutra, arguments: tuple[str, ...], code: int, text: str) -> None:
    Path("empty").mkdir()
    Path("a.s").write_text(UNKEMPT)
    with Path("long.s").open("wb") as file:
        file.truncate(17 << 20)
    done = lutra("fmt", *arguments)
    assert (done.code, done.out) == (code, "")
    assert done.err.startswith("lutra: error: ")
    assert text in done.err
    assert done.err.count("\n") == 1


def test_a_folder_that_cannot_be_written_to_is_one_line(lutra: Lutra, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.s").write_text(UNKEMPT)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "a.s")

    monkeypatch.setattr("lutra.cli.output._Whole.open", refuse)
    assert lutra("fmt", "a.s") == Outcome(1, "", "lutra: error: a.s: Permission denied\n")
    assert Path("a.s").read_text() == UNKEMPT
