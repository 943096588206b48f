"""Trivium as its specification writes it (De Canniere and Preneel, eSTREAM, 2005), one step after the other."""

from __future__ import annotations


def bits(data: bytes) -> list[int]:
    """The first bit is the first of the last byte: eSTREAM's order."""
    return [byte >> 7 - i & 1 for byte in reversed(data) for i in range(8)]


def keystream(key: bytes, iv: bytes, size: int) -> bytes:
    """The first `size` bytes, the first bit of each its last."""
    s = [0, *bits(key), *[0] * 13, *bits(iv)]  # s[1] is s1; 2.2
    s += [0] * (286 - len(s)) + [1, 1, 1]
    out = bytearray(size)
    for step in range(-4 * 288, 8 * size):
        t1, t2, t3 = s[66] ^ s[93], s[162] ^ s[177], s[243] ^ s[288]  # 2.1
        if step >= 0:
            out[step // 8] |= (t1 ^ t2 ^ t3) << step % 8
        t1 ^= s[91] & s[92] ^ s[171]
        t2 ^= s[175] & s[176] ^ s[264]
        t3 ^= s[286] & s[287] ^ s[69]
        s = [0, t3, *s[1:93], t1, *s[94:177], t2, *s[178:288]]
    return bytes(out)
