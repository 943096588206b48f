"""SEED (RFC 4269)."""

from __future__ import annotations

from lutra.prove.bits import Bits, join, total
from lutra.prove.specifications.fields import matrix, power, table
from lutra.prove.specifications.modes import BlockCipher

BLOCK = 128

# The S-boxes: an affine map of a power modulo x^8 + x^6 + x^5 + x + 1; rows of the matrices, of bit 0 first.
_POLYNOMIAL = 0x163
_A1 = (0x14, 0x88, 0x21, 0x45, 0x42, 0x85, 0xFE, 0x8A)
_A2 = (0x14, 0x42, 0x88, 0x8A, 0x21, 0xFE, 0x85, 0x45)
S1 = table(lambda x: matrix(power(x, 247, _POLYNOMIAL), _A1) ^ 169)
S2 = table(lambda x: matrix(power(x, 251, _POLYNOMIAL), _A2) ^ 56)
_MASKS = (0xFC, 0xF3, 0xCF, 0x3F)
_KC = 0x9E3779B9


def g(x: Bits) -> Bits:
    """2.2: the S-box of each byte, of which each byte of the result has six bits."""
    y = [box[byte] for box, byte in zip((S1, S2, S1, S2), x.bytes[::-1], strict=True)]
    return join(total(y[j] & _MASKS[(i + j) % 4] for j in range(4)) for i in (3, 2, 1, 0))


def f(r: Bits, key: tuple[Bits, Bits]) -> Bits:
    """2.1."""
    r0, r1 = r.parts(32)
    t0 = r0 ^ key[0]
    t1 = g(t0 ^ r1 ^ key[1])
    t0 = g(t0 + t1)
    t1 = g(t1 + t0)
    return join((t0 + t1, t1))


def expand(key: Bits) -> list[tuple[Bits, Bits]]:
    """2.3."""
    ab, cd = key.parts(64)
    keys = []
    for i in range(16):
        (a, b), (c, d) = ab.parts(32), cd.parts(32)
        kc = (_KC << i | _KC >> 32 - i) & 0xFFFFFFFF
        keys.append((g(a + c - kc), g(b - d + kc)))
        ab, cd = (ab, cd.rotated(8)) if i % 2 else (ab.rotated(-8), cd)
    return keys


class Cipher(BlockCipher):
    """The cipher under a key."""

    def __init__(self, key: Bits) -> None:
        self.keys = expand(key)

    def encrypt(self, block: Bits) -> Bits:
        """2."""
        return self._rounds(block, self.keys)

    def decrypt(self, block: Bits) -> Bits:
        """The round keys in reverse."""
        return self._rounds(block, self.keys[::-1])

    @staticmethod
    def _rounds(block: Bits, keys: list[tuple[Bits, Bits]]) -> Bits:
        left, right = block.parts(64)
        for key in keys:
            left, right = right, left ^ f(right, key)
        return join((right, left))
