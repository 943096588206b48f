"""KASUMI (3GPP TS 35.202) and KGCORE, the basis of f8, A5/3 and GEA3 (TS 35.201, TS 55.216); blocks are numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

BOXES = Path(__file__).parents[2] / "firmware/kasumi/sboxes.inc"
CONSTANTS = (0x0123, 0x4567, 0x89AB, 0xCDEF, 0xFEDC, 0xBA98, 0x7654, 0x3210)


def _box(name: str) -> list[int]:
    """The table as the firmware has it; vectors of the standard hold it."""
    lines = [line.split(",") for line in BOXES.read_text().splitlines()]
    return [int(entry) for first, *entries in lines if first.split()[1:] == [name] for entry in entries]


S7, S9 = _box("S7"), _box("S9")


def _rotated(x: int, n: int) -> int:
    return (x << n | x >> 16 - n) & 0xFFFF


def _fi(x: int, key: int) -> int:
    nine, seven = x >> 7, x & 0x7F
    for added in (key, None):
        nine = S9[nine] ^ seven
        seven = S7[seven] ^ nine & 0x7F
        if added is not None:
            nine, seven = nine ^ added & 0x1FF, seven ^ added >> 9
    return seven << 9 | nine


def _fo(x: int, keys: Sequence[tuple[int, int]]) -> int:
    left, right = x >> 16, x & 0xFFFF
    for outer, inner in keys:
        left, right = right, _fi(left ^ outer, inner) ^ right
    return left << 16 | right


def _fl(x: int, first: int, second: int) -> int:
    left, right = x >> 16, x & 0xFFFF
    right ^= _rotated(left & first, 1)
    left ^= _rotated(right | second, 1)
    return left << 16 | right


def encrypt(key: bytes, block: int) -> int:
    words = [int.from_bytes(key[i : i + 2], "big") for i in range(0, 16, 2)]
    primed = [word ^ constant for word, constant in zip(words, CONSTANTS, strict=True)]
    left, right = block >> 32, block & 0xFFFFFFFF
    for i in range(8):
        k, p = words[i:] + words[:i], primed[i:] + primed[:i]
        of_fo = ((_rotated(k[1], 5), p[4]), (_rotated(k[5], 8), p[3]), (_rotated(k[6], 13), p[7]))
        of_fl = (_rotated(k[0], 1), p[2])
        f = _fl(_fo(left, of_fo), *of_fl) if i % 2 else _fo(_fl(left, *of_fl), of_fo)
        left, right = right ^ f, left
    return left << 32 | right


def kgcore(key: bytes, iv: bytes, size: int) -> bytes:
    """The first bytes of keystream; a key of 8 bytes is taken twice."""
    key = (key * 2)[:16]
    start = encrypt(bytes(byte ^ 0x55 for byte in key), int.from_bytes(iv, "big"))
    out, last = b"", 0
    for i in range(-(-size // 8)):
        last = encrypt(key, start ^ i ^ last)
        out += last.to_bytes(8, "big")
    return out[:size]


def f9(key: bytes, count: int, fresh: int, direction: int, bits: str) -> int:
    """The MAC of 32 bits of a message given as zeros and ones."""
    bits = f"{count:032b}{fresh:032b}{bits}{direction}1"
    bits += "0" * (-len(bits) % 64)
    chain = total = 0
    for at in range(0, len(bits), 64):
        chain = encrypt(key, chain ^ int(bits[at : at + 64], 2))
        total ^= chain
    return encrypt(bytes(byte ^ 0xAA for byte in key), total) >> 32
