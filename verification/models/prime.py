"""Integers modulo 2^130 - 5 as the multiplier has them (isa/datapath.td), for Poly1305 of RFC 8439 2.5."""

from __future__ import annotations

P = (1 << 130) - 5
ROW = 16


def total(upper: int, row: bytes) -> int:
    """The number of upper bits and a row, its most significant byte first."""
    return upper << 128 | int.from_bytes(row, "big")


def row(number: int) -> bytes:
    """The last 128 bits, the most significant byte first."""
    return (number % (1 << 128)).to_bytes(ROW, "big")


def number(x: bytes) -> int:
    """A row with its least significant byte first."""
    return int.from_bytes(x, "little")


def block(x: bytes) -> int:
    """The same, and the one after it (RFC 8439 2.5.1)."""
    return number(x) + (1 << 128)


def digits(value: int) -> bytes:
    """The last 128 bits, the least significant byte first."""
    return row(value)[::-1]


def step(y: int, digit: int, h: int) -> int:
    """Horner's rule: 2^8 y + digit h, what y has from 2^122 on as five times as much from 1 on."""
    return ((y % (1 << 122) << 8) + 5 * (y >> 122) + digit * h) % (1 << 133)


def down_byte(x: bytes) -> bytes:
    """The last byte away."""
    return bytes(1) + x[:-1]
