"""Which files an image was made from, as a rule that make and ninja read."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Make takes these for its own, with a backslash before them too.
_IMPOSSIBLE = re.compile(r"[\t\n;|=%]")
_ESCAPED = re.compile(r"(\\*)([ #:])")


def depfile(target: str, files: Sequence[str]) -> str:
    """The rule `target: files`, and one without a recipe for each file but the first: one that is deleted is no error.

    Raises ValueError for a name that cannot stand in a rule.
    """
    lines = [f"{_name(target)}:", *(f"  {_name(file)}" for file in files)]
    return " \\\n".join(lines) + "\n" + "".join(f"\n{_name(file)}:\n" for file in files[1:])


def _name(file: str) -> str:
    """A name as make reads it: backslashes before what is escaped count twice."""
    if found := _IMPOSSIBLE.search(file):
        raise ValueError(f"make cannot read a rule with the file {file!r}: it has {found[0]!r} in its name")
    return _ESCAPED.sub(r"\1\1\\\2", file).replace("$", "$$")
