"""SNOW 1.0 as its designers wrote it for NESSIE (Ekdahl, Johansson, 2000), bit by bit, on Python's integers."""

from __future__ import annotations

from collections.abc import Iterator

MASK = 0xFFFFFFFF
ALPHA = 0x20108403
# Target positions of the bits of s(x), bit 0 first, for each byte of a word, least significant byte first.
PLACES = (
    (30, 22, 15, 6, 28, 16, 11, 2),
    (31, 19, 9, 4, 26, 21, 8, 1),
    (27, 23, 12, 5, 25, 18, 13, 7),
    (29, 17, 14, 0, 24, 20, 10, 3),
)
STANDARD_CLOCKS, IV_CLOCKS = 64, 32


def product(x: int, y: int) -> int:
    """In GF(2^8) modulo x^8 + x^5 + x^3 + x + 1."""
    out = 0
    while y:
        out ^= x if y & 1 else 0
        x, y = (x << 1 ^ (0x12B if x & 0x80 else 0)), y >> 1
    return out


def small(x: int) -> int:
    """The S-box of a byte, x^7 + 7."""
    out = 1
    for _ in range(7):
        out = product(out, x)
    return out ^ 7


SMALL = [small(x) for x in range(256)]


def sbox(w: int) -> int:
    """The S-box of a word: that of each byte, and its bits to their places."""
    out = 0
    for i, places in enumerate(PLACES):
        s = SMALL[w >> 8 * i & 0xFF]
        for j, place in enumerate(places):
            out |= (s >> j & 1) << place
    return out


class Snow1:
    """a[0] to a[15] are the words a1, the newest, to a16."""

    def __init__(self, key: bytes, iv: bytes = b"") -> None:
        k = [int.from_bytes(key[i : i + 4], "big") for i in range(0, len(key), 4)]
        half = k + [w ^ MASK for w in k]
        self.a = half if len(key) == 32 else half + half
        self.r1 = self.r2 = 0
        if iv:
            self.a[3] ^= int.from_bytes(iv[:4], "big")
            self.a[0] ^= int.from_bytes(iv[4:], "big")
        for _ in range(IV_CLOCKS if iv else STANDARD_CLOCKS):
            self.clock(mixing=True)

    def f(self) -> int:
        return (self.a[0] + self.r1 & MASK) ^ self.r2

    def clock(self, mixing: bool = False) -> None:
        f, a = self.f(), self.a
        w = a[6] ^ a[12] ^ a[15] ^ (f if mixing else 0)
        turned = f + self.r2 & MASK
        self.r1, self.r2 = (turned << 7 & MASK | turned >> 25) ^ self.r1, sbox(self.r1)
        self.a = [(w << 1 & MASK) ^ (ALPHA if w >> 31 else 0), *a[:15]]

    def words(self) -> Iterator[int]:
        while True:
            yield self.f() ^ self.a[15]
            self.clock()


def keystream(key: bytes, iv: bytes, size: int) -> bytes:
    """The first `size` bytes; in standard mode without an iv."""
    words = Snow1(key, iv).words()
    return b"".join(next(words).to_bytes(4, "big") for _ in range(-(-size // 4)))[:size]
