"""Everything that `make test` leaves to the nightly run is listed with its reason, and nothing else is."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from nightly.outcome import PASSED
from nightly.parts import PARTS
from support.documents import ROOT

PAGE = ROOT / "docs/verification.md"
ROW = re.compile(r"^\| `(tests/\S+\.py)` \| (.+?) \|$", re.M)


def marked(file: Path) -> Iterator[str]:
    """Reasons of the marks `pytest.mark.nightly(REASON)` in a file; empty of a mark without one."""
    text = file.read_text()
    tree = ast.parse(text if "nightly" in text else "")
    calls = {node.func: node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "nightly" and ast.unparse(node) == "pytest.mark.nightly":
            given = calls[node].args if node in calls else []
            yield str(given[0].value) if given and isinstance(given[0], ast.Constant) else ""


def test_every_test_that_is_left_out_is_listed_with_its_reason() -> None:
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    found = {(file.relative_to(ROOT).as_posix(), reason) for file in files for reason in marked(file)}
    assert all(reason for _, reason in found)
    assert found == set(ROW.findall(PAGE.read_text()))


def test_a_mark_without_a_reason_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("@pytest.mark.nightly\ndef a(): pass\nB = [pytest.mark.nightly('slow')]\n")
    assert sorted(marked(tmp_path / "a.py")) == ["", "slow"]


def test_what_is_left_out_runs_in_the_nightly_part(pytestconfig: pytest.Config) -> None:
    assert PARTS["tests"].command == "make test-nightly"
    recipe = re.search(r"^test-nightly:.*\n\t(.*)", (ROOT / "Makefile").read_text(), re.M)
    assert recipe is not None and "-m nightly" in recipe[1] and recipe[1].endswith(" tests")
    assert "not nightly" in pytestconfig.getini("addopts")


def test_the_page_says_when_all_parts_last_passed() -> None:
    record = json.loads((ROOT / PASSED).read_text())
    assert re.fullmatch(r"never|[0-9a-f]{40}", record["commit"])
    assert PASSED.name in PAGE.read_text()
