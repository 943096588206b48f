"""Serpent (Anderson, Biham, Knudsen, Serpent: A Proposal for the Advanced Encryption Standard, 1998).

In the bitslice form of its appendix A.1: bit i of four words is the input of S-box i, the first word its lowest bit.
Firmware computes S-boxes as formulas. So they are sums of products here, of inputs that have names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lutra.prove.bits import Bits, join, named, total
from lutra.prove.specifications.modes import BlockCipher

BLOCK = 128
# Products of sums of all products of four bits are multiplied out.
MOST_TERMS = 256
# Blocks that firmware does at once.
AHEAD = 4

_PHI = 0x9E3779B9  # the golden ratio (section 4)
Words = Sequence[Bits]
Products = Sequence[Sequence[int]]  # of each bit of an output: inputs that are multiplied, a bit each


def _products(box: Sequence[int]) -> Products:
    """The products whose sum each output of a box is: a product of inputs is there if the box has an odd number of
    ones for the inputs that are among these."""

    def odd(bit: int, inputs: int) -> int:
        return sum(entry >> bit & 1 for x, entry in enumerate(box) if x & inputs == x) & 1

    return [[inputs for inputs in range(16) if odd(bit, inputs)] for bit in range(4)]


# S0 to S7 (appendix A.5).
_BOXES = [
    [int(digit, 16) for digit in row]
    for row in (
        *("38f1a65bed42709c", "fc27905a1be86d34", "86793cafd1e40b52", "0fb8c963d124a75e"),
        *("1f83c0b6254a9e7d", "f52b4a9c03e8d671", "72c5846be91fd3a0", "1df0e82b74ca9356"),
    )
]
S = [_products(box) for box in _BOXES]
S_INVERSE = [_products([box.index(x) for x in range(16)]) for box in _BOXES]


def _boxes(products: Products, x: Words) -> list[Bits]:
    """An S-box of all bits of four words, which are named here."""
    x = [named(word) for word in x]
    made = [~Bits.number(0, 32)]
    for inputs in range(1, 16):
        lowest = inputs & -inputs
        made.append(x[lowest.bit_length() - 1] & made[inputs ^ lowest])
    return [total((Bits.number(0, 32), *(made[inputs] for inputs in of))) for of in products]


def _mixed(x: Words, key: Words) -> list[Bits]:
    """The linear transformation (section 2), and the key of the next round.

    Firmware adds that early: words 0 and 2 are made of the other two with their keys, which they take back.
    """
    x0, x1, x2, x3 = x
    x0, x2 = x0.rotated(13), x2.rotated(3)
    x1, x3 = x1 ^ x0 ^ x2, x3 ^ x2 ^ (x0 << 3)
    y1, y3 = named(x1.rotated(1) ^ key[1]), named(x3.rotated(7) ^ key[3])
    x1, x3 = y1 ^ key[1], y3 ^ key[3]
    x0, x2 = x0 ^ x1 ^ x3, x2 ^ x3 ^ (x1 << 7)
    return [x0.rotated(5) ^ key[0], y1, x2.rotated(22) ^ key[2], y3]


def _unmixed(x: Words) -> list[Bits]:
    """The inverse of it."""
    x0, x1, x2, x3 = x
    x0, x2 = x0.rotated(-5), x2.rotated(-22)
    x0, x2 = x0 ^ x1 ^ x3, x2 ^ x3 ^ (x1 << 7)
    x1, x3 = x1.rotated(-1), x3.rotated(-7)
    x1, x3 = x1 ^ x0 ^ x2, x3 ^ x2 ^ (x0 << 3)
    return [x0.rotated(-13), x1, x2.rotated(-3), x3]


def _words(block: Bits) -> list[Bits]:
    """Words of which the first byte is the lowest; and bytes of words."""
    return [join(word.bytes[::-1]) for word in block.parts(32)]


def _sum(x: Words, y: Words) -> list[Bits]:
    return [a ^ b for a, b in zip(x, y, strict=True)]


def _prekeys(key: Bits) -> Iterator[Bits]:
    """w0 to w131 of a key that a one and zeros complete (section 4); the last 8 words before them are the key's."""
    w = _words(join((key, Bits.number(1, 8), Bits.number(0, 256)))[:256])
    for i in range(132):
        first = named(w[0] ^ w[3] ^ w[5])  # it may be a prekey already
        word = named((first ^ w[7] ^ (_PHI ^ i)).rotated(11))
        w = [*w[1:], word]
        yield word


class Cipher(BlockCipher):
    """The cipher under a key of up to 256 bits."""

    def __init__(self, key: Bits) -> None:
        """Section 4: the subkeys are prekeys after S3, S2, S1, S0, S7 and so on."""
        w = list(_prekeys(key))
        self.keys = [_boxes(S[(3 - i) % 8], w[4 * i : 4 * i + 4]) for i in range(33)]

    def encrypt(self, block: Bits) -> Bits:
        """Section 2: in the last round, a key in place of the transformation."""
        x = _sum(_words(block), self.keys[0])
        for i, key in enumerate(self.keys[1:]):
            x = _boxes(S[i % 8], x)
            x = _mixed(x, key) if i < 31 else _sum(x, key)
        return join(_words(join(x)))

    def decrypt(self, block: Bits) -> Bits:
        """Section 2, backwards."""
        x = _sum(_words(block), self.keys[-1])
        for i in range(31, -1, -1):
            x = _sum(_boxes(S_INVERSE[i % 8], x), self.keys[i])
            x = _unmixed(x) if i else x
        return join(_words(join(x)))
