"""The cycles in the READMEs of the firmware are those of the headers, which the simulator has measured."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.firmware import FIRMWARE, HEADERS

READMES = sorted(FIRMWARE.glob("*/README.md"))
# Separates the cycles of several routines or key sizes, and remarks.
BETWEEN = re.compile(r" *[;,(] *")


def rows(text: str) -> Iterator[tuple[str, str]]:
    """Yield the first routine and the cycles of each row of the tables that have both."""
    column = None
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")] if line.startswith("|") else []
        if cells[:1] == ["routine"]:
            column = cells.index("cycles") if "cycles" in cells else None
        elif not cells:
            column = None
        elif column is not None and (name := re.match(r"`(\w+)`", cells[0])) and not cells[column].startswith("as `"):
            yield name[1], cells[column]


def differing(text: str) -> list[tuple[str, str]]:
    """Return the rows whose cycles are not in the header of the routine."""
    found = []
    for name, cycles in rows(text):
        header = HEADERS.of(name)
        said = BETWEEN.split(" ".join(header.fields["Cycles"].split())) if header else []
        if BETWEEN.split(cycles)[0] not in said:
            found.append((name, cycles))
    return found


@pytest.mark.parametrize("readme", READMES, ids=lambda readme: readme.parent.name)
def test_a_readme_has_the_cycles_of_the_headers(readme: Path) -> None:
    assert differing(readme.read_text()) == []


def test_a_row_with_other_cycles_is_found() -> None:
    text = (FIRMWARE / "snow3g" / "README.md").read_text()
    (right,) = [cycles for name, cycles in rows(text) if name == "snow3g"]
    assert differing(text.replace(f"| {right} |", "| n + 19 |"))[0] == ("snow3g", "n + 19")
