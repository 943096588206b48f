"""Helpers for tests with the folder of own firmware that `lutra new otter` makes."""

from __future__ import annotations

from pathlib import Path

from support.cli import Lutra, Outcome

VECTORS = Path("otter/otter.vectors.json")
SOURCE = Path("otter/otter.s")
MANIFEST = Path("otter/firmware.toml")
ROUTINES = Path("otter/routines.toml")


def change(path: Path, old: str, new: str) -> None:
    """Put other words into a file, which must have the old ones."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def checked(lutra: Lutra, *arguments: object) -> Outcome:
    """On the simulator, which is faster; tests of the engines say otherwise."""
    return lutra("test", "--engine", "iss", *arguments)


def failures(result: Outcome) -> list[str]:
    """The lines of what failed."""
    assert result.code == 1
    assert "Traceback" not in result.out + result.err
    return [line.removeprefix("FAILED ") for line in result.out.splitlines() if line.startswith("FAILED ")]
