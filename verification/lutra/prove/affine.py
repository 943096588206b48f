"""Addresses and counts: numbers that depend on lengths and on the turn of a loop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Terms = tuple[tuple[str, int], ...]
Ranges = Mapping[str, tuple[int, int]]  # the least and the greatest value of each symbol


@dataclass(unsafe_hash=True, slots=True)
class Affine:
    """A constant and multiples of symbols, each a number that is not negative. Nothing changes it; a frozen class would
    take twice as long to make."""

    constant: int
    terms: Terms = ()

    @staticmethod
    def symbol(name: str) -> Affine:
        """The number that a symbol stands for."""
        return Affine(0, ((name, 1),))

    @property
    def known(self) -> bool:
        """Whether it depends on no symbol."""
        return not self.terms

    def __add__(self, other: Affine | int) -> Affine:
        if isinstance(other, int):
            return Affine(self.constant + other, self.terms)
        if not other.terms:
            return Affine(self.constant + other.constant, self.terms)
        terms = dict(self.terms)
        for name, n in other.terms:
            terms[name] = terms.get(name, 0) + n
        return Affine(self.constant + other.constant, tuple(sorted((k, n) for k, n in terms.items() if n)))

    def __mul__(self, n: int) -> Affine:
        return Affine(self.constant * n, tuple((name, m * n) for name, m in self.terms) if n else ())

    def __sub__(self, other: Affine | int) -> Affine:
        return self + (-other if isinstance(other, int) else other * -1)

    def with_(self, name: str, value: Affine) -> Affine:
        """The number where a symbol has a value."""
        times = dict(self.terms).get(name, 0)
        return self + (value - Affine.symbol(name)) * times if times else self

    def range(self, ranges: Ranges) -> tuple[int, int]:
        """The least and the greatest value that it may have."""
        low = high = self.constant
        for name, n in self.terms:
            ends = [n * end for end in ranges[name]]
            low, high = low + min(ends), high + max(ends)
        return low, high

    def __str__(self) -> str:
        parts = [name if n == 1 else f"{n}{name}" for name, n in self.terms]
        return " + ".join([*parts, str(self.constant)] if self.constant or not parts else parts)
