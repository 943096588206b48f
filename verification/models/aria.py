"""Round functions of ARIA as RFC 5794 writes them, on 16-byte values."""

from __future__ import annotations

# Indices of the bytes whose XOR is y_i (2.4.3).
DIFFUSION = [
    (3, 4, 6, 8, 9, 13, 14),
    (2, 5, 7, 8, 9, 12, 15),
    (1, 4, 6, 10, 11, 12, 15),
    (0, 5, 7, 10, 11, 13, 14),
    (0, 2, 5, 8, 11, 14, 15),
    (1, 3, 4, 9, 10, 14, 15),
    (0, 2, 7, 9, 10, 12, 13),
    (1, 3, 6, 8, 11, 12, 13),
    (0, 1, 4, 7, 10, 13, 15),
    (0, 1, 5, 6, 11, 12, 14),
    (2, 3, 5, 6, 8, 13, 15),
    (2, 3, 4, 7, 9, 12, 14),
    (1, 2, 6, 7, 9, 11, 12),
    (0, 3, 6, 7, 8, 10, 13),
    (0, 3, 4, 5, 9, 11, 14),
    (1, 2, 4, 5, 8, 10, 15),
]


def diffusion(x: bytes) -> bytes:
    """A of 2.4.3."""
    out = []
    for terms in DIFFUSION:
        value = 0
        for j in terms:
            value ^= x[j]
        out.append(value)
    return bytes(out)
