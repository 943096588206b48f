"""RC6-32/20 as its authors describe it (Rivest, Robshaw, Sidney, Yin, The RC6 block cipher, 1998)."""

from __future__ import annotations

import struct

MASK = 0xFFFFFFFF
ROUNDS = 20


def left(x: int, n: int) -> int:
    n &= 31
    return (x << n | x >> 32 - n) & MASK


def schedule(key: bytes) -> list[int]:
    """Section 2.2: S from L, in three passes over the longer of the two."""
    words = list(struct.unpack(f"<{len(key) // 4}I", key))
    s = [0xB7E15163 + i * 0x9E3779B9 & MASK for i in range(2 * ROUNDS + 4)]
    a = b = 0
    for k in range(3 * len(s)):
        i, j = k % len(s), k % len(words)
        a = s[i] = left(s[i] + a + b & MASK, 3)
        b = words[j] = left(words[j] + a + b & MASK, a + b)
    return s


def squared(x: int) -> int:
    return left(x * (2 * x + 1) & MASK, 5)


def encrypt(key: bytes, block: bytes) -> bytes:
    """Section 2.3."""
    s = schedule(key)
    a, b, c, d = struct.unpack("<4I", block)
    b, d = b + s[0] & MASK, d + s[1] & MASK
    for i in range(1, ROUNDS + 1):
        t, u = squared(b), squared(d)
        a, c = left(a ^ t, u) + s[2 * i] & MASK, left(c ^ u, t) + s[2 * i + 1] & MASK
        a, b, c, d = b, c, d, a
    return struct.pack("<4I", a + s[-2] & MASK, b, c + s[-1] & MASK, d)
