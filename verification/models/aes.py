"""Round functions of AES as FIPS 197 writes them, on 16-byte states (byte r + 4c is row r, column c)."""

from __future__ import annotations


def multiply(a: int, b: int) -> int:
    """Product in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (4.2)."""
    product = 0
    for _ in range(8):
        if b & 1:
            product ^= a
        a = (a << 1) ^ (0x11B if a & 0x80 else 0)
        b >>= 1
    return product


def shift_rows(s: bytes) -> bytes:
    """5.1.2."""
    return bytes(s[r + 4 * ((c + r) % 4)] for c in range(4) for r in range(4))


def inv_shift_rows(s: bytes) -> bytes:
    """5.3.1."""
    return bytes(s[r + 4 * ((c - r) % 4)] for c in range(4) for r in range(4))


def _columns(s: bytes, row: list[int]) -> bytes:
    out = bytearray()
    for c in range(4):
        for r in range(4):
            value = 0
            for i in range(4):
                value ^= multiply(s[4 * c + i], row[(i - r) % 4])
            out.append(value)
    return bytes(out)


def mix_columns(s: bytes) -> bytes:
    """5.1.3."""
    return _columns(s, [2, 3, 1, 1])


def inv_mix_columns(s: bytes) -> bytes:
    """5.3.3."""
    return _columns(s, [14, 11, 13, 9])
