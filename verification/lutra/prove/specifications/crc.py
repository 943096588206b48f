"""Cyclic redundancy checks, bit by bit, by the parameters of the catalogue: width, polynomial, order of the bits.

The register has four bytes in the order in which the message is combined with them: a reflected one has its least
significant byte first, any other is left-justified.
"""

from __future__ import annotations

from lutra.firmware.polynomial import Polynomial
from lutra.prove.bits import Bits, join, times
from lutra.prove.specifications.modes import State

REGISTER = 4  # bytes


class Crc:
    """The register after a message; a unit is a byte."""

    outputs, continues, unit_bytes = False, 1, 1

    def __init__(self, polynomial: Polynomial) -> None:
        taps = Bits.number(polynomial.poly << 32 - polynomial.width, 32)
        # The first bit that enters is on the left.
        self.reflected, self.taps = polynomial.refin, taps

    def _ordered(self, register: Bits) -> Bits:
        return join(byte.reversed() for byte in register.bytes) if self.reflected else register

    def begin(self, iv: Bits) -> State:
        """The register that the host writes."""
        return {"register": iv[: 8 * REGISTER]}

    def step(self, state: State, unit: Bits) -> tuple[State, Bits]:
        """Eight divisions by the polynomial."""
        register = self._ordered(state["register"])
        register = register ^ join((unit.reversed() if self.reflected else unit, Bits.number(0, 24)))
        for _ in range(8):
            register = (register << 1) ^ times(register[0], self.taps)
        return {"register": self._ordered(register)}, unit

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """There is no output but the register."""
        raise NotImplementedError
