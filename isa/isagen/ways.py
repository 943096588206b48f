"""How an instruction word makes an access: combinations of what it needs of the word."""

from __future__ import annotations

from collections.abc import Mapping

from isagen.records import Way


def both(one: Way, other: Way) -> Way:
    """The way that is one and the other."""
    return Way(one.label or other.label, {**one.fields, **other.fields}, (*one.slots, *other.slots))


def way(fields: Mapping[str, int] | None = None, slots: tuple[str, ...] = (), label: str = "") -> Way:
    """A way from what it needs of a word."""
    return Way(label, fields or {}, slots)
