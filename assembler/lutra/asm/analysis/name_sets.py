"""Sets of names as numbers with a bit for each name: union and difference of large sets are then one operation."""

from __future__ import annotations

from collections.abc import Iterable


class NameSets:
    """Numbers names in the order in which they are met."""

    def __init__(self) -> None:
        self._bit: dict[str, int] = {}

    def bits(self, names: Iterable[str]) -> int:
        """Return a set of names as a number."""
        found = 0
        known = self._bit
        for name in names:
            bit = known.get(name)
            if bit is None:
                bit = known[name] = 1 << len(known)
            found |= bit
        return found

    def names(self, bits: int) -> frozenset[str]:
        """Return the names of a set."""
        return frozenset(name for name, bit in self._bit.items() if bits & bit)
