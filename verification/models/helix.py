"""Helix (FSE 2003) and Phelix (eSTREAM 2005), both directions, as their papers describe them."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

MASK = 0xFFFFFFFF
MAC = 0x912D94F1
ASSOCIATED = 0xAADAADAA
TAG_BITS = 128

State = list[int]


def left(x: int, n: int) -> int:
    return (x << n | x >> 32 - n) & MASK


def half(z: State, a: int, b: int) -> State:
    """H of either paper: half a block."""
    w0, w1, w2, w3, w4 = z
    w0, w3 = w0 + (w3 ^ a) & MASK, left(w3, 15)
    w1, w4 = w1 + w4 & MASK, left(w4, 25)
    w2, w0 = w2 ^ w0, left(w0, 9)
    w3, w1 = w3 ^ w1, left(w1, 10)
    w4, w2 = w4 + w2 & MASK, left(w2, 17)
    w0, w3 = w0 ^ (w3 + b & MASK), left(w3, 30)
    w1, w4 = w1 ^ w4, left(w4, 13)
    w2, w0 = w2 + w0 & MASK, left(w0, 20)
    w3, w1 = w3 + w1 & MASK, left(w1, 11)
    w4, w2 = w4 ^ w2, left(w2, 5)
    return [w0, w1, w2, w3, w4]


def working_key(key: bytes) -> State:
    k = [0] * 32 + list(struct.unpack("<8I", key.ljust(32, b"\0")))
    for i in reversed(range(8)):
        z = [*k[4 * i + 4 : 4 * i + 8], len(key) + 64]
        z = half(half(z, 0, 0), 0, 0)
        k[4 * i : 4 * i + 4] = [x ^ y for x, y in zip(z, k[4 * i + 8 : 4 * i + 12], strict=False)]
    return k[:8]


@dataclass
class Message:
    """The state of a message; `tag_bits` is None for Helix, which has no length of the tag in it."""

    key: bytes
    nonce: bytes
    tag_bits: int | None = None
    i: int = -8
    old: State = field(default_factory=lambda: [0] * 4)

    def __post_init__(self) -> None:
        self.k = working_key(self.key)
        n = list(struct.unpack("<4I", self.nonce))
        self.n = n + [k - n[k] & MASK for k in range(4)]
        self.z = [self.k[j + 3] ^ n[j] for j in range(4)] + [self.k[7]]
        for _ in range(8):
            self.block(0)

    def block(self, word: int, mask: int | None = None) -> tuple[int, int]:
        """Plaintext and keystream of a block; with a mask, `word` is ciphertext, whose plaintext it is for."""
        i, extra = self.i, {1: 4 * len(self.key) + 256 * ((self.tag_bits or 0) % 128), 3: self.i + 8 >> 31}
        key_word = self.k[(i + 4) % 8] + self.n[i % 8] + extra.get(i % 4, 0) + i + 8 & MASK
        stream = self.z[0]
        self.z = half(self.z, 0, self.k[i % 8])
        if self.tag_bits is not None:
            stream = self.z[4] + self.old[i % 4] & MASK
        plain = word if mask is None else (word ^ stream) & mask
        self.z = half(self.z, plain, key_word)
        self.old[i % 4] = self.z[4]
        self.i += 1
        return plain, stream

    def tag(self, size: int) -> bytes:
        self.z[0] ^= MAC
        words = [self.block(size % 4)[1] for _ in range(12)][8:]
        return struct.pack("<4I", *(w ^ size % 4 if self.tag_bits is not None else w for w in words))


def words(text: bytes) -> Iterator[tuple[int, int]]:
    """Words and how many bytes each has."""
    for at in range(0, len(text), 4):
        yield int.from_bytes(text[at : at + 4], "little"), len(text[at : at + 4])


def joined(parts: Iterable[tuple[int, int]]) -> bytes:
    return b"".join(word.to_bytes(4, "little")[:size] for word, size in parts)


def begin(key: bytes, nonce: bytes, aad: bytes, tag_bits: int | None) -> Message:
    message = Message(key, nonce, tag_bits)
    if aad:
        message.z[1] ^= ASSOCIATED
        for word, _ in words(aad):
            message.block(word)
        message.z[1] ^= ASSOCIATED
    return message


def end(message: Message, size: int, aad: bytes) -> bytes:
    message.z[2] ^= len(aad) >> 32
    message.z[4] ^= len(aad) & MASK
    return message.tag(size)


def encrypt(key: bytes, nonce: bytes, data: bytes, aad: bytes = b"", tag_bits: int | None = None) -> bytes:
    """Ciphertext and tag: of Helix without `tag_bits`."""
    message = begin(key, nonce, aad, tag_bits)
    text = joined((word ^ message.block(word)[1], size) for word, size in words(data))
    return text + end(message, len(data), aad)[: (tag_bits or TAG_BITS) // 8]


def decrypt(key: bytes, nonce: bytes, data: bytes, aad: bytes = b"", tag_bits: int | None = None) -> bytes | None:
    """The inverse, or None where the tag is wrong."""
    tag_bytes = (tag_bits or TAG_BITS) // 8
    text, given = data[:-tag_bytes], data[-tag_bytes:]
    message = begin(key, nonce, aad, tag_bits)
    plain = joined((message.block(word, (1 << 8 * size) - 1)[0], size) for word, size in words(text))
    return plain if end(message, len(text), aad)[:tag_bytes] == given else None


def phelix(key: bytes, nonce: bytes, data: bytes, aad: bytes = b"", tag_bits: int = TAG_BITS) -> bytes:
    return encrypt(key, nonce, data, aad, tag_bits)
