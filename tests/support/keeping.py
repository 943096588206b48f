"""A specification that keeps a word, in each of the ways in which it can.

A module of its own: what a specification can reach is looked through, and a module of tests leads to all of pytest.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

from lutra.prove.bits import Bits, Table

RNG = random.Random(3)
BOXES = [Table([RNG.randrange(256) for _ in range(256)]) for _ in range(2)]


class Specification:
    """It has words of a key, which may stay."""

    shared: Any = ()

    def __init__(self) -> None:
        self.keys = [BOXES[0][Bits.unknown(0, 8)]]
        self.constants: dict[int, Bits] = {}
        self.more: list[Any] = []

    @staticmethod
    @cache
    def cached(x: Bits) -> Bits:
        return BOXES[1][x]


def attribute(of: Specification, word: Bits) -> None:
    of.keys = [word]


def element(of: Specification, word: Bits) -> None:
    of.more.append((1, word.bytes))


def key(of: Specification, word: Bits) -> None:
    of.constants[word] = Bits.number(0, 8)  # type: ignore[index]


def bit(of: Specification, word: Bits) -> None:
    of.more.append(next(iter(word)))


def closure(of: Specification, word: Bits) -> None:
    of.more.append(lambda: word)


def default(of: Specification, word: Bits) -> None:
    def function(x: Bits = word) -> Bits:
        return x

    of.more.append(function)


def memo(of: Specification, word: Bits) -> None:
    of.cached(word)


def generator(of: Specification, word: Bits) -> None:
    made = (byte for byte in [word])
    of.more.append(made)


def of_the_class(of: Specification, word: Bits) -> None:
    type(of).shared = SimpleNamespace(word=word)


WAYS = [attribute, element, key, bit, closure, default, memo, generator, of_the_class]


def step(right: Callable[[Any, Any, Bits], Any]) -> Callable[[Any, Any, Bits], Any]:
    """A step of a mode that has its output in an attribute."""

    def keeping(self: Any, state: Any, text: Bits) -> Any:
        after, out = right(self, state, text)
        self.chain = out
        return after, out

    return keeping
