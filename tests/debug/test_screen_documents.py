"""The manual shows the screen as it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lutra.debug.screen import keys, layout
from support.documents import ROOT

PAGE = ROOT / "docs/programmers-manual/07-debugger-screen.md"
PICTURES = ROOT / "docs/pictures"


AGAIN = pytest.mark.nightly(
    "the pictures are made again, a quarter of a minute; keys, panes and program are compared here"
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pictures, made again."""
    folder = tmp_path_factory.mktemp("pictures")
    subprocess.run([sys.executable, PICTURES / "make.py", folder], check=True, stdout=subprocess.DEVNULL, timeout=300)
    return folder


@AGAIN
def test_the_pictures_are_those_that_the_command_makes(made: Path) -> None:
    there = {file.name: file.read_text() for file in PICTURES.glob("*.svg")}
    assert there == {file.name: file.read_text() for file in made.iterdir()}, "run: make screenshots"


@AGAIN
def test_the_pictures_show_what_the_page_says(made: Path) -> None:
    text = PAGE.read_text()
    assert all(f"(../pictures/{file.name})" in text for file in made.iterdir())
    for name, words in {
        "step-back": ["114686262", "reverse-step", "▶"],
        "last-writer": ["writers,", "5e22e6c7"],
        "divergence": ["diverge:", "simulator:", "RTL"],
        "known-answer": ["reference:", "sm4_schedule_round"],
        "wide": ["pipeline", "stack", "PERM"],
    }.items():
        picture = (made / f"{name}.svg").read_text()
        assert all(f">{word}" in picture for word in words), name


def test_the_page_has_every_key_and_pane() -> None:
    text = PAGE.read_text()
    for move in keys.MOVES:
        assert f"| F{move.function} | `{move.letter}` | `{move.command}` |" in text
    for key, _, _ in keys.COMMON:
        assert f"| {key} |" in text
    for name in ("source", "disassembly", "registers", *layout.TABS, "messages"):
        assert f" {name} |" in text


def test_the_program_of_the_page_is_that_of_its_picture() -> None:
    scenes = (PICTURES / "scenes.py").read_text()
    program = PAGE.read_text().partition("```asm\n")[2].partition("```")[0]
    assert program in scenes
