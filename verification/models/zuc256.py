"""ZUC-256 as its designers write it (The ZUC-256 Stream Cipher, 2018): another first state; its MAC bit by bit."""

from __future__ import annotations

from models import zuc

# The constants d0 to d15 by the bits of the tag; 0 is the keystream.
REST = (0x2A, 0x6D, *(0x40,) * 8, 0x52, 0x10, 0x30)
D = {
    0: (0x22, 0x2F, 0x24, *REST),
    32: (0x22, 0x2F, 0x25, *REST),
    64: (0x23, 0x2F, 0x24, *REST),
    128: (0x23, 0x2F, 0x25, *REST),
}


class Zuc256(zuc.Zuc):
    """iv: iv0 to iv16 of eight bits, iv17 to iv24 of six."""

    def __init__(self, key: bytes, iv: bytes, tag_bits: int = 0) -> None:
        k, v = key, [*iv[:17], *(x & 0x3F for x in iv[17:])]
        d = D[tag_bits]
        parts = [
            *((k[i], d[i], k[21 + i], k[16 + i]) for i in range(5)),
            (v[0], d[5] | v[17], k[5], k[26]),
            (v[1], d[6] | v[18], k[6], k[27]),
            (v[10], d[7] | v[19], k[7], v[2]),
            (k[8], d[8] | v[20], v[3], v[11]),
            (k[9], d[9] | v[21], v[12], v[4]),
            (v[5], d[10] | v[22], k[10], k[28]),
            (k[11], d[11] | v[23], v[6], v[13]),
            (k[12], d[12] | v[24], v[7], v[14]),
            (k[13], d[13], v[15], v[8]),
            (k[14], d[14] | k[31] >> 4, v[16], v[9]),
            (k[15], d[15] | k[31] & 0xF, k[30], k[29]),
        ]
        self.s = [a << 23 | b << 16 | c << 8 | e for a, b, c, e in parts]
        self.r = [0, 0]
        self.w = 0


class Zuc256Of3gpp(zuc.Zuc):
    """256-NEA6 (TS 35.246): an IV of 16 bytes, 48 clocks."""

    D = bytes.fromhex("64437b2a110551421a311866142e015c")

    def __init__(self, key: bytes, iv: bytes) -> None:
        third, fourth = key[16:23] + iv[:8] + key[23:24], key[24:31] + iv[8:] + key[31:]
        parts = zip(key[:16], self.D, third, fourth, strict=True)
        self.s = [a << 23 | d << 16 | b << 8 | c for a, d, b, c in parts]
        self.r = [0, 0]
        self.w = 0

    def start(self) -> None:
        for _ in range(16):
            self.clock(init=True)
        super().start()


def keystream_3gpp(key: bytes, iv: bytes, size: int) -> bytes:
    """The first `size` bytes of 256-NEA6."""
    return zuc.bytes_of(Zuc256Of3gpp(key, iv), size)


def keystream(key: bytes, iv: bytes, size: int) -> bytes:
    """The first `size` bytes."""
    return zuc.bytes_of(Zuc256(key, iv), size)


def mac(key: bytes, iv: bytes, tag_bits: int, message: bytes, bits: int) -> bytes:
    """The tag of the first bits of a message."""
    size = 4 * (-(-bits // 32) + 2 * tag_bits // 32)
    z = int.from_bytes(zuc.bytes_of(Zuc256(key, iv, tag_bits), size), "big")

    def window(at: int) -> int:
        return z >> 8 * size - tag_bits - at & (1 << tag_bits) - 1

    tag = window(0)
    for i in range(bits):
        if message[i // 8] << i % 8 & 0x80:
            tag ^= window(tag_bits + i)
    return (tag ^ window(tag_bits + bits)).to_bytes(tag_bits // 8, "big")
