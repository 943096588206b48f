"""Where a word comes from."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """A line, and the macro whose body it lies in, "" for plain text."""

    file: str
    line: int
    macro: str = ""
