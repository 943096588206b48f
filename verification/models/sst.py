"""GCM-SST as the 256-bit algorithms of 3GPP have it (TS 35.240 to 35.248), on Python's integers."""

from __future__ import annotations

from models.lanes import xor

# RFC 8452 section 3: modulo x^128 + x^127 + x^126 + x^121 + 1, bit i of the little-endian number is the power i.
MODULUS = 1 << 128 | 1 << 127 | 1 << 126 | 1 << 121 | 1


def dot(a: int, b: int) -> int:
    """a * b * x^-128."""
    product = 0
    for i in range(128):
        if a >> i & 1:
            product ^= b << i
    for i in range(128):
        if product >> i & 1:
            product ^= MODULUS << i
    return product >> 128


def number(block: bytes) -> int:
    return int.from_bytes(block, "little")


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 16)


def tag(masks: bytes, aad: bytes, ciphertext: bytes, aad_bits: int | None = None) -> bytes:
    """The whole tag, of H, Q and P one after the other."""
    h, q, p = number(masks[:16]), number(masks[16:32]), masks[32:48]
    x = 0
    blocks = padded(aad) + padded(ciphertext)
    for at in range(0, len(blocks), 16):
        x = dot(x ^ number(blocks[at : at + 16]), h)
    lengths = 8 * len(ciphertext) | (8 * len(aad) if aad_bits is None else aad_bits) << 64
    return xor(dot(x ^ lengths, q).to_bytes(16, "little"), p)
