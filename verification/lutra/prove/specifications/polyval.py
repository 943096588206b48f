"""POLYVAL (RFC 8452 3) as what its appendix A makes of it: GHASH of blocks with their bytes in reverse."""

from __future__ import annotations

from lutra.prove.bits import Bits, join
from lutra.prove.galois import product

_X = Bits.number(1 << 126, 128)  # the polynomial x, where the first bit of a block is the coefficient of 1


def byte_reversed(block: Bits) -> Bits:
    """ByteReverse."""
    return join(block.bytes[::-1])


def factor(h: Bits) -> Bits:
    """mulX_GHASH(ByteReverse(H)), the factor of GHASH."""
    return product(byte_reversed(h), _X)


def absorbed(total: Bits, h: Bits, block: Bits, bits: int = 128) -> Bits:
    """The sum that is multiplied next, after a block that is filled with zeros from so many bits on. h: as of GHASH."""
    return product(total, h) ^ byte_reversed(join((block[:bits], Bits.number(0, 128 - bits))))
