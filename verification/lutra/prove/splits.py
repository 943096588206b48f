"""Symbols whose values are cases."""

from __future__ import annotations

from lutra.prove.affine import Ranges

# Symbols of so few values are taken one by one, unless they count groups of passes.
MOST_VALUES = 16
GROUPS = ":"


def few(name: str, ranges: Ranges) -> bool:
    """Whether the values of a symbol are cases, each of its own."""
    low, high = ranges[name]
    return high - low < MOST_VALUES and GROUPS not in name


class Split(Exception):  # noqa: N818 (a question, not an error)
    """The next word depends on a symbol: whether it is zero, its remainder of a division, or the quotient of the symbol
    and a number, or both of them. groups: of passes. last: whether it has its greatest value."""

    def __init__(
        self,
        name: str,
        divisor: int = 0,
        quotient_with: int | None = None,
        *,
        groups: bool = False,
        last: bool = False,
        remainder: bool = False,
    ) -> None:
        super().__init__(f"depends on {name}")
        self.name, self.divisor, self.quotient_with, self.last = name, divisor, quotient_with, last
        self.remainder = remainder
        self.sign = GROUPS if groups else "/"
