"""Outputs of tables of a small degree, which are multiplied out."""

from __future__ import annotations

from typing import Protocol

from lutra.prove.anything import Anything
from lutra.prove.limits import MOST_MULTIPLIED
from lutra.prove.truths import multiplied
from lutra.prove.values import ONE, Bit, Word


class Maker(Protocol):
    """Atoms as look-ups need them. expanded: outputs by truth table and number of the inputs."""

    anything: Anything
    degree: int
    expanded: dict[tuple[int, int], Bit]

    def numbered(self, word: Word) -> int: ...
    def looked_up(self, table: int, inputs: Word, number: int) -> Bit: ...
    def product(self, a: Bit, b: Bit) -> Bit: ...


class Products:
    """Products of the inputs of a table, by their places; outputs that have the same ones share them."""

    def __init__(self, atoms: Maker, inputs: Word) -> None:
        self._atoms, self._inputs = atoms, inputs
        self._made: dict[tuple[int, ...], Bit] = {}
        apart = atoms.anything.apart
        self._anything = frozenset(place for place, bit in enumerate(inputs) if not apart(bit))
        self._many = sum(map(len, inputs)) > MOST_MULTIPLIED
        self._numbers: dict[tuple[int, ...], int] = {}  # of inputs, by their places

    def output(self, table: int) -> Bit:
        """An output, by its truth table."""
        atoms, inputs = self._atoms, self._inputs
        table, places, products, affine = multiplied(table, len(inputs), atoms.degree)
        if affine:
            assert products is not None
            return self._sum(products)
        if not self._anything.isdisjoint(places) or (
            self._many and sum(len(inputs[place]) for place in places) > MOST_MULTIPLIED
        ):
            return atoms.anything.bit()
        if places not in self._numbers:
            self._numbers[places] = atoms.numbered(tuple(inputs[place] for place in places))
        key, before = (table, self._numbers[places]), atoms.anything.taken
        if (found := atoms.expanded.get(key)) is not None:
            return found
        if products is None:
            return atoms.looked_up(table, tuple(inputs[place] for place in places), key[1])
        made = self._sum(products)
        if atoms.anything.taken == before:
            atoms.expanded[key] = made
        return made

    def _sum(self, products: tuple[tuple[int, ...], ...]) -> Bit:
        total = set[int]()
        for places in products:
            total ^= self._product(places)
        return frozenset(total)

    def _product(self, places: tuple[int, ...]) -> Bit:
        made = self._made.get(places)
        if made is None:
            if len(places) < 2:
                return self._inputs[places[0]] if places else ONE
            made = self._atoms.product(self._product(places[:-1]), self._inputs[places[-1]])
            self._made[places] = made
        return made
