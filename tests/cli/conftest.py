"""A folder of its own for every test, and the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from lutra.cli.main import main
from support.cli import PROGRAM, Lutra, Outcome


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, empty at first."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def lutra(capsys: pytest.CaptureFixture[str]) -> Lutra:
    """Runs a command line in this process."""

    def run(*arguments: object) -> Outcome:
        code = main([str(a) for a in arguments])
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run


@pytest.fixture
def elf(folder: Path, lutra: Lutra) -> Path:
    """A small program with an entry for every way to stop."""
    (folder / "program.s").write_text(PROGRAM)
    assert lutra("asm", "program.s", "-o", "program.elf").code == 0
    return Path("program.elf")


@pytest.fixture
def otter(lutra: Lutra) -> None:
    """The folder of own firmware that `lutra new` makes."""
    assert lutra("new", "otter").code == 0
