"""Twofish as its submission to the AES competition writes it (Schneier et al., 1998)."""

from __future__ import annotations

import struct
from collections.abc import Sequence

# Section 4.3.5: the four-bit permutations of q0 and q1.
T = (
    ("817D6F320B59ECA4", "ECB81235F4A6709D", "BA5E6D90C8F32471", "D7F4126E9B3085CA"),
    ("28BDF76E31940AC5", "1E2B4C376DA5F908", "4C75169A0ED82B3F", "B951C3DE647F208A"),
)
MDS = (
    (0x01, 0xEF, 0x5B, 0x5B),
    (0x5B, 0xEF, 0xEF, 0x01),
    (0xEF, 0x5B, 0x01, 0xEF),
    (0xEF, 0x01, 0xEF, 0x5B),
)
RS = (
    (0x01, 0xA4, 0x55, 0x87, 0x5A, 0x58, 0xDB, 0x9E),
    (0xA4, 0x56, 0x82, 0xF3, 0x1E, 0xC6, 0x68, 0xE5),
    (0x02, 0xA1, 0xFC, 0xC1, 0x47, 0xAE, 0x3D, 0x19),
    (0xA4, 0x55, 0x87, 0x5A, 0x58, 0xDB, 0x9E, 0x03),
)
# Section 4.3.2: q0 or q1 of each byte, from the last layer to the first.
LAYERS = ((1, 0, 1, 0), (0, 0, 1, 1), (0, 1, 0, 1), (1, 1, 0, 0), (1, 0, 0, 1))
MASK = 0xFFFFFFFF


def rol(x: int, n: int) -> int:
    return (x << n | x >> 32 - n) & MASK


def times(a: int, b: int, polynomial: int) -> int:
    product = 0
    for i in range(8):
        product ^= a << i if b >> i & 1 else 0
    for i in range(14, 7, -1):
        product ^= polynomial << i - 8 if product >> i & 1 else 0
    return product


def q(n: int, x: int) -> int:
    a, b = x >> 4, x & 15
    for first, second in (T[n][:2], T[n][2:]):
        a, b = a ^ b, (a ^ (b >> 1 | b << 3) ^ a << 3) & 15
        a, b = int(first[a], 16), int(second[b], 16)
    return b << 4 | a


def matrix(rows: Sequence[Sequence[int]], x: bytes, polynomial: int) -> bytes:
    result = bytearray()
    for row in rows:
        total = 0
        for factor, byte in zip(row, x, strict=True):
            total ^= times(factor, byte, polynomial)
        result.append(total)
    return bytes(result)


def h(x: bytes, words: Sequence[bytes]) -> int:
    for i in range(len(words), 0, -1):
        x = bytes(q(LAYERS[i][j], x[j]) ^ words[i - 1][j] for j in range(4))
    x = bytes(q(LAYERS[0][j], x[j]) for j in range(4))
    return int.from_bytes(matrix(MDS, x, 0x169), "little")


class Twofish:
    """A key of 16, 24 or 32 bytes."""

    def __init__(self, key: bytes) -> None:
        words = [key[i : i + 4] for i in range(0, len(key), 4)]
        parts = [matrix(RS, key[i : i + 8], 0x14D) for i in range(0, len(key), 8)][::-1]
        self.boxes = [[h(bytes(x if i == j else 0 for i in range(4)), parts) for x in range(256)] for j in range(4)]
        # h is a sum over the bytes of its argument: a table holds the result for one byte next to three zeros.
        self.zero = self.boxes[0][0]
        self.keys: list[int] = []
        for i in range(20):
            a, b = h(bytes([2 * i] * 4), words[::2]), rol(h(bytes([2 * i + 1] * 4), words[1::2]), 8)
            self.keys += [a + b & MASK, rol(a + 2 * b & MASK, 9)]

    def g(self, x: int) -> int:
        total = self.zero
        for j in range(4):
            total ^= self.boxes[j][x >> 8 * j & 255] ^ self.zero
        return total

    def functions(self, a: int, b: int, i: int) -> tuple[int, int]:
        s, t = self.g(a), self.g(rol(b, 8))
        return s + t + self.keys[2 * i + 8] & MASK, s + 2 * t + self.keys[2 * i + 9] & MASK

    def encrypt(self, block: bytes) -> bytes:
        a, b, c, d = (x ^ k for x, k in zip(struct.unpack("<4I", block), self.keys[:4], strict=True))
        for i in range(16):
            e, f = self.functions(a, b, i)
            a, b, c, d = rol(c ^ e, 31), rol(d, 1) ^ f, a, b
        return struct.pack("<4I", *(x ^ k for x, k in zip((c, d, a, b), self.keys[4:8], strict=True)))

    def decrypt(self, block: bytes) -> bytes:
        c, d, a, b = (x ^ k for x, k in zip(struct.unpack("<4I", block), self.keys[4:8], strict=True))
        for i in reversed(range(16)):
            e, f = self.functions(c, d, i)
            a, b, c, d = c, d, rol(a, 1) ^ e, rol(b ^ f, 31)
        return struct.pack("<4I", *(x ^ k for x, k in zip((a, b, c, d), self.keys[:4], strict=True)))
