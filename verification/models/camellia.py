"""Parts of Camellia as RFC 3713 writes them, and the packed pairs of the instructions, on 16-byte values."""

from __future__ import annotations

from models.lanes import lanes, unlanes, xor

# 2.4.1: indices, from 1, of the t whose XOR is y_i.
P_TERMS = [
    (1, 3, 4, 6, 7, 8),
    (1, 2, 4, 5, 7, 8),
    (1, 2, 3, 5, 6, 8),
    (2, 3, 4, 5, 6, 7),
    (1, 2, 6, 7, 8),
    (2, 3, 5, 7, 8),
    (3, 4, 5, 6, 8),
    (1, 4, 5, 6, 7),
]

Pair = tuple[bytes, bytes]


def p_half(t: bytes) -> bytes:
    """P of eight bytes."""
    out = []
    for terms in P_TERMS:
        value = 0
        for j in terms:
            value ^= t[j - 1]
        out.append(value)
    return bytes(out)


def p(x: bytes) -> bytes:
    """P of either half."""
    return p_half(x[:8]) + p_half(x[8:])


def _rotated(x: int) -> int:
    return (x << 1 | x >> 31) & 0xFFFFFFFF


def fl_half(x: bytes, key: bytes) -> bytes:
    """FL (2.4.2)."""
    (x1, x2), (k1, k2) = lanes(x, 4), lanes(key, 4)
    x2 ^= _rotated(x1 & k1)
    x1 ^= x2 | k2
    return unlanes([x1, x2], 4)


def flinv_half(y: bytes, key: bytes) -> bytes:
    """FLINV (2.4.3)."""
    (y1, y2), (k1, k2) = lanes(y, 4), lanes(key, 4)
    y1 ^= y2 | k2
    y2 ^= _rotated(y1 & k1)
    return unlanes([y1, y2], 4)


def fl(x: bytes, y: bytes, k0: bytes, k1: bytes) -> Pair:
    """FL of D1 and FLINV of D2, two blocks; the keys are the low halves of the key rows."""
    return (
        fl_half(x[:8], k0[8:]) + fl_half(x[8:], k0[8:]),
        flinv_half(y[:8], k1[8:]) + flinv_half(y[8:], k1[8:]),
    )


def split(s: bytes) -> Pair:
    """D1 and D2 of one block."""
    return s[:8] + bytes(8), s[8:] + bytes(8)


def pack(a: bytes, b: bytes) -> Pair:
    """D1 and D2 of two blocks."""
    return a[:8] + b[:8], a[8:] + b[8:]


def join(x: bytes, y: bytes, k0: bytes, k1: bytes) -> Pair:
    """D2 || D1 of either block, with the last whitening."""
    kw = k0[8:] + k1[8:]
    return xor(y[:8] + x[:8], kw), xor(y[8:] + x[8:], kw)


def twice(key: bytes) -> bytes:
    """A round key for both blocks."""
    return key[:8] * 2
