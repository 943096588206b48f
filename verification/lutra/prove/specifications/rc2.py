"""RC2 (RFC 2268). Words of 16 bits are in little-endian order of bytes."""

from __future__ import annotations

from collections.abc import Sequence

from lutra.prove.bits import Bits, Table, join
from lutra.prove.specifications.modes import BlockCipher

BLOCK = 64

# 2: digits of pi.
PITABLE = Table(
    list(
        bytes.fromhex(
            "d978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2"
            "179a59f587b34f1361456d8d09817d32bd8f40eb86b77b0bf09521225c6b4e82"
            "54d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626"
            "6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed7"
            "08e8eade8052eef784aa72ac354d6a2a961ad2715a1549744b9fd05e0418a4ec"
            "c2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731"
            "2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a9"
            "0d38341bab33ffb0bb480c5fb9b1cd2ec5f3db47e5a59c770aa62068fe7fc1ad"
        )
    )
)
_ROTATIONS = (1, 2, 3, 5)
_MASHED = (4, 10)  # rounds of mixing after which one of mashing follows


def swapped(word: Bits) -> Bits:
    """The bytes of a word in reverse."""
    return join(word.bytes[::-1])


def expand(key: Bits, effective: int) -> list[Bits]:
    """2: the words K[0] to K[63]. effective: bits that the key counts for, T1."""
    size = len(key) // 8
    expanded = [*key.bytes, *[Bits.number(0, 8)] * (128 - size)]
    for i in range(size, 128):
        expanded[i] = PITABLE[expanded[i - 1] + expanded[i - size]]
    t8 = (effective + 7) // 8
    expanded[128 - t8] = PITABLE[expanded[128 - t8] & 255 >> 8 * t8 - effective]
    for i in reversed(range(128 - t8)):
        expanded[i] = PITABLE[expanded[i + 1] ^ expanded[i + t8]]
    return [join((high, low)) for low, high in zip(expanded[::2], expanded[1::2], strict=True)]


def _chosen(a: Bits, b: Bits, c: Bits) -> Bits:
    """(a & b) + (~a & c), which have no bit in common."""
    return (a & b) ^ (~a & c)


class Cipher(BlockCipher):
    """The cipher under a key, of which all bits are effective if no number is given."""

    def __init__(self, key: Bits, effective: int | None = None) -> None:
        self.words = expand(key, len(key) if effective is None else effective)
        halves = [[self.words[i % 64][at : at + 8] for i in range(256)] for at in (0, 8)]
        self.mash_tables = [Table(half) for half in halves]

    def _mashed(self, word: Bits) -> Bits:
        """K[word & 63]."""
        return join(table[word[8:]] for table in self.mash_tables)

    def _mix(self, r: list[Bits], keys: Sequence[Bits]) -> None:
        """3.1."""
        for i, turn in enumerate(_ROTATIONS):
            r[i] = (r[i] + keys[i] + _chosen(r[i - 1], r[i - 2], r[i - 3])).rotated(turn)

    def _unmix(self, r: list[Bits], keys: Sequence[Bits]) -> None:
        """4.1."""
        for i, turn in reversed([*enumerate(_ROTATIONS)]):
            r[i] = r[i].rotated(-turn) - keys[i] - _chosen(r[i - 1], r[i - 2], r[i - 3])

    def encrypt(self, block: Bits) -> Bits:
        """3.3."""
        r = [swapped(word) for word in block.parts(16)]
        for n in range(16):
            self._mix(r, self.words[4 * n : 4 * n + 4])
            for i in range(4) if n in _MASHED else ():
                r[i] = r[i] + self._mashed(r[i - 1])
        return join(map(swapped, r))

    def decrypt(self, block: Bits) -> Bits:
        """4.3."""
        r = [swapped(word) for word in block.parts(16)]
        for n in reversed(range(16)):
            for i in (3, 2, 1, 0) if n in _MASHED else ():
                r[i] = r[i] - self._mashed(r[i - 1])
            self._unmix(r, self.words[4 * n : 4 * n + 4])
        return join(map(swapped, r))
