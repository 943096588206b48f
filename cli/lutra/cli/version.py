"""Version of the package and, in a checkout, the commit."""

from __future__ import annotations

import subprocess
from importlib.metadata import version
from pathlib import Path

import lutra


def version_and_commit() -> str:
    """Return `lutra 0.1.0`, in a checkout `lutra 0.1.0 (COMMIT)`, with `-dirty` if files differ from the commit."""
    commit = _commit(Path(lutra.__file__).parents[2])
    return f"lutra {version('lutra-asip')}" + (f" ({commit})" if commit else "")


def simulator() -> str:
    """Return how the simulator executes on this machine."""
    try:
        from lutra.iss import translation
    except ImportError:
        return "not installed"
    return translation.describe()


def _commit(root: Path) -> str:
    """Return the commit of the repository whose top is this folder; empty without a repository or without git."""
    if not (root / ".git").exists():
        return ""
    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return run.stdout.strip()
