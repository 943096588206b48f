"""SNOW-V (Ekdahl, Johansson, Maximov, Yang, ToSC 2019(3)) and SNOW 5G, the same machine with other constants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from models.aes import mix_columns, multiply, shift_rows
from models.lanes import xor

SIGMA = (0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
Words = list[int]


def double(word: int, constant: int) -> int:
    """By the generator of the field of 16 bits."""
    return (word << 1 & 0xFFFF) ^ (constant if word >> 15 else 0)


def halve(word: int, constant: int) -> int:
    return word >> 1 ^ (constant if word & 1 else 0)


def to_bytes(words: Words) -> bytes:
    return b"".join(word.to_bytes(2, "little") for word in words)


def to_words(data: bytes) -> Words:
    return [int.from_bytes(data[i : i + 2], "little") for i in range(0, len(data), 2)]


def add(a: bytes, b: bytes, size: int) -> bytes:
    """Little-endian lanes of some bytes."""
    lanes = ((int.from_bytes(x[i : i + size], "little") for x in (a, b)) for i in range(0, 16, size))
    return b"".join((sum(lane) % (1 << 8 * size)).to_bytes(size, "little") for lane in lanes)


def substituted(x: int) -> int:
    """The S-box of FIPS 197 5.1.1."""
    inverse = 1
    for _ in range(254):
        inverse = multiply(inverse, x)
    turned = 0
    for i in range(5):
        turned ^= inverse << i
    return (turned & 0xFF) ^ (turned >> 8) ^ 0x63


SBOX = [substituted(x) for x in range(256)]


def aes_round(state: bytes) -> bytes:
    """A round of FIPS 197 with a round key of zeros."""
    return mix_columns(shift_rows(bytes(SBOX[x] for x in state)))


@dataclass(frozen=True)
class Variant:
    lane: int  # bytes of a lane of the additions
    tap: int  # first word of A that the FSM takes
    step: Callable[[Words, Words], tuple[int, int]]  # the next words of A and B


def step_v(a: Words, b: Words) -> tuple[int, int]:
    return (
        double(a[0], 0x990F) ^ a[1] ^ halve(a[8], 0xCC87) ^ b[0],
        double(b[0], 0xC963) ^ b[3] ^ halve(b[8], 0xE4B1) ^ a[0],
    )


def step_5g(a: Words, b: Words) -> tuple[int, int]:
    return double(a[0], 0x4A6D) ^ a[7] ^ b[0], double(b[0], 0xCC87) ^ b[8] ^ a[0]


V = Variant(4, 0, step_v)
FIVE_G = Variant(2, 8, step_5g)


def keystream(key: bytes, iv: bytes, size: int, variant: Variant = V) -> bytes:
    a = to_words(iv + key[:16])
    b = to_words(bytes(16) + key[16:])
    r1 = r2 = r3 = bytes(16)
    out = b""
    for clock in range(16 + -(-size // 16)):
        z = xor(add(r1, to_bytes(b[8:]), variant.lane), r2)
        turned = add(r2, xor(r3, to_bytes(a[variant.tap : variant.tap + 8])), variant.lane)
        r1, r2, r3 = bytes(turned[i] for i in SIGMA), aes_round(r1), aes_round(r2)
        for _ in range(8):
            new = variant.step(a, b)
            a, b = [*a[1:], new[0]], [*b[1:], new[1]]
        if clock < 16:
            a[8:] = to_words(xor(to_bytes(a[8:]), z))
        else:
            out += z
        if clock in (14, 15):
            r1 = xor(r1, key[:16] if clock == 14 else key[16:])
    return out[:size]


def keystream_5g(key: bytes, iv: bytes, size: int) -> bytes:
    return keystream(key, iv, size, FIVE_G)
