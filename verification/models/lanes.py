"""Lanes of 16-byte values."""

from __future__ import annotations


def xor(*values: bytes) -> bytes:
    """XOR of values of one length."""
    out = bytes(len(values[0]))
    for v in values:
        out = bytes(a ^ b for a, b in zip(out, v, strict=True))
    return out


def lanes(x: bytes, size: int) -> list[int]:
    """Big-endian lanes of `size` bytes."""
    return [int.from_bytes(x[i : i + size], "big") for i in range(0, len(x), size)]


def unlanes(values: list[int], size: int) -> bytes:
    """The inverse of `lanes`."""
    return b"".join(v.to_bytes(size, "big") for v in values)


def prefix_xor(x: bytes) -> bytes:
    """Word i becomes the XOR of words 0 to i."""
    words = lanes(x, 4)
    for i in range(1, 4):
        words[i] ^= words[i - 1]
    return unlanes(words, 4)


def align(x: bytes, y: bytes, n: int) -> bytes:
    """Bytes n to n+15 of x || y."""
    return (x + y)[n : n + 16]


def rotate(x: bytes, n: int) -> bytes:
    """128-bit rotation by n bits to the left."""
    value = int.from_bytes(x, "big")
    return ((value << n | value >> (128 - n)) % 2**128).to_bytes(16, "big")
