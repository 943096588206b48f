"""Camellia (RFC 3713)."""

from __future__ import annotations

from collections.abc import Sequence

from lutra.prove.bits import Bits, join, named, once, total
from lutra.prove.specifications.fields import inverse, multiply, power, rotated, table
from lutra.prove.specifications.modes import BlockCipher

BLOCK = 128
# Longest sums that are multiplied out. FL multiplies long sums by key bits, and firmware forms the same products.
MOST_TERMS = 4
# Units that name words: firmware does groups of four blocks and begins the next ones. One after the other, only two.
AHEAD, ONE_BY_ONE = 12, 2

# SBOX1 (2.4.1) as the cipher's specification defines it (section 4.4): linear maps around an inversion in GF(2^8),
# written in a basis over GF(2^4). Bits are numbered from 1, the most significant.
_POLYNOMIAL = 0x169
_F = ((6, 2), (7, 1), (8, 5, 3), (8, 3), (7, 4), (5, 2), (8, 1), (6, 4))
_H = ((5, 6, 2), (6, 2), (7, 4), (8, 2), (7, 3), (8, 1), (5, 1), (6, 3))
_ALPHA = [power(power(2, 238, _POLYNOMIAL), n, _POLYNOMIAL) for n in (3, 2, 1, 0)]
_BASIS = [multiply(a, b, _POLYNOMIAL) for b in (2, 1) for a in _ALPHA]


def _sums(x: int, rows: Sequence[Sequence[int]]) -> int:
    return sum((sum(x >> 8 - j & 1 for j in row) & 1) << 7 - i for i, row in enumerate(rows))


def _element(x: int) -> int:
    out = 0
    for i, unit in enumerate(_BASIS):
        out ^= unit if x >> 7 - i & 1 else 0
    return out


_WRITTEN = {_element(x): x for x in range(256)}


def _s1(x: int) -> int:
    return _sums(_WRITTEN[inverse(_element(_sums(x ^ 0xC5, _F)), _POLYNOMIAL)], _H) ^ 0x6E


SBOX = [
    table(_s1),
    table(lambda x: rotated(_s1(x), 1)),
    table(lambda x: rotated(_s1(x), 7)),
    table(lambda x: _s1(rotated(x, 1))),
]
# 2.4.1: the box of each byte, and the bytes, from 1, whose XOR is y_i.
_BOXES = (0, 1, 2, 3, 1, 2, 3, 0)
_P = [
    *((1, 3, 4, 6, 7, 8), (1, 2, 4, 5, 7, 8), (1, 2, 3, 5, 6, 8), (2, 3, 4, 5, 6, 7)),
    *((1, 2, 6, 7, 8), (2, 3, 5, 7, 8), (3, 4, 5, 6, 8), (1, 4, 5, 6, 7)),
]
# 2.2: the constants.
_SIGMA = [
    *(0xA09E667F3BCC908B, 0xB67AE8584CAA73B2, 0xC6EF372FE94F82BE),
    *(0x54FF53A5F1D36F1C, 0x10E527FADE682D1D, 0xB05688C2B3E6C1FD),
]


@once
def f(x: Bits, key: Bits) -> Bits:
    """2.4.1."""
    t = [SBOX[box][byte] for box, byte in zip(_BOXES, (x ^ key).bytes, strict=True)]
    return join(total(t[j - 1] for j in row) for row in _P)


@once
def fl(x: Bits, key: Bits) -> Bits:
    """2.4.2."""
    (x1, x2), (k1, k2) = x.parts(32), key.parts(32)
    x2 = x2 ^ (x1 & k1).rotated(1)
    return join((x1 ^ (x2 | k2), x2))


@once
def fl_inverse(y: Bits, key: Bits) -> Bits:
    """2.4.3."""
    (y1, y2), (k1, k2) = y.parts(32), key.parts(32)
    y1 = y1 ^ (y2 | k2)
    return join((y1, y2 ^ (y1 & k1).rotated(1)))


def _ka_kb(kl: Bits, kr: Bits) -> tuple[Bits, Bits]:
    """2.2."""
    sigma = [Bits.number(s, 64) for s in _SIGMA]
    d1, d2 = (kl ^ kr).parts(64)
    d2 = named(d2 ^ f(d1, sigma[0]))
    d1 = named(d1 ^ f(d2, sigma[1]))
    d1, d2 = (join((d1, d2)) ^ kl).parts(64)
    d2 = named(d2 ^ f(d1, sigma[2]))
    d1 = named(d1 ^ f(d2, sigma[3]))
    ka = join((d1, d2))
    d1, d2 = (ka ^ kr).parts(64)
    d2 = named(d2 ^ f(d1, sigma[4]))
    d1 = named(d1 ^ f(d2, sigma[5]))
    return ka, join((d1, d2))


# 2.2: halves of the keys rotated to the left: kw1, kw2, then those of the rounds with ke in between, then kw3, kw4.
_SHORT = (*("L0 A0 L15 A15", "A30", "L45 A45:h L60:l A60", "L77", "L94 A94 L111", "A111"),)
_LONG = (*("L0 B0 R15 A15", "R30", "B30 L45 A45", "L60", "R60 B60 L77", "A77", "R94 A94 L111", "B111"),)


class Cipher(BlockCipher):
    """The cipher under a key."""

    def __init__(self, key: Bits) -> None:
        kl = key[:128]
        kr = {0: Bits.number(0, 128), 64: join((key[128:], ~key[128:])), 128: key[128:]}[len(key) - 128]
        ka, kb = _ka_kb(kl, kr)
        keys = {"L": kl, "R": kr, "A": ka, "B": kb}

        def halves(words: str) -> list[Bits]:
            out: list[Bits] = []
            for word in words.split():
                name, _, half = word.partition(":")
                both = keys[name[0]].rotated(int(name[1:])).parts(64)
                out += both if not half else [both[half == "l"]]
            return out

        parts = [halves(words) for words in (_SHORT if len(key) == 128 else _LONG)]
        self.kw = [*parts[0][:2], *parts[-1]]
        self.rounds = [parts[0][2:], *parts[2:-1:2]]
        self.ke = [half for part in parts[1:-1:2] for half in part]

    def encrypt(self, block: Bits) -> Bits:
        """2.3.1, 2.3.2."""
        return self._blocks(block, self.kw, self.rounds, self.ke)

    def decrypt(self, block: Bits) -> Bits:
        """2.3.3: the keys in reverse, kw1 and kw2 for kw3 and kw4."""
        kw1, kw2, kw3, kw4 = self.kw
        return self._blocks(block, [kw3, kw4, kw1, kw2], [k[::-1] for k in self.rounds[::-1]], self.ke[::-1])

    @staticmethod
    def _blocks(block: Bits, kw: list[Bits], rounds: list[list[Bits]], ke: list[Bits]) -> Bits:
        d1, d2 = (block ^ join(kw[:2])).parts(64)
        for n, keys in enumerate(rounds):
            if n:
                d1, d2 = fl(d1, ke[2 * n - 2]), fl_inverse(d2, ke[2 * n - 1])
            for i, (first, second) in enumerate(zip(keys[::2], keys[1::2], strict=True), 1):
                d2 = d2 ^ f(d1, first)
                last = n + 1 == len(rounds) and 2 * i == len(keys)
                if not last:
                    d2 = named(d2, second)
                d1 = d1 ^ f(d2, second)
                if not last:
                    d1 = named(d1)
        return join((d2, d1)) ^ join(kw[2:])
