"""GF(2^128), as SP 800-38D 6.3 writes it: the first bit of a block is the coefficient of 1. GF(2^64), as TS 35.215
4.3.2 writes it: the last bit is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lutra.prove.atoms import ONE, current
from lutra.prove.bits import ZERO, Bits, apply, total

R = 0xE1 << 120
UNIT = 1 << 127  # the factor that changes nothing
INPUTS = 7  # of a truth table of 128 bits


def multiplied(x: int, y: int) -> int:
    """The product (6.3)."""
    z, v = 0, y
    for place in range(127, -1, -1):
        z ^= v if x >> place & 1 else 0
        v = v >> 1 ^ (R if v & 1 else 0)
    return z


def product(x: Bits, y: Bits) -> Bits:
    """The product of blocks, known by its factors: equal factors have equal products.

    Constants in a factor are multiplied by themselves, so (x ^ c) y is x y ^ c y.
    """
    (x, c), (y, d) = _parted(x), _parted(y)
    return _unknown(x, y) ^ _multiple(c, y) ^ _multiple(d, x) ^ Bits.number(multiplied(c, d), 128)


def _parted(x: Bits) -> tuple[Bits, int]:
    """A block without a constant, and the constant."""
    constant = Bits(bit & ONE for bit in x)
    return x ^ constant, constant.value


def _unknown(x: Bits, y: Bits) -> Bits:
    return ZERO if ZERO in (x, y) else apply("product in GF(2^128)", 128, multiplied, x, y)


def _multiple(c: int, y: Bits) -> Bits:
    """A constant times a block, as the sum of those that span all multiples so far: a constant is like a truth table of
    seven inputs."""
    if not c or y == ZERO:
        return ZERO
    parts = current().spans[INPUTS].expressed(c)
    return total(y if part == UNIT else _unknown(Bits.number(part, 128), y) for part in parts)


def multiplied64(v: int, p: int) -> int:
    """MUL with c = 0x1b (TS 35.215 4.3.2): the product modulo x^64 + x^4 + x^3 + x + 1."""
    out = 0
    for place in range(64):
        out ^= p if v >> place & 1 else 0
        p = (p << 1 ^ 0x1B) & (1 << 64) - 1 if p >> 63 else p << 1
    return out


def product64(v: Bits, p: Bits) -> Bits:
    """The product of halves of a block, known by its factors as they are."""
    if v.known and v.value < 2:
        return p if v.value else v
    if p.known and p.value < 2:
        return v if p.value else p
    return apply("product in GF(2^64)", 64, multiplied64, v, p)


# A product of other words than before, by its kind: constants in them change its form.
AGAIN: Mapping[str, Callable[[Bits, Bits], Bits]] = {"product in GF(2^128)": product, "product in GF(2^64)": product64}
