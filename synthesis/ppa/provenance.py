"""Origin of figures: the commit of a checkout, and a digest of the input of synthesis."""

from __future__ import annotations

import hashlib
import re
import subprocess
from pathlib import Path

from ppa.design import Design
from ppa.tools import PpaError

# Written by a recording, which must not block the next one.
WRITTEN = (
    "synthesis/ppa/figures.json",
    "docs/ppa.md",
    "docs/published-figures.md",
    "docs/where-the-gates-go.md",
    "docs/pipelines.svg",
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_NOT_SYNTHESIZED = re.compile(r"^`ifndef SYNTHESIS\n.*?^`endif\n", re.S | re.M)


def _git(root: Path, *arguments: str) -> str | None:
    done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def changes(root: Path) -> list[str]:
    """Files of a checkout that are not as committed, other than those that a recording writes."""
    left_out = (f":(exclude){name}" for name in WRITTEN)
    found = _git(root, "status", "--porcelain", "--no-renames", "--", ".", *left_out)
    return [line[2:].strip() for line in (found or "").splitlines()]


def commit(root: Path) -> str:
    """HEAD of a checkout, `-dirty` where something else is measured; empty without git."""
    head = _git(root, "rev-parse", "--short=12", "HEAD")
    return f"{head}-dirty" if head and changes(root) else head or ""


def check_recordable(root: Path) -> None:
    """Raises PpaError where the figures would be of no commit."""
    if not commit(root):
        raise PpaError(f"--record: {root} has no commit to name; figures are recorded in a checkout of git")
    if dirty := changes(root):
        more = f" and {len(dirty) - 1} more" if len(dirty) > 1 else ""
        raise PpaError(f"--record: {dirty[0]}{more} not committed; commit or stash, then record")


def digest(design: Design) -> str:
    """Input of synthesis: parameters and sources without comments, spaces, and simulation-only text."""
    found = hashlib.sha256(repr((design.top, sorted(design.parameters.items()))).encode())
    for path in design.files:
        text = _COMMENT.sub("", _NOT_SYNTHESIZED.sub("", path.read_text()))
        found.update("".join(text.split()).encode() + b"\0")
    return found.hexdigest()[:16]
