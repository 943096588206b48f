"""Leviathan (McGrew and Fluhrer; NESSIE submission, 2000), the first tree by its definition; T is a list of words."""

from __future__ import annotations

from collections.abc import Iterator

MASK = 0xFFFFFFFF
HEIGHT = 16


def _left(x: int, n: int) -> int:
    return (x << n | x >> 32 - n) & MASK


def table(key: bytes) -> list[int]:
    """The key schedule."""
    t = [0] * 256
    for r in range(4):
        t = [(word << 8) + i & MASK for i, word in enumerate(t)]
        j = r
        for i in (*range(256), *range(256)):
            j = (j + t[i] + key[i % len(key)]) % 256
            t[i], t[j] = t[j], t[i]
    return [word ^ k for k, word in enumerate(t)]


def _leaves(t: list[int], x: int, y: int, z: int) -> Iterator[int]:
    if z >> HEIGHT:
        yield x ^ y
        return
    x = x + z & MASK
    y = y + x & MASK
    x = x + y & MASK
    a, b = x, _left(y, 24)
    for _ in range(2):
        a = _left(a ^ t[a & 255], 8)
    b = _left(b ^ t[b & 255], 24)
    yield from _leaves(t, a, b ^ t[b & 255], 2 * z)
    a, b = x ^ MASK, y
    for _ in range(2):
        a = _left(a, 24)
        a ^= t[a & 255]
        b = _left(b ^ t[b & 255], 8)
    yield from _leaves(t, a, b, 2 * z + 1)


def keystream(key: bytes) -> Iterator[int]:
    """The 65,536 words of the first tree."""
    return _leaves(table(key), 0, 0, 1)
