"""Bits that may be anything: new unknowns in place of functions that nobody asks for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field

from lutra.prove.values import Atom, Bit


@dataclass
class Anything:
    """Unknowns that a path takes one by one. Where it comes to its end its own are free, and the next path takes them
    in the same order.

    So they must not be in a result that is remembered from path to path, unless they were in its arguments.

    taken: how many the path has. apart: whether a bit is made of none of them.
    """

    atoms: list[Atom | None]
    taken: int = 0
    apart: Callable[[Bit], bool] = field(init=False)
    _bits: list[Bit] = field(default_factory=list)
    _numbers: list[int] = field(default_factory=list)  # the atoms in these, in order
    _all: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.apart = self._all.isdisjoint

    def bit(self) -> Bit:
        """The next one."""
        if self.taken == len(self._bits):
            number = len(self.atoms)
            self.atoms.append(Atom("unknown", ("anything", number)))
            self._bits.append(frozenset((number,)))
            self._numbers.append(number)
            self._all.add(number)
        self.taken += 1
        return self._bits[self.taken - 1]

    def forget(self, atoms: int) -> None:
        """There are only so many atoms."""
        left = bisect_left(self._numbers, atoms)
        self._all.difference_update(self._numbers[left:])
        del self._bits[left:], self._numbers[left:]
