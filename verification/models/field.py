"""GF(2^128) as SP 800-38B and SP 800-38D write it, bit by bit."""

from __future__ import annotations


def double(x: bytes) -> bytes:
    """6.1 of SP 800-38B: shift left, add R_128 where a one falls out."""
    value = int.from_bytes(x, "big") << 1
    return (value ^ (value >> 128) * (1 << 128 | 0x87)).to_bytes(16, "big")


def multiply(x: bytes, y: bytes) -> bytes:
    """Algorithm 1 of SP 800-38D."""
    z, v, bits = 0, int.from_bytes(y, "big"), int.from_bytes(x, "big")
    for i in range(128):
        if bits >> (127 - i) & 1:
            z ^= v
        v = v >> 1 ^ (v & 1) * (0xE1 << 120)
    return z.to_bytes(16, "big")


def digit(x: bytes, y: bytes, n: int) -> bytes:
    """Word n of x, at the low powers, times y."""
    return multiply(x[4 * n : 4 * n + 4] + bytes(12), y)
