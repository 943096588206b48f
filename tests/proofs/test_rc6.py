"""RC6's specification multiplies x(2x + 1) out; here it is multiplied."""

from __future__ import annotations

import random
from itertools import combinations, product

from lutra.prove import atoms
from lutra.prove.bits import Bits
from lutra.prove.specifications.rc6 import f

SEED = 6
HALVES = range(0, 32, 4)


def numbers() -> list[int]:
    """Random words, and those with two halves of bytes that are not zero, for carries between each two products."""
    draw = random.Random(SEED)
    pairs = [x << i | y << j for i, j in combinations(HALVES, 2) for x, y in product((1, 8, 15), repeat=2)]
    return [0, 2**32 - 1, *pairs, *(draw.getrandbits(32) for _ in range(500))]


def test_words_are_multiplied_out_as_the_standard_multiplies_them() -> None:
    with atoms.fresh():
        wrong = [x for x in numbers() if f(Bits.number(x, 32)) != Bits.number(x * (2 * x + 1) % 2**32, 32)]
    assert wrong == []
