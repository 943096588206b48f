"""Write the files that an image was made from as a rule for make and ninja."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Make gives these a meaning of its own, even after a backslash.
_IMPOSSIBLE = re.compile(r"[\t\n;|=%]")
_ESCAPED = re.compile(r"(\\*)([ #:])")


def depfile(target: str, files: Sequence[str]) -> str:
    """Return the rule `target: files`, and an empty rule per file but the first, so that a deleted one is not an error.

    Raises ValueError for a name that a rule cannot contain.
    """
    lines = [f"{_name(target)}:", *(f"  {_name(file)}" for file in files)]
    return " \\\n".join(lines) + "\n" + "".join(f"\n{_name(file)}:\n" for file in files[1:])


def _name(file: str) -> str:
    """Escape a name for make: backslashes before an escaped character are doubled."""
    if found := _IMPOSSIBLE.search(file):
        raise ValueError(f"make cannot read the file name {file!r}, which contains {found[0]!r}; rename the file")
    return _ESCAPED.sub(r"\1\1\\\2", file).replace("$", "$$")
