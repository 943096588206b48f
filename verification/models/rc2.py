"""RC2 as RFC 2268 writes it, with a key of 1 to 128 bytes and any effective length, and encryption in its modes."""

from __future__ import annotations

import struct

from models.lanes import xor

BLOCK = 8
# Section 2.
PITABLE = bytes.fromhex(
    "d978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2"
    "179a59f587b34f1361456d8d09817d32bd8f40eb86b77b0bf09521225c6b4e82"
    "54d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626"
    "6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed7"
    "08e8eade8052eef784aa72ac354d6a2a961ad2715a1549744b9fd05e0418a4ec"
    "c2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731"
    "2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a9"
    "0d38341bab33ffb0bb480c5fb9b1cd2ec5f3db47e5a59c770aa62068fe7fc1ad"
)
ROTATIONS = (1, 2, 3, 5)


def key_words(key: bytes, effective_bits: int) -> tuple[int, ...]:
    """K[0] to K[63] (section 2)."""
    size = (effective_bits + 7) // 8
    expanded = bytearray(key.ljust(128, b"\0"))
    for i in range(len(key), 128):
        expanded[i] = PITABLE[(expanded[i - 1] + expanded[i - len(key)]) % 256]
    expanded[128 - size] = PITABLE[expanded[128 - size] & 255 >> 8 * size - effective_bits]
    for i in reversed(range(128 - size)):
        expanded[i] = PITABLE[expanded[i + 1] ^ expanded[i + size]]
    return struct.unpack("<64H", expanded)


def block(words: tuple[int, ...], plaintext: bytes) -> bytes:
    """Section 3.3."""
    r = list(struct.unpack("<4H", plaintext))
    for number in range(16):
        for i, rotation in enumerate(ROTATIONS):
            one, two, three = (r[i - back] for back in (1, 2, 3))
            total = r[i] + words[4 * number + i] + (one & two) + (~one & three) & 0xFFFF
            r[i] = (total << rotation | total >> 16 - rotation) & 0xFFFF
        if number in (4, 10):
            for i in range(4):
                r[i] = r[i] + words[r[i - 1] % 64] & 0xFFFF
    return struct.pack("<4H", *r)


def encrypt(mode: str, key: bytes, effective_bits: int, iv: bytes, data: bytes) -> bytes:
    """`ecb`, `cbc`, `cfb` with segments of a block, or `ofb`; the last two of any number of bytes."""
    words, last, out = key_words(key, effective_bits), iv, b""
    for at in range(0, len(data), BLOCK):
        text = data[at : at + BLOCK]
        if mode == "ecb":
            out += block(words, text)
        elif mode == "cbc":
            last = block(words, xor(text, last))
            out += last
        else:
            last = block(words, last)
            out += xor(text, last[: len(text)])
            last = last if mode == "ofb" else out[-BLOCK:]
    return out
