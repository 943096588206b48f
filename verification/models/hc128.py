"""HC-128 as its specification writes it (Wu, The stream cipher HC-128, eSTREAM, 2008)."""

from __future__ import annotations

import struct
from collections.abc import Callable

MASK = 0xFFFFFFFF
SIZE = 512

Table = list[int]


def right(x: int, n: int) -> int:
    return (x >> n | x << 32 - n) & MASK


def f1(x: int) -> int:
    return right(x, 7) ^ right(x, 18) ^ x >> 3


def f2(x: int) -> int:
    return right(x, 17) ^ right(x, 19) ^ x >> 10


def g1(x: int, y: int, z: int) -> int:
    return (right(x, 10) ^ right(z, 23)) + right(y, 8)


def g2(x: int, y: int, z: int) -> int:
    return (right(x, 22) ^ right(z, 9)) + right(y, 24)


def h(table: Table, x: int) -> int:
    """Section 2.1: h1 of Q, h2 of P."""
    return table[x & 0xFF] + table[256 + (x >> 16 & 0xFF)] & MASK


def step(table: Table, other: Table, j: int, g: Callable[[int, int, int], int]) -> int:
    """The table's word j is changed (2.3); what h makes of the other table."""
    table[j] = table[j] + g(table[j - 3], table[j - 10], table[j - 511]) & MASK
    return h(other, table[j - 12])


def begin(key: bytes, iv: bytes) -> tuple[Table, Table]:
    """Section 2.2."""
    w = [*struct.unpack("<4I", key) * 2, *struct.unpack("<4I", iv) * 2]
    for i in range(16, 1280):
        w.append(f2(w[i - 2]) + w[i - 7] + f1(w[i - 15]) + w[i - 16] + i & MASK)
    p, q = w[256:768], w[768:]
    for table, other, g in ((p, q, g1), (q, p, g2)):
        for j in range(SIZE):
            looked_up = step(table, other, j, g)
            table[j] ^= looked_up
    return p, q


def keystream(key: bytes, iv: bytes, size: int) -> bytes:
    """The first `size` bytes."""
    p, q = begin(key, iv)
    words = []
    for i in range(-(-size // 4)):
        table, other, g = (p, q, g1) if i % (2 * SIZE) < SIZE else (q, p, g2)
        words.append(step(table, other, i % SIZE, g) ^ table[i % SIZE])
    return struct.pack(f"<{len(words)}I", *words)[:size]
