"""The copies of the stream contexts' words are in the netlist: synthesis does not merge them with the words."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppa import design, sram
from ppa.design import Design
from ppa.measure import measure
from ppa.synthesis import Recipe
from ppa.tools import Tools

# The fastest script will do, since all of them leave the same flip-flops.
SOONEST = Recipe("area", adder="")
CONTEXTS, BITS = 1, 32
UNIT, SHADOW = "lutra_stream", "lutra_stream_shadow.sv"


def flip_flops(tools: Tools, folder: Path, words: int, old: str = "", new: str = "") -> int:
    """Those of the stream unit, with a part of the shadow's text replaced."""
    folder.mkdir()
    found = design.of_checkout(
        sram.write(folder)[0], UNIT, parameters={"SHADOW_WORDS": words, "STREAM_CONTEXTS": CONTEXTS}
    )
    (source,) = (path for path in found.files if path.name == SHADOW)
    text = source.read_text()
    assert old in text
    changed = folder / SHADOW
    changed.write_text(text.replace(old, new))
    files = tuple(changed if path == source else path for path in found.files)
    return measure(Design(UNIT, files, found.parameters), tools, SOONEST, folder, timed=False).total.flops


@pytest.fixture(scope="module")
def plain(found: Tools, tmp_path_factory: pytest.TempPathFactory) -> int:
    return flip_flops(found, tmp_path_factory.mktemp("plain") / "unit", 0)


@pytest.fixture(scope="module")
def merged(found: Tools, tmp_path_factory: pytest.TempPathFactory) -> int:
    """With copies of the same polarity as the words."""
    return flip_flops(found, tmp_path_factory.mktemp("merged") / "unit", 5, "^ ~inverted_i[i]", "^ inverted_i[i]")


def test_each_bit_of_inverted_copies_is_a_flip_flop_more(merged: int, found: Tools, tmp_path: Path) -> None:
    assert flip_flops(found, tmp_path / "unit", 5) == merged + CONTEXTS * BITS * 5


@pytest.mark.nightly("the same of more words")
def test_every_bit_of_the_copies_is_a_flip_flop(plain: int, found: Tools, tmp_path: Path) -> None:
    assert flip_flops(found, tmp_path / "unit", 16) == plain + CONTEXTS * BITS * 16


@pytest.mark.nightly("another synthesis; that inverted copies are not merged is seen by their difference to these")
def test_copies_of_the_same_polarity_would_be_merged(plain: int, merged: int) -> None:
    assert merged == plain
