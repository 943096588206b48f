"""Every block function of isa/datapath.td as written in its standard, on z3's bit-vectors.

Byte 0 is the most significant. The immediate is a number: a proof covers every one. These were written
independently of the SystemVerilog and the C++; `test_specification.py` compares them with the C++ and the models of
`verification/models`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import TypeAlias

import z3

from models import aria as aria_model
from models import camellia as camellia_model

Bits: TypeAlias = z3.BitVecRef


def parts(x: Bits, size: int) -> list[Bits]:
    """Slices of `size` bits, the most significant first."""
    return [z3.Extract(top, top - size + 1, x) for top in range(x.size() - 1, -1, -size)]


def join(items: Sequence[Bits]) -> Bits:
    """The inverse of `parts`."""
    return z3.Concat(*items) if len(items) > 1 else items[0]


def total(items: Sequence[Bits]) -> Bits:
    """XOR of all."""
    return reduce(lambda a, b: a ^ b, items)


def bit(x: Bits, i: int) -> z3.BoolRef:
    """Bit i, 0 the least significant, as a condition."""
    return z3.Extract(i, i, x) == 1


def rotate(x: Bits, n: int) -> Bits:
    """Rotate to the left."""
    n %= x.size()
    return join([z3.Extract(x.size() - 1 - n, 0, x), z3.Extract(x.size() - 1, x.size() - n, x)]) if n else x


def constant(value: int, size: int) -> Bits:
    """A number as a term of `size` bits."""
    return z3.BitVecVal(value, size)


def zero(size: int) -> Bits:
    """`size` bits, all zero."""
    return constant(0, size)


# ------------------------------------------------------------------------------- logic


def add(x: Bits, y: Bits, size: int) -> Bits:
    """Sums of lanes of `size` bits, modulo 2^size."""
    return join([a + b for a, b in zip(parts(x, size), parts(y, size), strict=True)])


def subtract(x: Bits, y: Bits, size: int) -> Bits:
    """Differences of lanes, likewise."""
    return join([a - b for a, b in zip(parts(x, size), parts(y, size), strict=True)])


# ---------------------------------------------------------------------------- crossbar


def shift_rows(x: Bits, shift: int = 1) -> Bits:
    """FIPS 197 5.1.2: s'[r, c] = s[r, (c + r) mod 4]; the state is arranged in columns (3.4)."""
    s = parts(x, 8)
    return join([s[r + 4 * ((c + shift * r) % 4)] for c in range(4) for r in range(4)])


def permute(x: Bits, y: Bits) -> Bits:
    """Byte i is the byte of x that byte i of y names."""

    def chosen(control: Bits) -> Bits:
        out = zero(8)
        for i, byte in enumerate(parts(x, 8)):
            out = z3.If(control & 0x8F == i, byte, out)
        return out

    # Bits 4 to 6 of the control are ignored; bit 7 makes the byte zero.
    return join([chosen(c) for c in parts(y, 8)])


def align(x: Bits, y: Bits, n: int) -> Bits:
    """The 16 bytes from byte n on of x followed by y."""
    return join((parts(x, 8) + parts(y, 8))[n : n + 16])


def broadcast(x: Bits, n: int) -> Bits:
    """Byte n in all 16 places."""
    return join([parts(x, 8)[n]] * 16)


def by_lanes(x: Bits, n: int, function: Callable[[Bits, int], Bits]) -> Bits:
    """Apply a function to every lane and the amount, both given by the immediate (isa/operands.td)."""
    size = next(s for s in (128, 64, 32, 16, 8) if n < 256 - s)
    return join([function(lane, n - (256 - 2 * size)) for lane in parts(x, size)])


def shift(x: Bits, n: int) -> Bits:
    """Shift to the left, or to the right if n is negative; zeros are shifted in."""
    if n == 0:
        return x
    if abs(n) == x.size():
        return zero(x.size())
    if n > 0:
        return z3.Concat(z3.Extract(x.size() - 1 - n, 0, x), zero(n))
    return z3.Concat(zero(-n), z3.Extract(x.size() - 1, -n, x))


def rotate_bytes(x: Bits, n: int) -> Bits:
    """Rotate lanes to the left by whole bytes."""
    return by_lanes(x, n, lambda lane, by: rotate(lane, 8 * (by // 8)))


def left_bytes(x: Bits, n: int) -> Bits:
    """Shift lanes to the left by whole bytes."""
    return by_lanes(x, n, lambda lane, by: shift(lane, 8 * (by // 8)))


def right_bytes(x: Bits, n: int) -> Bits:
    """Rotate lanes right by bytes, rounded up; of those that come in, the first stays and the others become 0."""

    def right(lane: Bits, by: int) -> Bits:
        count = -(-by // 8)
        turned = parts(rotate(lane, -8 * count), 8)
        return join([zero(8) if 0 < i < count else byte for i, byte in enumerate(turned)])

    return by_lanes(x, n, right)


# ---------------------------------------------------------------------- linear layers


def rotate_bits(x: Bits, n: int) -> Bits:
    """Rotate lanes to the left by the bits beyond whole bytes."""
    return by_lanes(x, n, lambda lane, by: rotate(lane, by % 8))


def left_bits(x: Bits, n: int) -> Bits:
    """Shift lanes to the left by the bits beyond whole bytes."""
    return by_lanes(x, n, lambda lane, by: shift(lane, by % 8))


def right_bits(x: Bits, n: int) -> Bits:
    """The rest of a shift to the right: a shift to the left; the lane's first byte is only shifted in."""

    def right(lane: Bits, by: int) -> Bits:
        first, *others = parts(lane, 8)
        entering = join([zero(8), *others, first])
        return z3.Extract(lane.size() + 7, 8, shift(entering, -by % 8)) if by else lane

    return by_lanes(x, n, right)


def lanes_carried_out(x: Bits, row: Bits, n: int, right: bool) -> Bits:
    """The lanes of a row for which a shift of x by one moves out a one."""
    size = next(s for s in (128, 64, 32, 16, 8) if n < 256 - s)
    pairs = zip(parts(row, size), parts(x, size), strict=True)
    return join([z3.If(bit(lane, 0 if right else size - 1), own, zero(size)) for own, lane in pairs])


def spread_word(x: Bits, n: int) -> Bits:
    """The bytes of a sum of words, each four times; bit 3 of n stands for the first word."""
    word = total([zero(32), *(w for i, w in enumerate(parts(x, 32)) if n >> (3 - i) & 1)])
    return join([byte for byte in parts(word, 8) for _ in range(4)])


def fold_words(x: Bits) -> Bits:
    """The sum of the words, as the last word."""
    return join([zero(96), total(parts(x, 32))])


def turn(x: Bits, words: int) -> Bits:
    """Rotate words to the left."""
    return rotate(x, 32 * words)


def rotate_third(c: Bits, n: int) -> Bits:
    """The third register as it enters the path, unchanged if bit 5 of n is set."""
    return c if n & 32 else turn(c, n // 64)


def rotate_words(x: Bits, n: int) -> Bits:
    """Rotate every word by n mod 32 bits."""
    return join([rotate(w, n % 32) for w in parts(x, 32)])


def sum_turned(x: Bits, p: Bits, y: Bits, n: int) -> tuple[Bits, Bits]:
    """The sum, turned if bit 5 of n is set, and the rotated sum of the other two."""
    return (turn(x, n // 64) if n & 32 else x), rotate_words(p ^ y, n)


def sum_rotated(x: Bits, p: Bits, y: Bits, n: int) -> tuple[Bits, Bits]:
    """The rotated sum; x is unused."""
    return (rotate_words(p ^ y, n),) * 2


def words_rotated(x: Bits, p: Bits, y: Bits, z: Bits) -> tuple[Bits, Bits]:
    """The words of a sum, each rotated by its own amount; x is unused."""
    pairs = zip(parts(p ^ y, 32), parts(z, 32), strict=True)
    return (join([word << (n & 31) | z3.LShR(word, zero(32) - n & 31) for word, n in pairs]),) * 2


def times(a: Bits, factor: int, modulus: int) -> Bits:
    """Multiply by a constant in GF(2)[x] modulo the polynomial with low byte `modulus` (FIPS 197 4.2)."""
    out = zero(8)
    while factor:
        if factor & 1:
            out = out ^ a
        a = (a << 1) ^ z3.If(bit(a, 7), constant(modulus, 8), zero(8))
        factor >>= 1
    return out


def columns(x: Bits, first: Sequence[int]) -> Bits:
    """Every column times the circulant matrix with this first row (FIPS 197 5.1.3, 5.3.3)."""
    s = parts(x, 8)
    return join(
        [total([times(s[4 * c + i], first[(i - r) % 4], 0x1B) for i in range(4)]) for c in range(4) for r in range(4)]
    )


def prefix_xor32(x: Bits) -> Bits:
    """Word i is the XOR of words 0 to i (the words of a round key in FIPS 197 5.2)."""
    words = parts(x, 32)
    return join([total(words[: i + 1]) for i in range(4)])


def byte_sums(x: Bits, terms: Sequence[Sequence[int]], first: int = 0) -> Bits:
    """Byte i is the XOR of the bytes that row i of the table names, counted from `first`."""
    t = parts(x, 8)
    return join([total([t[j - first] for j in row]) for row in terms])


def camellia_p(x: Bits) -> Bits:
    """RFC 3713 2.4.1, either half."""
    return join([byte_sums(half, camellia_model.P_TERMS, 1) for half in parts(x, 64)])


def double128(x: Bits) -> Bits:
    """SP 800-38B 6.1."""
    return (x << 1) ^ z3.If(bit(x, 127), constant(0x87, 128), zero(128))


# ------------------------------------------------------------------------------- pairs


def fl(x: Bits, key: Bits) -> Bits:
    """RFC 3713 2.4.2."""
    (x1, x2), (k1, k2) = parts(x, 32), parts(key, 32)
    x2 = x2 ^ rotate(x1 & k1, 1)
    x1 = x1 ^ (x2 | k2)
    return join([x1, x2])


def flinv(y: Bits, key: Bits) -> Bits:
    """RFC 3713 2.4.3."""
    (y1, y2), (k1, k2) = parts(y, 32), parts(key, 32)
    y1 = y1 ^ (y2 | k2)
    y2 = y2 ^ rotate(y1 & k1, 1)
    return join([y1, y2])


Pair = tuple[Bits, Bits]


def pair_pack(x: Bits, p: Bits, y: Bits) -> Pair:
    """Two blocks of Camellia to a pair of rows: the left halves, the right halves."""
    (xh, xl), (ph, pl) = parts(x ^ y, 64), parts(p ^ y, 64)
    return join([ph, xh]), join([pl, xl])


def pair_split(x: Bits, p: Bits, y: Bits) -> Pair:
    """The halves of a row, each in front of zeros."""
    high, low = parts(x ^ p ^ y, 64)
    return join([high, zero(64)]), join([low, zero(64)])


def pair_fl(x: Bits, p: Bits, y: Bits) -> Pair:
    """FL of both halves of x with the key's left part, FL^-1 of those of p with its right part."""
    key_x, key_p = parts(y, 64)
    return join([fl(h, key_x) for h in parts(x, 64)]), join([flinv(h, key_p) for h in parts(p, 64)])


def pair_join(x: Bits, p: Bits, y: Bits, z: Bits) -> Pair:
    """The halves of a pair exchanged as in `pair_pack`; z is added before, y after."""
    (vh, vl), (ph, pl) = parts(x ^ z, 64), parts(p, 64)
    return join([ph, vh]) ^ y, join([pl, vl]) ^ y


@dataclass(frozen=True)
class Specification:
    """A function of a block: arguments as in the description, and how it is proven."""

    function: Callable[..., Bits | Pair]
    method: str


POLYNOMIAL = "normal form over GF(2)"
SMT = "SMT"

# By symbol. Functions of the stream unit are in stream_specification.py, since they have state.
FUNCTIONS: dict[str, Specification] = {
    "logic_xor": Specification(lambda x, y, z: x ^ y ^ z, POLYNOMIAL),
    "logic_and": Specification(lambda x, y, z: (x & y) ^ z, POLYNOMIAL),
    "logic_or": Specification(lambda x, y, z: (x | y) ^ z, POLYNOMIAL),
    "logic_andn": Specification(lambda x, y, z: (x & ~y) ^ z, POLYNOMIAL),
    **{f"add{size}": Specification(partial(add, size=size), SMT) for size in (8, 16, 32, 64, 128)},
    **{f"sub{size}": Specification(partial(subtract, size=size), SMT) for size in (8, 16, 32, 64, 128)},
    "shift_rows": Specification(shift_rows, POLYNOMIAL),
    "inv_shift_rows": Specification(lambda x: shift_rows(x, -1), POLYNOMIAL),
    "permute": Specification(permute, SMT),
    "align": Specification(align, POLYNOMIAL),
    "broadcast": Specification(broadcast, POLYNOMIAL),
    "rotate_bytes": Specification(rotate_bytes, POLYNOMIAL),
    "left_bytes": Specification(left_bytes, POLYNOMIAL),
    "right_bytes": Specification(right_bytes, POLYNOMIAL),
    "rotate_bits": Specification(rotate_bits, POLYNOMIAL),
    "left_bits": Specification(left_bits, POLYNOMIAL),
    "right_bits": Specification(right_bits, POLYNOMIAL),
    "spread_word": Specification(spread_word, POLYNOMIAL),
    "fold_words": Specification(fold_words, POLYNOMIAL),
    "mix_columns": Specification(lambda x: columns(x, (2, 3, 1, 1)), POLYNOMIAL),
    "inv_mix_columns": Specification(lambda x: columns(x, (14, 11, 13, 9)), POLYNOMIAL),
    "prefix_xor32": Specification(prefix_xor32, POLYNOMIAL),
    "aria_diffusion": Specification(lambda x: byte_sums(x, aria_model.DIFFUSION), POLYNOMIAL),
    "camellia_p": Specification(camellia_p, POLYNOMIAL),
    "double128": Specification(double128, POLYNOMIAL),
    "pair_pack": Specification(pair_pack, POLYNOMIAL),
    "pair_split": Specification(pair_split, POLYNOMIAL),
    "pair_fl": Specification(pair_fl, POLYNOMIAL),
    "pair_join": Specification(pair_join, POLYNOMIAL),
    "pair_xor": Specification(lambda x, p, y, z: (x ^ y ^ z, p), POLYNOMIAL),
    "sum_turned": Specification(sum_turned, POLYNOMIAL),
    "sum_rotated": Specification(sum_rotated, POLYNOMIAL),
    "words_rotated": Specification(words_rotated, SMT),
}
