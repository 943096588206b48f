"""Choosing cases for a parametrisation, where to choose nothing is a mistake."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Case = TypeVar("Case")


def only(items: Iterable[Case], wanted: Callable[[Case], object]) -> list[Case]:
    """Return the items that are wanted. ValueError where none is, since such a test would pass for ever."""
    found = [item for item in items if wanted(item)]
    if not found:
        raise ValueError("no case is left: the filter names something that is not there (any more)")
    return found
