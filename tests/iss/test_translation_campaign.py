"""The campaign of random programs in translated code finds a difference, and names the command that repeats it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import lutra
from support.translation import LEVELS
from translated import campaign
from translated.__main__ import main
from translated.compare import Pair

# The last level is the one that every build with a translator has.
pytestmark = pytest.mark.skipif(not LEVELS, reason="this build has no translator")


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["translated", "--jobs", "1", "--programs", "2", *arguments])
    return main()


def different(level: str, rounds: int, patience: int) -> Pair:
    """A pair whose second machine has other cycles."""
    pair = Pair(level, rounds, patience)
    pair.translated = lutra.make_engine("iss", 3 - rounds)
    return pair


def test_programs_without_a_difference(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(monkeypatch, "--json", str(tmp_path / "x.json")) == 0
    found = json.loads((tmp_path / "x.json").read_text())
    assert found["programs"] == 2 * len(LEVELS)
    assert found["instructions"] > 10_000
    assert found["levels"] == LEVELS
    assert f"{found['programs']} programs at {', '.join(LEVELS)}" in capsys.readouterr().out


def test_a_difference_is_told_with_its_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(campaign, "pair", different)
    assert run(monkeypatch, "--seed", "7", "--level", LEVELS[-1], "--json", str(tmp_path / "x.json")) == 1
    first, *_ = capsys.readouterr().out.splitlines()
    assert first.endswith(f"./lutra --with python -m translated --level {LEVELS[-1]} --programs 1 --seed 7")
    assert json.loads((tmp_path / "x.json").read_text())["found"][0]["what"] == "stops"
