"""A path of a job that goes over an array of units in memory again and again, and writes it over: key wrap.

In every round, the specification has the units that the round before has left. Those of a round are unknown by their
number, whatever they are: where the machine has the units of the specification at their places, both go on with these.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from lutra.firmware.wrap import TEXT
from lutra.prove.affine import Affine, Ranges
from lutra.prove.arrays import NUMBER, Array, Parts
from lutra.prove.bits import ZERO, Bits
from lutra.prove.errors import Unprovable
from lutra.prove.machine import Machine
from lutra.prove.memory import Memory
from lutra.prove.places import State
from lutra.prove.specifications.wrap import ROUNDS, Unwrap, Wrap
from lutra.prove.track import INPUT, NOWHERE, OUTPUT, Differs

UNIT = 8


class Rewritten(Memory):
    """A memory with arrays, over which rows are written: these hide what the arrays have at the same place."""

    def write(self, at: Affine, data: Bits, ranges: Ranges) -> None:
        """Bytes as the program writes them."""
        arrays, self.arrays = self.arrays, ()
        super().write(at, data, ranges)
        self.arrays = arrays

    def part(self, at: Affine, ranges: Ranges) -> Parts | None:
        """Where a byte of an array comes from; None where a row may have been written over it."""
        if any(True for _ in self._meeting(at, 1, ranges, self._cells)):
            return None
        return super().part(at, ranges)


@dataclass
class Path:
    """A path of a job: the machine, the specification's state, and how far both are.

    units: how many there are. first, offset: A at the beginning, and where the input's units begin. round: rounds that
    are done. done: units of the next one. made: units that the specification has computed one by one, by round and
    number; no loop has made these. a: at the end.
    """

    machine: Machine
    wrap: Wrap | Unwrap
    units: Affine
    first: Bits
    offset: int
    state: State | None = None
    round: int = 0
    done: Affine = NOWHERE
    made: dict[tuple[int, Affine], Bits] = field(default_factory=dict)
    memories: int = 0  # that have been made
    a: Bits = ZERO

    def copy(self) -> Path:
        """A path of its own."""
        return replace(self, machine=self.machine.copy(), made=dict(self.made))

    def restrict(self, name: str, value: Affine) -> None:
        """From here on a symbol has a value."""
        self.machine.restrict(name, value)
        self.units, self.done = self.units.with_(name, value), self.done.with_(name, value)
        self.made = {(of, i.with_(name, value)): unit for (of, i), unit in self.made.items()}

    def number(self, done: Affine) -> Affine:
        """The number of the unit that follows so many."""
        return self.units - 1 - done if self.wrap.backwards else done

    def place(self, number: Affine) -> Affine:
        """Where a unit is in memory."""
        return number * UNIT + TEXT

    def unit(self, number: Affine, of: int | None = None) -> Bits:
        """A unit at the beginning of a round, which is this one unless `of` says another one."""
        of = self.round if of is None else of
        if (made := self.made.get((of, number))) is not None:
            return made
        block, offset = self.source(of)
        return self.machine.memories[block].first(number * UNIT + offset, UNIT)

    def source(self, of: int) -> tuple[int, int]:
        """The memory that has the names of a round's units, and where they begin."""
        return (INPUT, self.offset) if of == 0 else (OUTPUT + of, 0)

    def begun(self) -> State:
        """The specification's state, at the beginning if no step is done."""
        if self.state is None:
            self.state = self.wrap.begin(self.first, self.machine.number(self.units * ROUNDS))
        return self.state

    def advance(self, count: int) -> None:
        """Do units of the specification one by one."""
        if not count:
            return
        state = self.begun()
        for _ in range(count):
            number = self.number(self.done)
            state, out = self.wrap.step(state, self.unit(number))
            self.made = {**self.made, (self.round + 1, number): out}
            self.done = self.done + 1
            if self.done == self.units:
                self.round, self.done = self.round + 1, Affine(0)
        self.state = state

    def left(self) -> int:
        """Units of this round that are left. Unprovable where that is not known."""
        left = self.units - self.done
        if not left.known or left.constant < 0:
            raise Unprovable(f"{left} units of a round are left")
        return left.constant

    def settle(self) -> None:
        """Come to the end of a round, compare, and give the units names. Differs where the machine has others."""
        if self.done != Affine(0):
            self.advance(self.left())
        self._covered(self.machine.memories[OUTPUT])
        block, offset = self.source(self.round)
        self.made = {}
        self.machine.memories[OUTPUT] = self.memory([(Affine(0), self.units, block, offset)])

    def _covered(self, memory: Memory) -> None:
        """Check that arrays and rows have all units of a round. Differs where they may have others."""
        made = {number: unit for (of, number), unit in self.made.items() if of == self.round}
        block, offset = self.source(self.round)
        least, most = Affine(0), self.units  # those that no step has made one by one
        while least in made:
            least = least + 1
        while most - 1 in made:
            most = most - 1
        begin = self.place(least)
        whole = [array for array in memory.arrays if self._whole(array, begin, block, offset + least.constant * UNIT)]
        if not any(
            (array.base + array.count * array.by - self.place(most)).range(self.machine.ranges)[0] >= 0
            for array in whole
        ):
            raise Differs(f"the units after {self.round} rounds are not found")
        for number, unit in made.items():
            at = self.place(number)
            if [memory.known(at + i) for i in range(UNIT)] != unit.bytes:
                raise Differs(f"the unit {number} after {self.round} rounds differs")
        for terms, parts in memory.written().items():
            for i, byte in parts.items():
                self._fits(Affine(i, terms), byte, made)

    @staticmethod
    def _whole(array: Array, begin: Affine, block: int, offset: int) -> bool:
        """Whether an array has the units from an address on."""
        parts = {i: ((block, Affine.symbol(NUMBER) * array.by + offset + i),) for i in range(array.by)}
        return array.base == begin and array.by > 0 and array.cells == parts

    def _fits(self, at: Affine, byte: Bits, made: dict[Affine, Bits]) -> None:
        """Differs where a byte of a row that was written is not that of the unit at its place."""
        ranges = self.machine.ranges
        if (at - self.place(Affine(0))).range(ranges)[1] < 0 or (at - self.place(self.units)).range(ranges)[0] >= 0:
            return
        apart = at - TEXT
        if any(times % UNIT for _, times in apart.terms):
            raise Differs(f"a row at {at} may be written over units")
        number = Affine(apart.constant // UNIT, tuple((name, times // UNIT) for name, times in apart.terms))
        unit = made.get(number) or self.unit(number)
        if unit.bytes[apart.constant % UNIT] != byte:
            raise Differs(f"the byte at {at} after {self.round} rounds differs")

    def memory(self, parts: list[tuple[Affine, Affine, int, int]]) -> Rewritten:
        """A memory that has units: the first one, how many, and where their names are."""
        self.memories += 1
        made = Rewritten(f"m{OUTPUT} {self.memories}", self.machine.memories[OUTPUT].size)
        made.lenient = True
        made.arrays = tuple(
            Array(
                self.place(begin),
                UNIT,
                count,
                {i: ((block, (begin + Affine.symbol(NUMBER)) * UNIT + offset + i),) for i in range(UNIT)},
            )
            for begin, count, block, offset in parts
        )
        return made

    def halves(self) -> Rewritten:
        """The memory within a round: units that are done, and those that are not."""
        old, new = self.source(self.round), self.source(self.round + 1)
        done, left = self.done, self.units - self.done
        if self.wrap.backwards:
            return self.memory([(left, done, *new), (Affine(0), left, *old)])
        return self.memory([(Affine(0), done, *new), (done, left, *old)])
