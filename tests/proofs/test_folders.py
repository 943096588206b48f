"""The table of folders in docs/proofs.md is what `lutra prove --list` says."""

from __future__ import annotations

import re
from pathlib import Path

from lutra.firmware.manifest import catalogue
from lutra.prove import coverage
from lutra.prove.registry import OPEN

PAGE = Path(__file__).parents[2] / "docs/proofs.md"
FOLDERS = coverage(catalogue().offered)


def test_page_has_every_folder() -> None:
    open_part = PAGE.read_text().partition("## What is not proved")[2]
    rows = re.findall(r"^\| `(\w+)` \| (\d+) of (\d+) \| (.*?) ?\|$", open_part, re.M)
    assert rows == [(f.name, str(f.specified), str(f.claims), f.reason) for f in FOLDERS]


def test_reason_is_given_where_something_has_no_specification_and_nowhere_else() -> None:
    assert set(OPEN) == {folder.name for folder in FOLDERS if folder.specified < folder.claims}
