"""GF(2^128) as SP 800-38B and SP 800-38D write it, GF(2^64) as TS 35.215 does, bit by bit."""

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


def reverse(x: bytes) -> bytes:
    """The bits of a row, the last one first."""
    return int(f"{int.from_bytes(x, 'big'):0{8 * len(x)}b}"[::-1], 2).to_bytes(len(x), "big")


def multiply64(x: int, y: int) -> int:
    """MUL of TS 35.215 4.3.2 with the constant 0x1b."""
    out = 0
    for i in range(64):
        if y >> i & 1:
            out ^= x
        x = (x << 1) ^ (x >> 63) * (1 << 64 | 0x1B)
    return out


def element64(x: bytes) -> int:
    """The value of GF(2^64) whose bits are in reverse in words 2 and 3."""
    return int.from_bytes(reverse(x)[:8], "big")


def row64(value: int) -> bytes:
    """The inverse, zeros in words 0 and 1."""
    return reverse(value.to_bytes(8, "big") + bytes(8))


def horner128(y: bytes, x: bytes, h: bytes) -> bytes:
    """y u^32 + d h, d being word 3 of x."""
    u32 = (1 << 127 - 32).to_bytes(16, "big")
    return bytes(a ^ b for a, b in zip(multiply(y, u32), digit(x, h, 3), strict=True))


def horner64(y: bytes, x: bytes, h: bytes) -> bytes:
    """y x^32 + d h in GF(2^64), where y and h have nothing in words 0 and 1."""
    d = int.from_bytes(reverse(x[12:]), "big")
    return row64(multiply64(element64(y), 1 << 32) ^ multiply64(element64(h), d))


def window(y: bytes, x: bytes, h: bytes) -> bytes:
    """y + d h."""
    return bytes(a ^ b for a, b in zip(y, digit(x, h, 3), strict=True))


def down(x: bytes) -> bytes:
    """One word down."""
    return bytes(4) + x[:12]
