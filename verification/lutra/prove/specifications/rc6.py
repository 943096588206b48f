"""RC6-32/20 (Rivest, Robshaw, Sidney, Yin: The RC6 block cipher, 1998). Words are in little-endian order of bytes."""

from __future__ import annotations

from lutra.prove.bits import Bits, Table, join
from lutra.prove.functions import rotated_by
from lutra.prove.specifications.modes import BlockCipher
from lutra.prove.specifications.rc2 import swapped

BLOCK = 128

_ROUNDS, _W = 20, 32
_P32, _Q32 = 0xB7E15163, 0x9E3779B9  # 2.2

SQUARES = Table([i * i for i in range(256)], 16)
PRODUCTS = Table([(i >> 4) * (i & 15) for i in range(256)])


def f(x: Bits) -> Bits:
    """2.3: x(2x + 1), multiplied out as on paper.

    With b the bytes of x and n their halves, the least significant first, modulo 2^32

        x(2x + 1) = x + 2(b0^2 + 2^16 b1^2) + 4v, v = 2^8 b0 (b1 + 2^8 b2 + 2^16 b3) + 2^24 b1 b2  (mod 2^30).

    v is a sum of products of halves. In byte 0 of a word, where b0 has none, are those of b1 b2, which move to byte 3:
    six bits of them count there.
    """
    b = x.bytes[::-1]
    n = [half for byte in b for half in (byte[4:], byte[:4])]

    def product(i: int, j: int, bits: int = 8) -> Bits:
        of = PRODUCTS[join((n[i], n[j]))]
        return join((Bits.number(0, 8 - bits), of[8 - bits :]))

    none = Bits.number(0, 8)
    by_1 = join((product(0, 6), product(0, 4), product(0, 2), product(2, 4, 6)))
    by_256 = join((product(1, 5), product(1, 3), none, none))
    # The last two of the six by 16 go to bits 4 and 5.
    by_16 = join((product(0, 7), product(0, 5), product(0, 3), product(2, 5, 6)))
    by_16 = by_16 + join((product(1, 6), product(1, 4), product(1, 2), product(3, 4, 6)))
    v = by_1 + by_256 + ((by_16 & 0xFFFFFF03) << 4)
    v = (v & 0xFFFFFF00) + (v << 24)
    squares = join((SQUARES[b[1]], SQUARES[b[0]]))
    return x + (v + v + squares) + (v + v + squares)


def expand(key: Bits) -> list[Bits]:
    """2.2: S[0] to S[43]."""
    words = [swapped(word) for word in key.parts(_W)]
    s = [Bits.number(_P32 + i * _Q32, _W) for i in range(2 * _ROUNDS + 4)]
    a = b = Bits.number(0, _W)
    for n in range(3 * max(len(words), len(s))):
        i, j = n % len(s), n % len(words)
        a = s[i] = (s[i] + a + b).rotated(3)
        b = words[j] = rotated_by(words[j] + a + b, (a + b)[-5:])
    return s


class Cipher(BlockCipher):
    """The cipher under a key of 128, 192 or 256 bits."""

    def __init__(self, key: Bits) -> None:
        self.s = expand(key)

    def encrypt(self, block: Bits) -> Bits:
        """2.3."""
        s = self.s
        a, b, c, d = (swapped(word) for word in block.parts(_W))
        b, d = b + s[0], d + s[1]
        for i in range(1, _ROUNDS + 1):
            t, u = f(b).rotated(5), f(d).rotated(5)
            a = rotated_by(a ^ t, u[-5:]) + s[2 * i]
            c = rotated_by(c ^ u, t[-5:]) + s[2 * i + 1]
            a, b, c, d = b, c, d, a
        a, c = a + s[2 * _ROUNDS + 2], c + s[2 * _ROUNDS + 3]
        return join(map(swapped, (a, b, c, d)))

    def decrypt(self, block: Bits) -> Bits:
        """2.4. A rotation to the right by n is one to the left by -n."""
        s = self.s
        a, b, c, d = (swapped(word) for word in block.parts(_W))
        a, c = a - s[2 * _ROUNDS + 2], c - s[2 * _ROUNDS + 3]
        zero = Bits.number(0, _W)
        for i in reversed(range(1, _ROUNDS + 1)):
            a, b, c, d = d, a, b, c
            t, u = f(b).rotated(5), f(d).rotated(5)
            c = rotated_by(c - s[2 * i + 1], (zero - t)[-5:]) ^ u
            a = rotated_by(a - s[2 * i], (zero - u)[-5:]) ^ t
        b, d = b - s[0], d - s[1]
        return join(map(swapped, (a, b, c, d)))
