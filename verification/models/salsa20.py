"""Salsa20/20 as its specification writes it (Bernstein, Salsa20 specification, 2005)."""

from __future__ import annotations

import struct
from collections.abc import Sequence

MASK = 0xFFFFFFFF
# Section 4: row i, beginning with the word on the diagonal.
ROWS = [[4 * i + (i + j) % 4 for j in range(4)] for i in range(4)]
COLUMNS = [[4 * ((i + j) % 4) + i for j in range(4)] for i in range(4)]


def quarter_round(y: Sequence[int]) -> list[int]:
    """Section 3."""
    z = list(y)
    for at, n in ((1, 7), (2, 9), (3, 13), (0, 18)):
        total = z[at - 1] + z[at - 2] & MASK
        z[at] ^= (total << n | total >> 32 - n) & MASK
    return z


def core(block: bytes) -> bytes:
    """Section 8: the state and what ten double rounds make of it, added."""
    before = struct.unpack("<16I", block)
    x = list(before)
    for _ in range(10):
        for places in (*COLUMNS, *ROWS):
            for at, word in zip(places, quarter_round([x[p] for p in places]), strict=True):
                x[at] = word
    return struct.pack("<16I", *(a + b & MASK for a, b in zip(x, before, strict=True)))


def keystream(key: bytes, nonce: bytes, size: int, first: int = 0) -> bytes:
    """The first `size` bytes from a block on, sections 9 and 10."""
    text = b"expand %d-byte k" % len(key)
    constants = [text[at : at + 4] for at in range(0, 16, 4)]
    out = b""
    while len(out) < size:
        n = nonce + ((first + len(out) // 64) % (1 << 64)).to_bytes(8, "little")
        out += core(b"".join((constants[0], key[:16], constants[1], n, constants[2], key[-16:], constants[3])))
    return out[:size]
