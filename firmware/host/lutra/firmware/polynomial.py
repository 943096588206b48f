"""A CRC by its parameters, and the tables for slicing that the host computes for it."""

from __future__ import annotations

from functools import cache
from typing import Annotated

from msgspec import Meta, Struct

from lutra.firmware.errors import FirmwareError

ENTRIES = 256
SLICES = 8
REGISTER_BYTES = 4
WIDTHS = range(1, 33)


class Polynomial(Struct, frozen=True, forbid_unknown_fields=True):
    """A parametrised CRC (catalogue of parametrised CRC algorithms, reveng).

    poly without its leading term; poly, init and xorout are numbers of `width` bits. FirmwareError on another width.
    """

    width: Annotated[int, Meta(ge=WIDTHS[0], le=WIDTHS[-1])]
    poly: int
    init: int
    refin: bool
    refout: bool
    xorout: int

    def __post_init__(self) -> None:
        if self.width not in WIDTHS:
            raise FirmwareError(f"a CRC of {self.width} bits; the tables support {WIDTHS[0]} to {WIDTHS[-1]} bits")

    def register(self, value: int) -> bytes:
        """A value of the CRC as the firmware's register: four bytes in the order in which the message meets them."""
        if self.refin:
            return _reflected(value, self.width).to_bytes(REGISTER_BYTES, "little")
        return (value << (32 - self.width)).to_bytes(REGISTER_BYTES, "big")

    def value(self, register: bytes) -> int:
        """The CRC of a register after the message."""
        if self.refin:
            value = _reflected(int.from_bytes(register, "little"), self.width)
        else:
            value = int.from_bytes(register, "big") >> (32 - self.width)
        return (_reflected(value, self.width) if self.refout else value) ^ self.xorout

    def after(self, register: bytes) -> bytes:
        """The register after one zero byte: eight shifts."""
        poly = self.register(self.poly)
        if self.refin:
            value, feedback = int.from_bytes(register, "little"), int.from_bytes(poly, "little")
            for _ in range(8):
                value = value >> 1 ^ (feedback if value & 1 else 0)
            return value.to_bytes(REGISTER_BYTES, "little")
        value, feedback = int.from_bytes(register, "big"), int.from_bytes(poly, "big")
        for _ in range(8):
            value = (value << 1 ^ (feedback if value >> 31 else 0)) & 0xFFFFFFFF
        return value.to_bytes(REGISTER_BYTES, "big")


@cache
def tables(polynomial: Polynomial) -> tuple[bytes, ...]:
    """Contents of t0 and t1: row e, word j is the register after byte e and 7-j, or 3-j, zero bytes."""
    slices: list[list[bytes]] = [[polynomial.after(bytes([e, 0, 0, 0])) for e in range(ENTRIES)]]
    for _ in range(SLICES - 1):
        slices.append([polynomial.after(register) for register in slices[-1]])
    banks = (slices[:3:-1], slices[3::-1])
    return tuple(b"".join(s[e] for e in range(ENTRIES) for s in bank) for bank in banks)


def _reflected(value: int, width: int) -> int:
    return int(f"{value:0{width}b}"[::-1], 2)
