"""GF(2^128), as SP 800-38D 6.3 writes it: the first bit of a block is the coefficient of 1."""

from __future__ import annotations

from lutra.prove.bits import ZERO, Bits, apply

R = 0xE1 << 120


def multiplied(x: int, y: int) -> int:
    """The product (6.3)."""
    z, v = 0, y
    for place in range(127, -1, -1):
        z ^= v if x >> place & 1 else 0
        v = v >> 1 ^ (R if v & 1 else 0)
    return z


def product(x: Bits, y: Bits) -> Bits:
    """The product of blocks, known by its factors: equal factors have equal products."""
    if ZERO in (x, y):
        return ZERO
    return apply("product in GF(2^128)", 128, multiplied, x, y)
