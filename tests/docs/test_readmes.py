"""The table of a folder's README has a row for every file, or for a folder that it is in, and no row without one.

rtl/README.md has other tables and a test of its own, tests/rtl/test_readme.py.
"""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

from support.documents import PLACES, ROOT

TABLE = re.compile(r"^\| where \|.*\n\| -.*\n((?:\|.*\n)+)", re.M)
FOUND = (*ROOT.glob("[a-z]*/README.md"), *ROOT.glob("[a-z]*/*/README.md"))
READMES = [p.relative_to(ROOT) for p in FOUND if p.parts[-2] != "build" and TABLE.search(p.read_text())]
# What tools leave.
LEFT = {"__pycache__", "node_modules"}
# What every folder of its kind has.
USUAL = {"README.md", "CMakeLists.txt", "__init__.py", "conftest.py", "py.typed"}


def rows(readme: Path) -> set[str]:
    """Names in backticks in the first cells; NAME matches any."""
    lines = "".join(TABLE.findall((ROOT / readme).read_text())).splitlines()
    named = {name for line in lines for name in re.findall(r"`([^`]+)`", line.split("|")[1])}
    return {re.sub(r"\bNAME\b", "*", name) for name in named}


def fits(row: str, file: str) -> bool:
    """Whether a row is about a file: by its path in the folder, by its name alone, or by a folder that it is in."""
    if row.endswith("/"):
        return f"/{row}" in f"/{file}"
    return fnmatch(file, row) or ("/" not in row and fnmatch(Path(file).name, row))


def test_the_folders_of_packages_have_such_a_table() -> None:
    folders = {*PLACES, "tests"} - {"rtl", "firmware"}
    assert folders <= {str(readme.parent) for readme in READMES}


@pytest.mark.parametrize("readme", READMES, ids=str)
def test_every_file_has_a_row_in_the_readme_and_every_row_a_file(readme: Path) -> None:
    folder = ROOT / readme.parent
    paths = [p.relative_to(folder) for p in folder.rglob("*") if p.is_file()]
    files = {str(p) for p in paths if not LEFT & {*p.parts} and not any(part.startswith(".") for part in p.parts)}
    named = rows(readme)
    assert {f for f in files if Path(f).name not in USUAL and not any(fits(row, f) for row in named)} == set()
    assert {row for row in named if not any(fits(row, file) for file in files)} == set()
