"""A result stays with the tree that it was measured on."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from nightly.__main__ import run
from nightly.outcome import PASSED, Outcome, read, record_pass, tree_of, write
from nightly.page import page
from nightly.parts import PARTS, Part


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository of one file."""
    root = tmp_path / "checkout"
    root.mkdir()
    (root / "core.sv").write_text("module core;\n")
    (root / ".gitignore").write_text("build\n")
    (root / "build").mkdir()
    for words in ("init -q", "config user.name T", "config user.email t@t", "add .", "commit -q -m one"):
        subprocess.run(["git", *words.split()], cwd=root, check=True)
    return root


def outcome(checkout: Path, command: str = "true") -> Outcome:
    return run("formal", Part(command, 1, ""), "0:1", checkout, checkout / "build")


def shown(checkout: Path, result: Outcome) -> str:
    return page(checkout, {"formal": result}, tree_of(checkout), "0:1")


def test_a_result_of_this_tree_counts(checkout: Path) -> None:
    text = shown(checkout, outcome(checkout))
    assert text.startswith(f"# Nightly: 1 of {len(PARTS)} parts passed on this tree; not run: tests, ")
    assert tree_of(checkout).commit in text


@pytest.mark.parametrize("committed", [True, False])
def test_a_result_of_another_tree_is_marked_and_does_not_count(checkout: Path, committed: bool) -> None:
    result = outcome(checkout)
    (checkout / "core.sv").write_text("module core2;\n")
    (checkout / "new.sv").write_text("")
    if committed:
        subprocess.run(["git", "add", "."], cwd=checkout, check=True)
        subprocess.run(["git", "commit", "-q", "-m", "two"], cwd=checkout, check=True)
    text = shown(checkout, result)
    assert text.startswith(f"# Nightly: 0 of {len(PARTS)} parts passed on this tree; of another tree: formal; ")
    assert f"| {result.commit} | 2 files |" in text


def test_a_result_counts_again_when_the_tree_is_as_it_was(checkout: Path) -> None:
    result = outcome(checkout)
    (checkout / "core.sv").write_text("module core2;\n")
    (checkout / "core.sv").write_text("module core;\n")
    assert "of another tree" not in shown(checkout, result)


def test_what_is_built_does_not_change_the_tree(checkout: Path) -> None:
    assert outcome(checkout, "touch build/made").result == "passed"


def test_a_tree_that_changes_during_a_campaign_has_no_result(checkout: Path) -> None:
    assert outcome(checkout, "touch changed").result == "tree changed"


def test_the_commit_on_which_every_part_has_passed_is_recorded(checkout: Path) -> None:
    (checkout / PASSED.parent).mkdir(parents=True)
    good, other = outcome(checkout), replace(outcome(checkout), result="failed")
    for outcomes in ({"formal": good}, {"formal": good, "uvm": other}, {}):
        assert not record_pass(checkout, outcomes, ["formal", "uvm"]) and not (checkout / PASSED).exists()
    assert record_pass(checkout, {"formal": good, "uvm": good}, ["formal", "uvm"])
    found = json.loads((checkout / PASSED).read_text())
    assert found["commit"].startswith(good.commit) and found["parts"] == 2
    # Neither the record nor its commit makes the results older; a change does, and is not recorded.
    assert tree_of(checkout).tree == good.tree
    assert record_pass(checkout, {"formal": good}, ["formal"])
    (checkout / "core.sv").write_text("module core2;\n")
    assert not record_pass(checkout, {"formal": good}, ["formal"])


def test_a_failing_campaign_keeps_its_last_line(checkout: Path) -> None:
    result = outcome(checkout, "ls nowhere")
    assert result.result == "failed" and "nowhere" in result.last
    assert "| failed |" in shown(checkout, result)


def test_without_git_the_age_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    assert "| passed | unknown | unknown |" in shown(tmp_path, outcome(tmp_path))


def test_outcomes_are_read_as_they_were_written(checkout: Path) -> None:
    path = checkout / "build/summary.json"
    assert read(path) == {}
    write(path, {"formal": outcome(checkout)})
    assert read(path)["formal"].result == "passed"
