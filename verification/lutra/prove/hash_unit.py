"""The hash unit (isa/datapath.td) on words of unknown bits: its registers, and an operation for each end of a path.

The third of three: the others are iss/src/hash.hpp and rtl/lutra_hash.sv.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from lutra.prove.bits import ZERO, Bits, join, times, total
from lutra.prove.errors import Unprovable

GF128 = 128, (0, 1, 2, 7)  # SP 800-38D 6.3; bits of a field, lower exponents of its polynomial
GF64 = 64, (0, 1, 3, 4)  # TS 35.215 4.3.2, in the last half of a row


@dataclass
class HashUnit:
    """Factor, input and sum."""

    gh: Bits = ZERO
    gx: Bits = ZERO
    gy: Bits = ZERO

    def copy(self) -> HashUnit:
        """A unit of its own with the same contents."""
        return replace(self)

    def take(self, x: Bits) -> None:
        """x and the sum become the input."""
        self.gx, self.gy = x ^ self.gy, ZERO

    def _step(self, turned: Bits, field: tuple[int, tuple[int, ...]]) -> None:
        """Add the product of the last word of the input by the factor to 160 bits, and reduce them."""
        digit = self.gx[96:]
        rows = (times(digit[i], join((ZERO[:i], self.gh, ZERO[: 32 - i]))) for i in range(32))
        whole = total([turned, *rows])
        beyond, width = whole[128:], field[0]
        folded = (join((ZERO[: 128 - width + n], beyond, ZERO))[:128] for n in field[1])
        self.gy = total([whole[:128], *folded])
        self.gx = join((ZERO[:32], self.gx[:96]))

    def horner(self, field: tuple[int, tuple[int, ...]] = GF128) -> None:
        """The sum times u^32, and a digit's product."""
        self._step(join((ZERO[:32], self.gy)), field)

    def window(self) -> None:
        """The sum and a digit's product."""
        before, nothing = self.gy, join((ZERO, ZERO[:32]))
        self._step(nothing, GF128)
        self.gy = self.gy ^ before

    def beside(self, h: int, moved: Bits, row: Bits) -> None:
        """Effects next to a path, bits of HashBeside (isa/registers.td)."""
        if h & 1:
            self.horner()
        if h & 2:
            self.take(moved)
        if h & 4:
            self.take(row)

    def end(self, what: str, x: Bits, d: Bits) -> None:
        """The effect at the end of a path, by the record of its function."""
        if what not in ENDS:
            raise Unprovable("multiplication modulo 2^130 - 5 has no canonical form yet")
        ENDS[what](self, x, d)


def _to_factor(u: HashUnit, x: Bits, _: Bits) -> None:
    u.gh = x


def _to_input(u: HashUnit, x: Bits, _: Bits) -> None:
    u.gx, u.gy = x, ZERO


def _field_fold(u: HashUnit, _: Bits, __: Bits) -> None:
    u.horner(GF64)
    u.take(u.gx)


def _field_add(u: HashUnit, x: Bits, _: Bits) -> None:
    u.horner(GF64)
    u.take(x.reversed())


def _window_step(u: HashUnit, x: Bits, _: Bits) -> None:
    u.window()
    u.gh = x


def _window_next(u: HashUnit, x: Bits, d: Bits) -> None:
    u.window()
    u.gx, u.gh = d.reversed(), x


ENDS: Mapping[str, Callable[[HashUnit, Bits, Bits], None]] = {
    "ToFactor": _to_factor,
    "ToInput": _to_input,
    "ToReversed": lambda u, x, d: _to_input(u, x.reversed(), d),
    "AddInput": lambda u, x, _: u.take(x),
    "HashStep": lambda u, _, __: u.horner(),
    "FieldStep": lambda u, _, __: u.horner(GF64),
    "FieldFold": _field_fold,
    "FieldAdd": _field_add,
    "WindowStep": _window_step,
    "WindowNext": _window_next,
}
