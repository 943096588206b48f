"""Serpent as its submission to the AES competition writes it (Anderson, Biham, Knudsen, 1998), in its bitsliced form.

Keys and blocks are in the byte order of NESSIE: words have their least significant byte first.
"""

from __future__ import annotations

import struct

BOXES = (
    "38F1A65BED42709C",
    "FC27905A1BE86D34",
    "86793CAFD1E40B52",
    "0FB8C963D124A75E",
    "1F83C0B6254A9E7D",
    "F52B4A9C03E8D671",
    "72C5846BE91FD3A0",
    "1DF0E82B74CA9356",
)
FORWARD = [[int(digit, 16) for digit in box] for box in BOXES]
BACKWARD = [[box.index(i) for i in range(16)] for box in FORWARD]
MASK = 0xFFFFFFFF
PHI = 0x9E3779B9
Words = list[int]


def rol(x: int, n: int) -> int:
    return (x << n | x >> 32 - n) & MASK


def substitute(box: list[int], x: Words) -> Words:
    """Bit i of the four words is a number of four bits, the first word's the least significant."""
    result = [0] * 4
    for i in range(32):
        value = box[sum((word >> i & 1) << j for j, word in enumerate(x))]
        for j in range(4):
            result[j] |= (value >> j & 1) << i
    return result


def mix(x: Words) -> Words:
    a, b, c, d = rol(x[0], 13), x[1], rol(x[2], 3), x[3]
    b, d = rol(b ^ a ^ c, 1), rol(d ^ c ^ a << 3 & MASK, 7)
    return [rol(a ^ b ^ d, 5), b, rol(c ^ d ^ b << 7 & MASK, 22), d]


def unmix(x: Words) -> Words:
    a, b, c, d = rol(x[0], 27), x[1], rol(x[2], 10), x[3]
    c ^= d ^ b << 7 & MASK
    a ^= b ^ d
    d, b = rol(d, 25) ^ c ^ a << 3 & MASK, rol(b, 31) ^ a ^ c
    return [rol(a, 19), b, rol(c, 29), d]


def add(x: Words, y: Words) -> Words:
    return [a ^ b for a, b in zip(x, y, strict=True)]


class Serpent:
    """A key of up to 32 bytes."""

    def __init__(self, key: bytes) -> None:
        padded = key if len(key) == 32 else (key + b"\x01").ljust(32, b"\0")
        w = list(struct.unpack("<8I", padded))
        for i in range(132):
            w.append(rol(w[i] ^ w[i + 3] ^ w[i + 5] ^ w[i + 7] ^ PHI ^ i, 11))
        self.keys = [substitute(FORWARD[(3 - i) % 8], w[8 + 4 * i : 12 + 4 * i]) for i in range(33)]

    def encrypt(self, block: bytes) -> bytes:
        x = list(struct.unpack("<4I", block))
        for i in range(32):
            x = substitute(FORWARD[i % 8], add(x, self.keys[i]))
            x = mix(x) if i < 31 else add(x, self.keys[32])
        return struct.pack("<4I", *x)

    def decrypt(self, block: bytes) -> bytes:
        x = list(struct.unpack("<4I", block))
        for i in reversed(range(32)):
            x = unmix(x) if i < 31 else add(x, self.keys[32])
            x = add(substitute(BACKWARD[i % 8], x), self.keys[i])
        return struct.pack("<4I", *x)
