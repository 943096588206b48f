"""ARIA (RFC 5794)."""

from __future__ import annotations

from lutra.prove.bits import Bits, join, once, total
from lutra.prove.specifications import aes
from lutra.prove.specifications.fields import inverted, matrix, power, table
from lutra.prove.specifications.modes import BlockCipher

BLOCK = 128

# 2.4.2. S1 is the S-box of FIPS 197, S2 an affine map of x^247.
_ROWS = (0x7A, 0xBC, 0xEB, 0xB9, 0x34, 0x81, 0xBA, 0xCB)
S1 = aes.SBOX
S2 = table(lambda x: matrix(power(x, 247, 0x11B), _ROWS) ^ 0xE2)
X1, X2 = inverted(S1), inverted(S2)

# 2.4.3: the bytes whose XOR is y_i.
_A = [
    *((3, 4, 6, 8, 9, 13, 14), (2, 5, 7, 8, 9, 12, 15), (1, 4, 6, 10, 11, 12, 15), (0, 5, 7, 10, 11, 13, 14)),
    *((0, 2, 5, 8, 11, 14, 15), (1, 3, 4, 9, 10, 14, 15), (0, 2, 7, 9, 10, 12, 13), (1, 3, 6, 8, 11, 12, 13)),
    *((0, 1, 4, 7, 10, 13, 15), (0, 1, 5, 6, 11, 12, 14), (2, 3, 5, 6, 8, 13, 15), (2, 3, 4, 7, 9, 12, 14)),
    *((1, 2, 6, 7, 9, 11, 12), (0, 3, 6, 7, 8, 10, 13), (0, 3, 4, 5, 9, 11, 14), (1, 2, 4, 5, 8, 10, 15)),
]

# 2.2: the constants, and by key size the order in which they are used.
_C = [
    *(0x517CC1B727220A94FE13ABE8FA9A6EE0, 0x6DB14ACC9E21C820FF28B1D5EF5DE2B0),
    0xDB92371D2126E9700324977504E8C90E,
]
_FIRST = {128: 0, 192: 1, 256: 2}
_ROUNDS = {128: 12, 192: 14, 256: 16}


@once
def substitute(x: Bits, odd: bool) -> Bits:
    """SL1 of odd rounds, SL2 of even ones (2.4.2)."""
    boxes = (S1, S2, X1, X2) if odd else (X1, X2, S1, S2)
    return join(boxes[i % 4][byte] for i, byte in enumerate(x.bytes))


@once
def diffuse(x: Bits) -> Bits:
    """A (2.4.3)."""
    return join(total(x.bytes[j] for j in row) for row in _A)


def fo(x: Bits, key: Bits) -> Bits:
    """The odd round function (2.4.1)."""
    return diffuse(substitute(x ^ key, True))


def fe(x: Bits, key: Bits) -> Bits:
    """The even round function (2.4.1)."""
    return diffuse(substitute(x ^ key, False))


def expand(key: Bits) -> list[Bits]:
    """The encryption round keys ek1, ek2, .. (2.2)."""
    size = len(key)
    padded = join((key, Bits.number(0, 256 - size)))
    c = [Bits.number(_C[(_FIRST[size] + i) % 3], 128) for i in range(3)]
    w = [padded[:128]]
    w.append(fo(w[0], c[0]) ^ padded[128:])
    w.append(fe(w[1], c[1]) ^ w[0])
    w.append(fo(w[2], c[2]) ^ w[1])
    turns = (-19, -31, 61, 31, 19)
    keys = [w[i % 4] ^ w[(i + 1) % 4].rotated(turns[i // 4]) for i in range(17)]
    return keys[: _ROUNDS[size] + 1]


class Cipher(BlockCipher):
    """The cipher under a key."""

    def __init__(self, key: Bits) -> None:
        keys = expand(key)
        self.keys = keys
        # 2.3.2: in reverse order, all but the first and the last through A.
        self.inverse = [keys[-1], *(diffuse(k) for k in keys[-2:0:-1]), keys[0]]

    def encrypt(self, block: Bits) -> Bits:
        """2.3.1."""
        return self._rounds(block, self.keys)

    def decrypt(self, block: Bits) -> Bits:
        """2.3.2."""
        return self._rounds(block, self.inverse)

    @staticmethod
    def _rounds(p: Bits, keys: list[Bits]) -> Bits:
        for i, key in enumerate(keys[:-2]):
            p = fe(p, key) if i % 2 else fo(p, key)
        return substitute(p ^ keys[-2], False) ^ keys[-1]
