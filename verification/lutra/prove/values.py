"""Atoms as they are stored, and their values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Bit = frozenset[int]
Word = tuple[Bit, ...]  # the most significant bit first
NONE: Bit = frozenset()
ONE: Bit = frozenset((0,))
CONSTANTS = NONE, ONE
KNOWN = frozenset(CONSTANTS)


def complement(word: Word) -> Word:
    """All bits of a word turned."""
    return tuple(map(ONE.__xor__, word))


def constant_word(value: int, width: int) -> Word:
    """A number as a word."""
    return tuple(CONSTANTS[value >> place & 1] for place in range(width - 1, -1, -1))


def number(word: Word) -> int:
    """The number that a constant word is."""
    value = 0
    for bit in word:
        value = value << 1 | len(bit)
    return value


@dataclass(eq=False, slots=True)
class Atom:
    """An atom, or all bits of a word that are atoms: its kind, what it depends on, and its value if that is known.
    Nothing changes it; a frozen class would take twice as long to make.

    value: of an unknown, None. first: the number of the word's first bit. width: of the word.
    """

    kind: str
    name: Any
    value: Callable[[Values], int] | None = None
    first: int = 0
    width: int = 1


class Values:
    """Concrete values of the first atoms."""

    def __init__(self) -> None:
        self.known = [1]

    def of(self, bit: Bit) -> int:
        """The value of a bit whose atoms are known."""
        return sum(map(self.known.__getitem__, bit)) & 1

    def number(self, word: Word) -> int:
        """The value of a word, its first bit the most significant."""
        value = 0
        for bit in word:
            value = value << 1 | self.of(bit)
        return value


@dataclass(frozen=True)
class Mark:
    """How many atoms, numbered words and other results there are, how many atoms the path has taken, how many of these
    may be anything, how many are held in words, and how many are not of tables."""

    atoms: int
    numbered: int
    made: tuple[int, ...]
    taken: int
    anything: int
    held: int
    others: int


def all_ones(factors: frozenset[int], values: Values) -> int:
    """The product of atoms."""
    return int(all(values.known[i] for i in factors))


def wide(bit: Bit, width: int) -> Word:
    """A word that is one or zero."""
    return (*(NONE,) * (width - 1), bit)


def weight(value: Any) -> int:
    """The number of atoms in a value."""
    if isinstance(value, frozenset):
        return len(value)
    if isinstance(value, dict):
        return sum(map(weight, value.values()))
    if isinstance(value, tuple):
        # Without [0], which is a word of one bit in a word of bits.
        of = len if isinstance(next(iter(value), None), frozenset) else weight
        return len(value) + sum(map(of, value))
    return 0
