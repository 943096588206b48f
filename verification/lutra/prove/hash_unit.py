"""The hash unit (isa/datapath.td) on words of unknown bits: its registers, and an operation for each end of a path.

The third of three: the others are iss/src/hash.hpp and rtl/lutra_hash.sv.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lutra.prove.bits import ZERO, Bits, join, multiple, once, total
from lutra.prove.errors import Unprovable
from lutra.prove.galois import product, product64

Field = tuple[int, tuple[int, ...]]
GF128: Field = 128, (0, 1, 2, 7)  # SP 800-38D 6.3; bits of a field, lower exponents of its polynomial
GF64: Field = 64, (0, 1, 3, 4)  # TS 35.215 4.3.2, in the last half of a row
FIELDS = GF128, GF64
WORDS = {GF128: 4, GF64: 2}  # of a factor


class HashUnit:
    """Factor, input and sum.

    Steps are counted and done when somebody looks: after as many as the field has words, the sum is the product, which
    is a function of both factors. taken, before: input and sum before the steps. field: of these.
    """

    def __init__(self) -> None:
        self._gh = self.taken = self.before = ZERO
        self.steps, self.field = 0, GF128

    def copy(self) -> HashUnit:
        """A unit of its own with the same contents."""
        out = HashUnit()
        out._gh, out.taken, out.before, out.steps = self._gh, self.taken, self.before, self.steps
        out.field = self.field
        return out

    @property
    def begun(self) -> int:
        """The steps, and the field of these if there are any, as a number."""
        return FIELDS.index(self.field) << 4 | self.steps if self.steps else 0

    @begun.setter
    def begun(self, number: int) -> None:
        self.field, self.steps = FIELDS[number >> 4], number & 15

    @property
    def gh(self) -> Bits:
        """The factor."""
        return self._gh

    @gh.setter
    def gh(self, x: Bits) -> None:
        self.load(self.gx, self.gy)
        self._gh = x

    @property
    def gx(self) -> Bits:
        """The input: the words that no step has used."""
        return join((ZERO[: 32 * self.steps], self.taken))[:128]

    @property
    def gy(self) -> Bits:
        """The sum."""
        if self.steps == 0:
            return self.before
        moved = self.before
        for _ in range(self.steps if moved != ZERO else 0):
            moved = _step(join((ZERO[:32], moved)), ZERO[:32], ZERO, self.field)
        if self.steps == WORDS[self.field] and self.field == GF128:
            return moved ^ product(self.taken, self.gh)
        if self.steps == WORDS[self.field] and self.gh[:64] == ZERO[:64]:
            half = product64(self.taken[64:].reversed(), self.gh[64:].reversed()).reversed()
            return moved ^ join((ZERO[:64], half))
        part = ZERO
        for word in self.taken.parts(32)[: -self.steps - 1 : -1]:
            part = _step(join((ZERO[:32], part)), word, self.gh, self.field)
        return moved ^ part

    def load(self, gx: Bits, gy: Bits) -> None:
        """Another input and another sum."""
        self.taken, self.before, self.steps = gx, gy, 0

    def take(self, x: Bits) -> None:
        """x and the sum become the input."""
        self.load(x ^ self.gy, ZERO)

    def horner(self, field: Field = GF128) -> None:
        """The sum times u^32, and the product of the factor by the last word of the input."""
        if self.steps and (self.steps == WORDS[field] or field != self.field):
            self.load(self.gx, self.gy)
        self.field = field
        self.steps += 1

    def window(self) -> None:
        """The sum and a product like that."""
        gx, gy = self.gx, self.gy
        self.load(join((ZERO[:32], gx[:96])), gy ^ _step(join((ZERO, ZERO[:32])), gx[96:], self.gh, GF128))

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


@once
def _step(turned: Bits, digit: Bits, factor: Bits, field: Field) -> Bits:
    """The sum of 160 bits and the product of a word by the factor, reduced."""
    rows = (join((ZERO[:i], multiple(digit[i], factor), ZERO[: 32 - i])) for i in range(32))
    whole = total([turned, *rows])
    beyond, width = whole[128:], field[0]
    folded = (join((ZERO[: 128 - width + n], beyond, ZERO))[:128] for n in field[1])
    return total([whole[:128], *folded])


def _to_factor(u: HashUnit, x: Bits, _: Bits) -> None:
    u.gh = x


def _to_input(u: HashUnit, x: Bits, _: Bits) -> None:
    u.load(x, ZERO)


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
    u.load(d.reversed(), u.gy)
    u.gh = x


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
