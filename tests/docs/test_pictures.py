"""The pictures of the datapath and of the folders are those that their programs draw."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from lutra.isa import load
from support.documents import PLACES, ROOT


@pytest.mark.parametrize("picture", ["dataflow", "overview"])
def test_a_picture_is_what_its_program_draws(picture: str, tmp_path: Path) -> None:
    made = tmp_path / "made.svg"
    subprocess.run([sys.executable, ROOT / f"docs/pictures/{picture}.py", made], check=True, timeout=300)
    assert (ROOT / f"docs/{picture}.svg").read_text() == made.read_text(), "run: make reference"


def words(picture: str) -> list[str]:
    return re.findall(r"<text [^>]*>([^<]*)</text>", (ROOT / f"docs/{picture}.svg").read_text())


def test_the_picture_of_the_whole_has_every_folder() -> None:
    named = {word.partition("/")[0] for word in words("overview")}
    assert set(PLACES) <= named


def test_the_picture_of_the_datapath_has_the_path_of_its_instruction() -> None:
    mnemonic, _, summary = words("dataflow")[0].partition(": ")
    assert summary in {insn.summary for insn in load().instructions if insn.mnemonic == mnemonic}
