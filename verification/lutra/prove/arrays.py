"""Bytes that a loop has written into a memory, each pass further on: known for any pass, by its number.

Each is a sum of a byte of the input and one of the specification's output, at addresses that move with the number. The
outputs are in a memory of their own, whose bytes are unknown: what is proved of them holds for whatever they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from lutra.prove.affine import Affine, Ranges

NUMBER = "#"  # of a pass
Parts = tuple[tuple[int, Affine], ...]  # bytes that are added up: memory and address, which depends on the number


@dataclass(frozen=True)
class Array:
    """Bytes of a memory after a loop.

    base: the address at which offsets begin in the first pass. by: how far it is from pass to pass. count: passes.
    cells: by offset.
    """

    base: Affine
    by: int
    count: Affine
    cells: Mapping[int, Parts]

    def with_(self, name: str, value: Affine) -> Array:
        """The array where a symbol has a value."""
        cells = {
            at: tuple((block, where.with_(name, value)) for block, where in parts) for at, parts in self.cells.items()
        }
        return replace(self, base=self.base.with_(name, value), count=self.count.with_(name, value), cells=cells)

    def meets(self, at: Affine, size: int, ranges: Ranges) -> bool:
        """Whether bytes from an address on may be some of these."""
        first, last = self.base, self.base + (self.count - 1) * self.by
        low, high = (first, last) if self.by > 0 else (last, first)
        below = (at + (size - 1) - low - min(self.cells)).range(ranges)[1] < 0
        above = (at - high - max(self.cells)).range(ranges)[0] > 0
        return not (below or above)

    def parts(self, at: Affine, ranges: Ranges) -> Parts | None:
        """The bytes that the one at an address is the sum of; None where it is not known to be one of these."""
        apart = at - self.base
        if any(times % self.by for _, times in apart.terms):
            return None
        terms = tuple((name, times // self.by) for name, times in apart.terms)
        for offset, parts in self.cells.items():
            if (apart.constant - offset) % self.by:
                continue
            number = Affine((apart.constant - offset) // self.by, terms)
            inside = number.range(ranges)[0] >= 0 and (self.count - 1 - number).range(ranges)[0] >= 0
            return tuple((block, where.with_(NUMBER, number)) for block, where in parts) if inside else None
        return None


class Copy(Array):
    """Outputs of a job in a memory, those of each pass further on, which are put there when they are needed."""

    @classmethod
    def of(cls, base: Affine, by: int, count: Affine) -> Copy:
        """So many bytes of each pass, from an address on."""
        return cls(base, by, count, dict.fromkeys(range(by), ()))

    def parts(self, at: Affine, ranges: Ranges) -> None:
        """None is known by its address."""

    def has(self, first: Affine, last: Affine, size: int, ranges: Ranges) -> bool:
        """Whether it has so many bytes at an address, of which the greatest is `last`."""
        end = self.base + self.count * self.by
        return (first - self.base).range(ranges)[0] >= 0 and (end - last).range(ranges)[0] >= size


def last(offsets: Mapping[int, Parts | None], by: int) -> dict[int, Parts]:
    """The bytes of a pass that no later one writes again, as far as they are known."""
    kept: dict[int, int] = {}
    for offset in sorted(offsets, reverse=by > 0):
        kept[offset % by] = offset  # passes that are further on write lower offsets at the same place, or higher ones
    return {offset: parts for offset in kept.values() if (parts := offsets[offset]) is not None}
