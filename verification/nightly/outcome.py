"""Outcomes of campaigns, each valid for one tree only."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Tree:
    """Contents of a checkout. commit: its HEAD; tree: git's name of its files. Both are empty outside of git."""

    commit: str
    tree: str


@dataclass(frozen=True)
class Outcome:
    """Outcome of a part: `passed`, `failed`, `out of time` or `tree changed`.

    With its last line, seconds, output file, and the tree that it ran on.
    """

    part: str
    result: str
    last: str
    seconds: float
    log: str
    commit: str
    tree: str


def _git(root: Path, *arguments: str, index: Path | None = None) -> str:
    environment = os.environ | ({"GIT_INDEX_FILE": str(index)} if index else {})
    done = subprocess.run(["git", *arguments], cwd=root, env=environment, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


# The commit on which every part last passed; a change of this file alone does not count as another tree.
PASSED = Path("verification/nightly/passed.json")


def tree_of(root: Path) -> Tree:
    """The tree of a checkout, including uncommitted changes and new files, but neither ignored files nor PASSED."""
    with tempfile.TemporaryDirectory() as folder:
        index = Path(folder) / "index"
        _git(root, "read-tree", "HEAD", index=index)
        _git(root, "add", "--all", index=index)
        _git(root, "rm", "--cached", "--quiet", "--ignore-unmatch", str(PASSED), index=index)
        return Tree(_git(root, "rev-parse", "--short", "HEAD"), _git(root, "write-tree", index=index))


def changed_since(root: Path, outcome: Outcome, now: Tree) -> list[str] | None:
    """Files that differ between the tree of an outcome and that of now; None if git does not know one of them."""
    if not outcome.tree or not now.tree:
        return None
    if outcome.tree == now.tree:
        return []
    return _git(root, "diff", "--name-only", outcome.tree, now.tree).splitlines() or None


def record_pass(root: Path, outcomes: Mapping[str, Outcome], parts: Collection[str]) -> bool:
    """Write PASSED if every part has passed on the current commit; return whether it has."""
    now = tree_of(root)
    whole = all(name in outcomes and outcomes[name].result == "passed" for name in parts)
    same = {outcomes[name].tree for name in parts if name in outcomes} == {now.tree}
    changes = _git(root, "status", "--porcelain", "--", ".", f":!{PASSED}")
    if not (whole and same and now.tree) or changes:
        return False
    hours = round(sum(outcomes[name].seconds for name in parts) / 3600, 1)
    date = _git(root, "show", "--no-patch", "--format=%cs", "HEAD")
    text = json.dumps({"commit": _git(root, "rev-parse", "HEAD"), "of": date, "parts": len(parts), "hours": hours})
    replace(root / PASSED, text + "\n")
    return True


def read(path: Path) -> dict[str, Outcome]:
    """The newest outcome of every part; empty if nothing has run yet."""
    if not path.exists():
        return {}
    return {row["part"]: Outcome(**row) for row in json.loads(path.read_text())}


def write(path: Path, outcomes: Mapping[str, Outcome]) -> None:
    """Write the outcomes atomically."""
    replace(path, json.dumps([asdict(o) for o in outcomes.values()], indent=1) + "\n")


def replace(path: Path, text: str) -> None:
    """Replace a file atomically by this text."""
    part = path.with_name(path.name + ".part")
    part.write_text(text)
    part.replace(path)
