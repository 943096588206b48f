"""The functions of the datapath's blocks (isa/datapath.td) on words of unknown bits, one per Symbol.

The third of three: the others are iss/src/functions.hpp and rtl/lutra_functions_pkg.sv.
"""

from __future__ import annotations

from functools import partial

from lutra.prove.atoms import Bit, current
from lutra.prove.bits import ZERO, Bits, Table, apply, join, times, total
from lutra.prove.errors import Unprovable
from lutra.prove.stream import *  # noqa: F403  (the functions of the stream unit, by their Symbols as well)

Pair = tuple[Bits, Bits]


def logic_xor(x: Bits, y: Bits, z: Bits) -> Bits:
    return x ^ y ^ z


def logic_and(x: Bits, y: Bits, z: Bits) -> Bits:
    return (x & y) ^ z


def logic_or(x: Bits, y: Bits, z: Bits) -> Bits:
    return (x | y) ^ z


def logic_andn(x: Bits, y: Bits, z: Bits) -> Bits:
    return (x & ~y) ^ z


def _add(width: int, x: Bits, y: Bits) -> Bits:
    return join(a + b for a, b in zip(x.parts(width), y.parts(width), strict=True))


def _sub(width: int, x: Bits, y: Bits) -> Bits:
    return join(a - b for a, b in zip(x.parts(width), y.parts(width), strict=True))


add8, add16, add32, add64, add128 = (partial(_add, width) for width in (8, 16, 32, 64, 128))
sub8, sub16, sub32, sub64, sub128 = (partial(_sub, width) for width in (8, 16, 32, 64, 128))


def lookup(x: Bits, bank: list[Table]) -> Bits:
    names = current().names
    x = Bits(names.found(x)) if names.known else x
    return join(table[byte] for table, byte in zip(bank, x.bytes, strict=True))


# ---------------------------------------------------------------------------- crossbar


def _rows(x: Bits, shift: int) -> Bits:
    s = x.bytes
    return join(s[r + 4 * ((c + shift * r) % 4)] for c in range(4) for r in range(4))


shift_rows, inv_shift_rows = partial(_rows, shift=1), partial(_rows, shift=-1)


def permute(x: Bits, y: Bits) -> Bits:
    if not y.known:
        raise Unprovable("the control vector of a permutation is not constant")
    s = x.bytes
    return join(s[c % 16] if c < 128 else ZERO[:8] for c in y.to_bytes())


def align(x: Bits, y: Bits, n: int) -> Bits:
    return join((x, y))[8 * n : 8 * n + 128]


def broadcast(x: Bits, n: int) -> Bits:
    return join([x.bytes[n]] * 16)


def lane_shift(n: int) -> tuple[int, int]:
    """The width of a lane and the number of bits that an immediate says (isa/operands.td)."""
    width = 128
    while n >= 256 - width:
        width //= 2
    return width, n - (256 - 2 * width)


def rotate_bytes(x: Bits, n: int) -> Bits:
    width, by = lane_shift(n)
    return join(lane.rotated(by - by % 8) for lane in x.parts(width))


def left_bytes(x: Bits, n: int) -> Bits:
    width, by = lane_shift(n)
    return join(lane << by - by % 8 for lane in x.parts(width))


def right_bytes(x: Bits, n: int) -> Bits:
    width, by = lane_shift(n)
    count = (by + 7) // 8
    lanes = (lane.rotated(width - 8 * count).bytes for lane in x.parts(width))
    return join(ZERO[:8] if 0 < i < count else byte for lane in lanes for i, byte in enumerate(lane))


# ---------------------------------------------------------------------------- linear layers


def _xtime(x: Bits) -> Bits:
    """Bytes times x in GF(2^8) modulo x^8+x^4+x^3+x+1 (FIPS 197 4.2.1)."""
    out: list[Bit] = []
    for b7, b6, b5, b4, b3, b2, b1, b0 in x.parts(8):
        out += (b6, b5, b4, b3 ^ b7, b2 ^ b7, b1, b0 ^ b7, b7)
    return Bits(out)


def _turned(x: Bits, rows: int) -> Bits:
    """Columns whose row r takes row r + `rows`."""
    return join(column.rotated(8 * rows) for column in x.parts(32))


def mix_columns(x: Bits) -> Bits:
    """2a + 3b + c + d = a + (a+b+c+d) + 2(a+b) (FIPS 197 5.1.3)."""
    pair = x ^ _turned(x, 1)
    return x ^ pair ^ _turned(pair, 2) ^ _xtime(pair)


def inv_mix_columns(x: Bits) -> Bits:
    """The inverse polynomial is the forward one times 5 + 4x^2 (FIPS 197 5.3.3)."""
    return mix_columns(x ^ _xtime(_xtime(x ^ _turned(x, 2))))


def prefix_xor32(x: Bits) -> Bits:
    words = x.parts(32)
    return join(total(words[: i + 1]) for i in range(4))


def aria_diffusion(x: Bits) -> Bits:
    s = x.bytes
    return join(total(s[j] for j in row) for row in _ARIA)


# RFC 5794 2.4.3: the bytes whose XOR is y_i.
_ARIA = [
    *((3, 4, 6, 8, 9, 13, 14), (2, 5, 7, 8, 9, 12, 15), (1, 4, 6, 10, 11, 12, 15), (0, 5, 7, 10, 11, 13, 14)),
    *((0, 2, 5, 8, 11, 14, 15), (1, 3, 4, 9, 10, 14, 15), (0, 2, 7, 9, 10, 12, 13), (1, 3, 6, 8, 11, 12, 13)),
    *((0, 1, 4, 7, 10, 13, 15), (0, 1, 5, 6, 11, 12, 14), (2, 3, 5, 6, 8, 13, 15), (2, 3, 4, 7, 9, 12, 14)),
    *((1, 2, 6, 7, 9, 11, 12), (0, 3, 6, 7, 8, 10, 13), (0, 3, 4, 5, 9, 11, 14), (1, 2, 4, 5, 8, 10, 15)),
]


def rotate_bits(x: Bits, n: int) -> Bits:
    width, by = lane_shift(n)
    return join(lane.rotated(by % 8) for lane in x.parts(width))


def left_bits(x: Bits, n: int) -> Bits:
    width, by = lane_shift(n)
    return join(lane << by % 8 for lane in x.parts(width))


def right_bits(x: Bits, n: int) -> Bits:
    width, by = lane_shift(n)
    left = -by % 8
    if by == 0:
        return x
    return join(_right(lane, left) for lane in x.parts(width))


def _right(lane: Bits, left: int) -> Bits:
    """Take back what a rotation by whole bytes has moved too far: to the left, the first byte coming in at the end."""
    without = join((ZERO[:8], lane[8:])) << left
    return without ^ (join((ZERO[: len(lane) - 8], lane[:8])) >> 8 - left)


def spread_word(x: Bits, n: int) -> Bits:
    word = total([ZERO[:32], *(part for i, part in enumerate(x.parts(32)) if n >> 3 - i & 1)])
    return join(byte for byte in word.bytes for _ in range(4))


def fold_words(x: Bits) -> Bits:
    return join((ZERO[:96], total(x.parts(32))))


def double128(x: Bits) -> Bits:
    return (x << 1) ^ times(x[0], Bits.number(0x87, 128))


def camellia_p(x: Bits) -> Bits:
    halves = (half.bytes for half in x.parts(64))
    return join(total(t[j - 1] for j in row) for t in halves for row in _CAMELLIA)


# RFC 3713 2.4.1: the t, from 1, whose XOR is y_i.
_CAMELLIA = [
    *((1, 3, 4, 6, 7, 8), (1, 2, 4, 5, 7, 8), (1, 2, 3, 5, 6, 8), (2, 3, 4, 5, 6, 7)),
    *((1, 2, 6, 7, 8), (2, 3, 5, 7, 8), (3, 4, 5, 6, 8), (1, 4, 5, 6, 7)),
]

# ---------------------------------------------------------------------------- pairs and side operands


def pair_pack(v: Pair, y: Bits) -> Pair:
    x, p = v[0] ^ y, v[1] ^ y
    return join((p[:64], x[:64])), join((p[64:], x[64:]))


def pair_split(v: Pair, y: Bits) -> Pair:
    s = v[0] ^ v[1] ^ y
    return join((s[:64], ZERO[:64])), join((s[64:], ZERO[:64]))


def _fl(x: Bits, key: Bits) -> Bits:
    (left, right), (k1, k2) = x.parts(32), key.parts(32)
    right ^= (left & k1).rotated(1)
    return join((left ^ (right | k2), right))


def _fl_inverse(y: Bits, key: Bits) -> Bits:
    (left, right), (k1, k2) = y.parts(32), key.parts(32)
    left ^= right | k2
    return join((left, right ^ (left & k1).rotated(1)))


def pair_fl(v: Pair, y: Bits) -> Pair:
    return (
        join(_fl(half, y[:64]) for half in v[0].parts(64)),
        join(_fl_inverse(half, y[64:]) for half in v[1].parts(64)),
    )


def pair_join(v: Pair, y: Bits, z: Bits) -> Pair:
    x, p = v[0] ^ z, v[1]
    return join((p[:64], x[:64])) ^ y, join((p[64:], x[64:])) ^ y


def pair_xor(v: Pair, y: Bits, z: Bits) -> Pair:
    return v[0] ^ y ^ z, v[1]


def high_twice(x: Bits) -> Bits:
    return join((x[:64], x[:64]))


def low_halves(x: Bits, y: Bits) -> Bits:
    return join((x[64:], y[64:]))


def onto(x: Bits, key: Bits) -> Bits:
    return x ^ key


def lanes_carried_out(x: Bits, row: Bits, n: int, right: bool) -> Bits:
    width, _ = lane_shift(n)
    return join(
        times(lane[-1 if right else 0], own) for lane, own in zip(x.parts(width), row.parts(width), strict=True)
    )


def rotate_third(x: Bits, n: int) -> Bits:
    return x if n & 32 else x.rotated(32 * (n // 64))


def _words(x: Bits, n: int) -> Bits:
    return join(word.rotated(n % 32) for word in x.parts(32))


def sum_turned(v: Pair, y: Bits, n: int) -> Pair:
    return v[0].rotated(32 * (n // 64)) if n & 32 else v[0], _words(v[1] ^ y, n)


def sum_rotated(v: Pair, y: Bits, n: int) -> Pair:
    out = _words(v[1] ^ y, n)
    return out, out


def words_rotated(v: Pair, y: Bits, z: Bits) -> Pair:
    out = join(rotated_by(word, by[-5:]) for word, by in zip((v[1] ^ y).parts(32), z.parts(32), strict=True))
    return out, out


def rotated_by(word: Bits, by: Bits) -> Bits:
    """A word of 32 bits, rotated to the left by five bits."""
    return word.rotated(by.value) if by.known else apply("rotate", 32, _rotated, word, by)


def _rotated(word: int, by: int) -> int:
    return (word << by | word >> 32 - by) & 0xFFFFFFFF


def __getattr__(name: str) -> object:
    """A function of an extension from outside."""
    if name.startswith("__"):
        raise AttributeError(name)
    raise Unprovable(f"block function {name} is not among those on unknown values")
