"""Twofish (Schneier, Kelsey, Whiting, Wagner, Hall, Ferguson, 1998). Words are in little-endian order of bytes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from lutra.prove.bits import Bits, Table, join, total
from lutra.prove.specifications.fields import multiply
from lutra.prove.specifications.modes import BlockCipher

BLOCK = 128

# 4.3.5: t0 to t3 of q0 and of q1.
_T = (
    ("817d6f320b59eca4", "ecb81235f4a6709d", "ba5e6d90c8f32471", "d7f4126e9b3085ca"),
    ("28bdf76e31940ac5", "1e2b4c376da5f908", "4c75169a0ed82b3f", "b951c3de647f208a"),
)
# 4.2 and 4.3: the matrices, and the polynomials of their fields.
_MDS = ((0x01, 0xEF, 0x5B, 0x5B), (0x5B, 0xEF, 0xEF, 0x01), (0xEF, 0x5B, 0x01, 0xEF), (0xEF, 0x01, 0xEF, 0x5B))
_RS = (
    (0x01, 0xA4, 0x55, 0x87, 0x5A, 0x58, 0xDB, 0x9E),
    (0xA4, 0x56, 0x82, 0xF3, 0x1E, 0xC6, 0x68, 0xE5),
    (0x02, 0xA1, 0xFC, 0xC1, 0x47, 0xAE, 0x3D, 0x19),
    (0xA4, 0x55, 0x87, 0x5A, 0x58, 0xDB, 0x9E, 0x03),
)
_OF_MDS, _OF_RS = 0x169, 0x14D
# 4.3.2: q0 or q1 of each byte, from the last layer to the first.
_LAYERS = ((1, 0, 1, 0), (0, 0, 1, 1), (0, 1, 0, 1), (1, 1, 0, 0), (1, 0, 0, 1))


def _q(tables: Sequence[str], x: int) -> int:
    """4.3.5."""
    a, b = x >> 4, x & 15
    for first, second in (tables[:2], tables[2:]):
        a, b = a ^ b, (a ^ (b >> 1 | b << 3) ^ a << 3) & 15
        a, b = int(first[a], 16), int(second[b], 16)
    return b << 4 | a


Q = [Table([_q(tables, x) for x in range(256)]) for tables in _T]


@cache
def _products(factor: int, polynomial: int) -> Table:
    return Table([multiply(factor, x, polynomial) for x in range(256)])


def _times(factor: int, x: Bits, polynomial: int) -> Bits:
    """A product of bytes: a table that is linear."""
    return _products(factor, polynomial)[x]


def _remainder(eight: Bits) -> Bits:
    """A word of S: the product of eight bytes of the key by RS."""
    return join(total(_times(n, x, _OF_RS) for n, x in zip(row, eight.bytes, strict=True)) for row in _RS)


def _s(layers: int, place: int, x: Bits, words: Sequence[Bits]) -> Bits:
    """A byte through the layers of h (4.3.2), with the bytes of the words at its place."""
    for i in range(layers, 0, -1):
        x = Q[_LAYERS[i][place]][x] ^ words[i - 1].bytes[place]
    return Q[_LAYERS[0][place]][x]


def _column(place: int, y: Bits) -> Bits:
    """Return what a byte at a place adds to the product by MDS, as a word: the most significant byte first."""
    return join(_times(row[place], y, _OF_MDS) for row in reversed(_MDS))


def h(x: int, words: Sequence[Bits]) -> Bits:
    """4.3.2, of a word of four equal bytes."""
    byte = Bits.number(x, 8)
    return total(_column(place, _s(len(words), place, byte, words)) for place in range(4))


class Cipher(BlockCipher):
    """The cipher under a key."""

    def __init__(self, key: Bits) -> None:
        words = key.parts(32)
        parts = [_remainder(eight) for eight in reversed(key.parts(64))]
        # g is h with S (4.3.2), as a sum of four tables that depend on the key.
        self.tables = [
            Table([_column(place, _s(len(parts), place, Bits.number(x, 8), parts)) for x in range(256)])
            for place in range(4)
        ]
        self.keys: list[Bits] = []
        for i in range(20):  # 4.3.3
            a, b = h(2 * i, words[::2]), h(2 * i + 1, words[1::2]).rotated(8)
            self.keys += [a + b, (a + b + b).rotated(9)]

    def g(self, x: Bits) -> Bits:
        """4.2."""
        return total(table[byte] for table, byte in zip(self.tables, reversed(x.bytes), strict=True))

    def _f(self, a: Bits, b: Bits, i: int) -> tuple[Bits, Bits]:
        """4.1."""
        s, t = self.g(a), self.g(b.rotated(8))
        return s + t + self.keys[2 * i + 8], s + t + t + self.keys[2 * i + 9]

    def encrypt(self, block: Bits) -> Bits:
        """4."""
        a, b, c, d = (_swapped(x) ^ k for x, k in zip(block.parts(32), self.keys[:4], strict=True))
        for i in range(16):
            e, f = self._f(a, b, i)
            a, b, c, d = (c ^ e).rotated(-1), d.rotated(1) ^ f, a, b
        return join(_swapped(x ^ k) for x, k in zip((c, d, a, b), self.keys[4:8], strict=True))

    def decrypt(self, block: Bits) -> Bits:
        """The same backwards."""
        c, d, a, b = (_swapped(x) ^ k for x, k in zip(block.parts(32), self.keys[4:8], strict=True))
        for i in reversed(range(16)):
            e, f = self._f(c, d, i)
            a, b, c, d = c, d, a.rotated(1) ^ e, (b ^ f).rotated(-1)
        return join(_swapped(x ^ k) for x, k in zip((a, b, c, d), self.keys[:4], strict=True))


def _swapped(word: Bits) -> Bits:
    """The bytes of a word in reverse."""
    return join(word.bytes[::-1])
