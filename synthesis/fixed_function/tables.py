"""The S-boxes and multiplications that the cores have, each with the section that defines it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from fixed_function import boxes
from fixed_function.boxes import AES_AFFINE, IDENTITY, Affine, Circuit, Map
from models import snow3g, zuc

FIRMWARE = Path(__file__).parents[2] / "firmware"
SQ = snow3g.SQ

# Camellia's s1(x) = h(g(f(x + 0xc5))) + 0x6e, g the inversion in GF((2^4)^2): bits a1 to a8, a1 the most significant
# ("Camellia: a 128-bit block cipher suitable for multiple platforms", 4.4.5). h follows from the table.
CAMELLIA_F = ((6, 2), (7, 1), (8, 5, 3), (8, 3), (7, 4), (5, 2), (8, 1), (6, 4))
CAMELLIA_POLYNOMIAL = 0x169
ALPHA = 238  # a power of a root of the polynomial

ZUC_POLYNOMIAL = 0x18B

# The tables of 4 bits that S0 is made of (design report of ZUC, 2011).
ZUC_P = (
    (9, 15, 0, 14, 15, 15, 2, 10, 0, 4, 0, 12, 7, 5, 3, 9),
    (8, 13, 6, 5, 7, 0, 12, 4, 11, 1, 14, 10, 15, 3, 9, 2),
    (2, 6, 10, 6, 0, 13, 10, 15, 3, 3, 13, 5, 0, 9, 12, 13),
)


def words(path: str) -> bytes:
    """The bytes of a firmware's table."""
    return bytes.fromhex("".join(re.findall(r'"([0-9a-f]{32})"', (FIRMWARE / path).read_text())))


def circuits() -> Iterator[tuple[str, str, Circuit]]:
    """Name, comment and circuit of each S-box that is made of one inversion."""
    aes = Affine(AES_AFFINE, 0x63)
    aria = boxes.around(words("aria/sboxes.inc")[1::4], Affine(IDENTITY))
    for name, comment, entry, leave in (
        ("aes", "FIPS 197 5.1.1", Affine(IDENTITY), aes),
        ("aes_inverse", "FIPS 197 5.3.2", aes.inverted(), Affine(IDENTITY)),
        ("aria_s2", "RFC 5794 2.4.2", Affine(IDENTITY), aria),
        ("aria_s2_inverse", "RFC 5794 2.4.2", aria.inverted(), Affine(IDENTITY)),
        ("camellia_s1", "RFC 3713 2.4.1", *around(words("camellia/sbox.inc"), _camellia_entry())),
        ("zuc_s1", "TS 35.222 3.4.2", *around(zuc.S1, Affine(boxes.field(ZUC_POLYNOMIAL)))),
    ):
        yield name, comment, boxes.best_circuit(entry, leave)


def around(table: bytes, entry: Affine) -> tuple[Affine, Affine]:
    return entry, boxes.around(table, entry)


def _camellia_entry() -> Affine:
    powers = [boxes.power(2, i, CAMELLIA_POLYNOMIAL) for i in range(255)]
    # a8 + a7 alpha + a6 alpha^2 + a5 alpha^3 + (a4 + ... + a1 alpha^3) beta, by i of a_i.
    weights = {8 - i: powers[(ALPHA * (i % 4) + i // 4) % 255] for i in range(8)}
    bit = {i: 1 << (8 - i) for i in range(1, 9)}
    inner = boxes.of_function(
        lambda x: boxes.total(
            weights[place] for place, terms in enumerate(CAMELLIA_F, 1) if sum(x & bit[i] > 0 for i in terms) % 2
        )
    )
    linear = boxes.after(boxes.field(CAMELLIA_POLYNOMIAL), inner)
    return Affine(linear, boxes.image(linear, 0xC5))


def multiplications() -> Iterator[tuple[str, str, Map]]:
    for name, comment, table in (
        ("mul_alpha", "MULalpha of TS 35.216 3.4.2", snow3g.ALPHA),
        ("div_alpha", "DIValpha of TS 35.216 3.4.3", snow3g.ALPHA_INVERSE),
    ):
        yield name, comment, tuple(sum((table[1 << j] >> i & 1) << j for j in range(8)) for i in range(32))
