"""Words whose bits are sums of unknown bits, and systems of equations of them, over GF(2).

A bit is an integer: bit 0 of it is the constant, bit i the unknown number i.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache

Word = tuple[int, ...]
System = Mapping[int, int]  # by the highest unknown of each equation
WIDTH = 32


def constant(w: int) -> Word:
    """A known word."""
    return tuple(w >> i & 1 for i in range(WIDTH))


def added(*words: Word) -> Word:
    """The XOR of words."""
    out = [0] * WIDTH
    for word in words:
        for i, bit in enumerate(word):
            out[i] ^= bit
    return tuple(out)


@cache
def _columns(linear: Callable[[int], int]) -> tuple[int, ...]:
    return tuple(linear(1 << i) for i in range(WIDTH))


def mapped(linear: Callable[[int], int], word: Word) -> Word:
    """A linear function of a word."""
    out = [0] * WIDTH
    for bit, column in zip(word, _columns(linear), strict=True):
        for i in range(WIDTH):
            if column >> i & 1:
                out[i] ^= bit
    return tuple(out)


def with_zero(system: System, word: Word) -> System | None:
    """The system in which all bits of a word are zero too; None where that cannot be."""
    found = dict(system)
    for bit in word:
        left = _reduced(found, bit)
        if left == 1:
            return None
        if left:
            found[left.bit_length()] = left
    return found


def _reduced(system: System, bit: int) -> int:
    while (row := system.get(bit.bit_length())) is not None:
        bit ^= row
    return bit


def solutions(system: System, unknowns: int) -> Iterator[int]:
    """All values of unknowns 1 to `unknowns`, as bits of a number with the constant."""
    found = [1]
    for n in range(1, unknowns + 1):
        row = system.get(n + 1)
        if row is None:
            found += [values | 1 << n for values in found]
        else:
            found = [values | ((row & values).bit_count() & 1) << n for values in found]
    yield from found


def at(word: Word, values: int) -> int:
    """A word's value."""
    return sum(((bit & values).bit_count() & 1) << i for i, bit in enumerate(word))
