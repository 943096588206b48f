"""SM4 (GB/T 32907-2016)."""

from __future__ import annotations

from lutra.prove.bits import Bits, join, total
from lutra.prove.specifications.fields import inverse, matrix, rotated, table
from lutra.prove.specifications.modes import BlockCipher

BLOCK = 128

# 6.2 a): the table is an affine map of the inverse of the same affine map, modulo x^8+x^7+x^6+x^5+x^4+x^2+1.
_ROWS = [rotated(0xA7, i) for i in range(8)]


def _affine(x: int) -> int:
    return matrix(x, _ROWS) ^ 0xD3


SBOX = table(lambda x: _affine(inverse(_affine(x), 0x1F5)))
_FK = (0xA3B1BAC6, 0x56AA3350, 0x677D9197, 0xB27022DC)  # 7.3


def _nonlinear(word: Bits) -> Bits:
    return join(SBOX[byte] for byte in word.bytes)


def _mixed(word: Bits, turns: tuple[int, ...]) -> Bits:
    return total(word.rotated(n) for n in turns)


def expand(key: Bits) -> list[Bits]:
    """The round keys (7.3)."""
    k = [word ^ fk for word, fk in zip(key.parts(32), _FK, strict=True)]
    for i in range(32):
        ck = int.from_bytes(bytes(7 * (4 * i + j) % 256 for j in range(4)), "big")
        k.append(k[i] ^ _mixed(_nonlinear(k[i + 1] ^ k[i + 2] ^ k[i + 3] ^ ck), (0, 13, 23)))
    return k[4:]


class Cipher(BlockCipher):
    """The cipher under a key."""

    def __init__(self, key: Bits) -> None:
        self.keys = expand(key)

    def encrypt(self, block: Bits) -> Bits:
        """7.1."""
        return self._rounds(block, self.keys)

    def decrypt(self, block: Bits) -> Bits:
        """7.2: the round keys in reverse."""
        return self._rounds(block, self.keys[::-1])

    @staticmethod
    def _rounds(block: Bits, keys: list[Bits]) -> Bits:
        x = block.parts(32)
        for i, key in enumerate(keys):
            x.append(x[i] ^ _mixed(_nonlinear(x[i + 1] ^ x[i + 2] ^ x[i + 3] ^ key), (0, 2, 10, 18, 24)))
        return join(x[:-5:-1])
