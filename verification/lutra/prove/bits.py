"""Words of known and unknown bits, with the operators that standards use."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import reduce, wraps
from itertools import chain
from operator import xor
from typing import ParamSpec, SupportsIndex, TypeVar

from lutra.prove.atoms import KNOWN, NONE, ONE, Bit, constant_word, current, number

P = ParamSpec("P")
R = TypeVar("R")
Data = bytes  # the class has a property of this name


class Bits(tuple[Bit, ...]):
    """A word, the most significant bit first; bytes follow each other as in memory.

    `^ & | ~` work on all bits, `+` and `-` are modulo 2^width, `<<` and `>>` shift. A number stands for a word of the
    other operand's width. A slice is a word, an index a bit. Equal words are equal for all values of the unknowns.
    """

    __slots__ = ()

    @staticmethod
    def of(data: Data) -> Bits:
        """Bytes."""
        return Bits(bit for byte in data for bit in BYTES[byte])

    @staticmethod
    def number(value: int, width: int) -> Bits:
        """A number, modulo 2^width."""
        return Bits(constant_word(value, width))

    @staticmethod
    def unknown(name: Hashable, width: int) -> Bits:
        """A word of unknown bits."""
        return Bits(current().unknown_word(name, width))

    @property
    def known(self) -> bool:
        """Whether no bit is unknown."""
        return KNOWN.issuperset(self)

    @property
    def value(self) -> int:
        """The number that a known word is. ValueError if it is unknown."""
        if not self.known:
            raise ValueError("the value depends on an unknown")
        return number(self)

    def to_bytes(self) -> Data:
        """The bytes of a known word."""
        return self.value.to_bytes(len(self) // 8, "big")

    def parts(self, width: int) -> list[Bits]:
        """Words of a width, in order."""
        return [Bits(tuple.__getitem__(self, slice(at, at + width))) for at in range(0, len(self), width)]

    @property
    def bytes(self) -> list[Bits]:
        """Its bytes, in order."""
        return self.parts(8)

    def __getitem__(self, at: SupportsIndex | slice) -> Bits:  # type: ignore[override]
        """The bits of a slice, or one bit as a word."""
        if isinstance(at, slice):
            return Bits(tuple.__getitem__(self, at))
        return Bits((tuple.__getitem__(self, at),))

    def _other(self, other: tuple[Bit, ...] | int) -> tuple[Bit, ...]:
        return constant_word(other, len(self)) if isinstance(other, int) else other

    def __xor__(self, other: tuple[Bit, ...] | int) -> Bits:
        if other is ZERO or (isinstance(other, int) and other == 0):
            return self
        return Bits(map(xor, self, self._other(other)))

    __rxor__ = __xor__

    def __and__(self, other: tuple[Bit, ...] | int) -> Bits:
        return Bits(map(current().product, self, self._other(other)))

    __rand__ = __and__

    def __or__(self, other: tuple[Bit, ...] | int) -> Bits:
        return self ^ other ^ (self & other)

    def __invert__(self) -> Bits:
        return Bits(bit ^ ONE for bit in self)

    def __add__(self, other: tuple[Bit, ...] | int) -> Bits:  # type: ignore[override]
        if isinstance(other, int):
            return Bits(current().add([(self, 1)], other))
        return Bits(current().add([(self, 1), (other, 1)]))

    def __sub__(self, other: tuple[Bit, ...] | int) -> Bits:
        if isinstance(other, int):
            return Bits(current().add([(self, 1)], -other))
        return Bits(current().add([(self, 1), (other, -1)]))

    def __lshift__(self, n: int) -> Bits:
        return Bits((*tuple.__getitem__(self, slice(n, None)), *(NONE,) * min(n, len(self))))

    def __rshift__(self, n: int) -> Bits:
        return Bits(((NONE,) * min(n, len(self)) + tuple(self))[: len(self)])

    def rotated(self, n: int) -> Bits:
        """Rotate to the left."""
        n %= len(self)
        return Bits((*tuple.__getitem__(self, slice(n, None)), *tuple.__getitem__(self, slice(n))))

    def reversed(self) -> Bits:
        """The bits in reverse."""
        return Bits(tuple.__getitem__(self, slice(None, None, -1)))


def once(function: Callable[P, R]) -> Callable[P, R]:
    """A function of words that depends on nothing else, as one that is executed once for equal words."""

    @wraps(function)
    def remembered(*args: P.args, **kwargs: P.kwargs) -> R:
        key = function, args, *kwargs.items()
        made: R = current().results.once(key, lambda: function(*args, **kwargs))
        return made

    return remembered


BYTES = [Bits(constant_word(byte, 8)) for byte in range(256)]
ZERO = Bits((NONE,) * 128)
FEW = 8  # words that are added one by one


def join(words: Iterable[Bits]) -> Bits:
    """One word after the other."""
    return Bits(chain.from_iterable(words))


def named(word: Bits, plus: Bits | None = None) -> Bits:
    """A word whose bits have names: firmware has it in a register, too. plus: a word of the key that is added to it
    before, as in a register that has two rounds at once."""
    out = Bits(current().names.named(word))
    if plus is not None:
        current().names.plus(word, plus)
    return out


def total(words: Iterable[Bits]) -> Bits:
    """The XOR of words."""
    words = tuple(words)
    return reduce(xor, words) if len(words) < FEW else Bits(map(_added, *words))


def _added(*bits: Bit) -> Bit:
    """The XOR of bits, without one set for each."""
    out = set[int]()
    for bit in bits:
        out ^= bit
    return frozenset(out)


def times(bit: Bits, word: Bits) -> Bits:
    """A word where a bit is one, else zero."""
    (factor,) = bit
    if factor <= ONE:
        return word if factor else Bits.number(0, len(word))
    if word.known:
        return Bits(factor if one else NONE for one in word)
    return Bits(current().product(factor, other) for other in word)


multiple = once(times)  # where paths have many of the same


class Table:
    """A table of words, known or unknown, that an index looks up in; equal contents are equal tables.

    width: of the entries, where these are numbers. There are as many as an index has values.
    """

    def __init__(self, entries: Sequence[int] | Sequence[Bits], width: int = 8) -> None:
        self.entries = tuple(Bits.number(e, width) if isinstance(e, int) else e for e in entries)
        self.width = len(self.entries[0])
        self.truths: list[int] | None = None
        if all(entry.known for entry in self.entries):
            contents = [entry.value for entry in self.entries]
            places = range(self.width - 1, -1, -1)
            self.truths = [sum((entry >> bit & 1) << at for at, entry in enumerate(contents)) for bit in places]
        else:
            # Byte by byte, as the banks have them.
            self._parts = [current().table(part) for part in zip(*(e.bytes for e in self.entries), strict=True)]

    def __getitem__(self, index: Bits) -> Bits:
        if index.known:
            return self.entries[index.value]
        if self.truths is not None:
            return Bits(current().lookup(self.truths, index))
        return Bits(bit for part in self._parts for bit in current().chosen(part, index))


def apply(kind: str, width: int, function: Callable[..., int], *words: Bits) -> Bits:
    """A function that is known by its arguments only; equal arguments have equal values."""
    return Bits(current().function(kind, kind, width, function, *words))


def is_zero(word: Bits) -> Bits:
    """Whether all bits are zero."""
    if ONE in word:
        return Bits((NONE,))
    return apply("zero", 1, lambda value: not value, word)
