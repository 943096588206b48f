"""CAST-128 (RFC 2144)."""

from __future__ import annotations

from collections.abc import Sequence

from lutra.prove.bits import Bits, Table, join, total
from lutra.prove.functions import rotated_by
from lutra.prove.specifications.cast5_boxes import S1, S2, S3, S4, S5, S6, S7, S8
from lutra.prove.specifications.modes import BlockCipher

BLOCK = 64

_MADE = (S5, S6, S7, S8)
# 2.4: four words of z from x, or of x from z: which word, five bytes that are looked up, and in what the last one is.
# Bytes of the new words are 16 to 31.
_Step = tuple[int, tuple[int, ...], Table]
_Z: Sequence[_Step] = (
    (0, (0xD, 0xF, 0xC, 0xE, 0x8), S7),
    (2, (0x10, 0x12, 0x11, 0x13, 0xA), S8),
    (3, (0x17, 0x16, 0x15, 0x14, 0x9), S5),
    (1, (0x1A, 0x19, 0x1B, 0x18, 0xB), S6),
)
_X: Sequence[_Step] = (
    (2, (0x5, 0x7, 0x4, 0x6, 0x0), S7),
    (0, (0x10, 0x12, 0x11, 0x13, 0x2), S8),
    (1, (0x17, 0x16, 0x15, 0x14, 0x1), S5),
    (3, (0x1A, 0x19, 0x1B, 0x18, 0x3), S6),
)
# The keys of z, of x, and of both again: bytes of S5 to S8, and of S5, S6, S7 and S8 by turns.
_KEYS = (
    ((8, 9, 7, 6, 2), (10, 11, 5, 4, 6), (12, 13, 3, 2, 9), (14, 15, 1, 0, 12)),
    ((3, 2, 12, 13, 8), (1, 0, 14, 15, 13), (7, 6, 8, 9, 3), (5, 4, 10, 11, 7)),
    ((3, 2, 12, 13, 9), (1, 0, 14, 15, 12), (7, 6, 8, 9, 2), (5, 4, 10, 11, 6)),
    ((8, 9, 7, 6, 3), (10, 11, 5, 4, 7), (12, 13, 3, 2, 8), (14, 15, 1, 0, 13)),
)


def _looked_up(bytes_: Sequence[Bits], places: Sequence[int], last: Table) -> Bits:
    return total(box[bytes_[at]] for box, at in zip((*_MADE, last), places, strict=True))


def _next(words: Bits, steps: Sequence[_Step]) -> Bits:
    """All of z from x, or of x from z."""
    made: list[Bits] = []
    for word, places, last in steps:
        made.append(words.parts(32)[word] ^ _looked_up([*words.bytes, *join(made).bytes], places, last))
    return join(made)


def expand(key: Bits) -> list[Bits]:
    """2.4: K1 to K32."""
    x = join((key, Bits.number(0, 128 - len(key))))
    keys: list[Bits] = []
    for _ in range(2):
        for n, four in enumerate(_KEYS):
            x = _next(x, _X if n % 2 else _Z)
            keys += [_looked_up(x.bytes, places, last) for places, last in zip(four, _MADE, strict=True)]
    return keys


class Cipher(BlockCipher):
    """The cipher under a key of 40 to 128 bits."""

    def __init__(self, key: Bits) -> None:
        keys = expand(key)
        self.masking, self.rotation = keys[:16], [k[-5:] for k in keys[16:]]
        self.rounds = range(12 if len(key) <= 80 else 16)  # 2.5

    def _f(self, d: Bits, i: int) -> Bits:
        """2.2: the types of round."""
        km, kr = self.masking[i], self.rotation[i]
        if i % 3 == 0:
            a, b, c, e = rotated_by(km + d, kr).bytes
            return ((S1[a] ^ S2[b]) - S3[c]) + S4[e]
        if i % 3 == 1:
            a, b, c, e = rotated_by(km ^ d, kr).bytes
            return ((S1[a] - S2[b]) + S3[c]) ^ S4[e]
        a, b, c, e = rotated_by(km - d, kr).bytes
        return ((S1[a] + S2[b]) ^ S3[c]) - S4[e]

    def _through(self, block: Bits, rounds: Sequence[int]) -> Bits:
        left, right = block.parts(32)
        for i in rounds:
            left, right = right, left ^ self._f(right, i)
        return join((right, left))

    def encrypt(self, block: Bits) -> Bits:
        """2."""
        return self._through(block, self.rounds)

    def decrypt(self, block: Bits) -> Bits:
        """The rounds in reverse."""
        return self._through(block, self.rounds[::-1])
