"""DES (FIPS 46-3), 3DES (SP 800-67) and DESX. Bits are numbered from 1 on, the most significant one first."""

from __future__ import annotations

from collections.abc import Sequence

from lutra.prove.bits import Bits, Table, join
from lutra.prove.specifications.modes import BlockCipher

BLOCK = 64

# The initial permutation: rows whose bits are 8 apart.
IP = [first - 8 * column for first in (58, 60, 62, 64, 57, 59, 61, 63) for column in range(8)]
IP_INVERSE = [IP.index(n) + 1 for n in range(1, 65)]
# The bit-selection table: groups of six, which share their outer bits with the next ones.
E = [(4 * group + n - 1) % 32 + 1 for group in range(8) for n in range(6)]
P = [
    *(16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10),
    *(2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25),
]
PC1 = [
    *(57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36),
    *(63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4),
]
PC2 = [
    *(14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2),
    *(41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32),
]
# Rounds in which C and D are rotated by one place; in the others, by two.
_ONE_PLACE = (1, 2, 9, 16)
# The S-boxes: four rows of 16 entries, a digit each.
_ROWS = (
    "e4d12fb83a6c5907 0f74e2d1a6cb9538 41e8d62bfc973a50 fc8249175b3ea06d",
    "f18e6b34972dc05a 3d47f28ec01a69b5 0e7ba4d158c6932f d8a13f42b67c05e9",
    "a09e63f51dc7b428 d709346a285ecbf1 d6498f30b12c5ae7 1ad069874fe3b52c",
    "7de3069a1285bc4f d8b56f03472c1ae9 a690cb7df13e5284 3f06a1d8945bc72e",
    "2c417ab6853fd0e9 eb2c47d150fa3986 421bad78f9c5630e b8c71e2d6f09a453",
    "c1af92680d34e75b af427c9561de0b38 9ef528c3704a1db6 432c95fabe17608d",
    "4b2ef08d3c975a61 d0b7491ae35c2f86 14bdc37eaf680592 6bd814a7950fe23c",
    "d2846fb1a93e50c7 1fd8a374c56b0e92 7b419ce206adf358 21e74a8dfc90356b",
)


def _entry(rows: list[str], x: int) -> int:
    """Return an entry by six bits: the outer ones are the row, the inner ones the column."""
    return int(rows[x >> 4 & 2 | x & 1][x >> 1 & 15], 16)


S = [Table([_entry(rows.split(), x) for x in range(64)], 4) for rows in _ROWS]


def permuted(x: Bits, places: Sequence[int]) -> Bits:
    """The bits at these places."""
    return join(x[place - 1] for place in places)


def expand(key: Bits) -> list[Bits]:
    """The key schedule: K1 to K16."""
    c, d = permuted(key, PC1).parts(28)
    keys = []
    for n in range(1, 17):
        turn = 1 if n in _ONE_PLACE else 2
        c, d = c.rotated(turn), d.rotated(turn)
        keys.append(permuted(join((c, d)), PC2))
    return keys


def f(r: Bits, key: Bits) -> Bits:
    """The cipher function."""
    groups = (permuted(r, E) ^ key).parts(6)
    return permuted(join(box[six] for box, six in zip(S, groups, strict=True)), P)


def enciphered(block: Bits, keys: Sequence[Bits]) -> Bits:
    """The enciphering computation; with the keys in reverse, the deciphering one."""
    left, right = permuted(block, IP).parts(32)
    for key in keys:
        left, right = right, left ^ f(right, key)
    return permuted(join((right, left)), IP_INVERSE)


class Cipher(BlockCipher):
    """DES under a key of 64 bits."""

    def __init__(self, key: Bits) -> None:
        self.keys = expand(key)

    def encrypt(self, block: Bits) -> Bits:
        return enciphered(block, self.keys)

    def decrypt(self, block: Bits) -> Bits:
        return enciphered(block, self.keys[::-1])


class Triple(BlockCipher):
    """SP 800-67 3: three keys, or two, of which the first is the third as well."""

    def __init__(self, key: Bits) -> None:
        self.stages = [Cipher(part) for part in key.parts(64)]
        self.stages += self.stages[:1] if len(self.stages) == 2 else []

    def encrypt(self, block: Bits) -> Bits:
        first, second, third = self.stages
        return third.encrypt(second.decrypt(first.encrypt(block)))

    def decrypt(self, block: Bits) -> Bits:
        first, second, third = self.stages
        return first.decrypt(second.encrypt(third.decrypt(block)))


class Desx(BlockCipher):
    """DES between the additions of two further keys."""

    def __init__(self, key: Bits) -> None:
        first, self.before, self.after = key.parts(64)
        self.des = Cipher(first)

    def encrypt(self, block: Bits) -> Bits:
        return self.des.encrypt(block ^ self.before) ^ self.after

    def decrypt(self, block: Bits) -> Bits:
        return self.des.decrypt(block ^ self.after) ^ self.before
