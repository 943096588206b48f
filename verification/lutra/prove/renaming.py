"""Words with other bits in place of their unknowns."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import reduce

from lutra.prove.atoms import ONE, Atoms
from lutra.prove.bits import Bits
from lutra.prove.galois import AGAIN
from lutra.prove.values import Bit, Word


class Renaming:
    """A substitution of unknown bits in words.

    unknowns: the bit in place of an unknown, by its name; None for one that stays.
    """

    def __init__(self, atoms: Atoms, unknowns: Callable[[Hashable], Bit | None]) -> None:
        self._atoms, self._unknowns = atoms, unknowns
        self._known: dict[int, Bit] = {}
        self._stay: set[int] = set()
        self._done: dict[Bit, Bit] = {}
        self._tables: dict[int, int] = {}
        self._words: dict[Hashable, Word] = {}  # of which an atom is a bit
        self._inputs: dict[int, tuple[Word, int | None]] = {}  # of tables, by the number of the old ones

    def __call__(self, word: Word) -> Word:
        """The word of the other bits."""
        return tuple(map(self._bit, word))

    def _bit(self, old: Bit) -> Bit:
        new = self._done.get(old)
        if new is None:
            known = self._known
            moved = [number for number in old - self._stay if number in known or self._moves(number)]
            total = set(old.difference(moved))
            for number in moved:
                total ^= known[number]
            new = self._done[old] = frozenset(total) if moved else old
        return new

    def _moves(self, number: int) -> bool:
        """Whether there is another bit in place of an atom that has not been met."""
        new = self._again(number)
        if new == {number}:
            self._stay.add(number)
            return False
        self._known[number] = new
        return True

    def _once(self, key: Hashable, make: Callable[[], Word]) -> Word:
        if key not in self._words:
            self._words[key] = make()
        return self._words[key]

    def _table(self, old: int) -> int:
        """The number of a table of other entries."""
        if old not in self._tables:
            self._tables[old] = self._atoms.table(tuple(map(self, self._atoms.contents[old])))
        return self._tables[old]

    def _looked(self, number: int) -> tuple[Word, int | None]:
        """Inputs of tables, and their number, if a function of the old ones is a function of all of these."""
        atoms = self._atoms
        old = atoms.words_by_number[number]
        assert old is not None
        new = self(old)
        if new == old:
            return new, number
        return new, None if atoms.degree > 1 or any(bit <= ONE for bit in new) else atoms.numbered(new)

    def _again(self, number: int) -> Bit:
        """An atom of other bits."""
        atoms = self._atoms
        atom = atoms.atoms[number]
        assert atom is not None
        name = atom.name
        match atom.kind:
            case "one":
                return ONE
            case "unknown":
                other = self._unknowns(name)
                return frozenset((number,)) if other is None else other
            case "product":
                return reduce(atoms.product, self(tuple(frozenset((factor,)) for factor in name)))
            case "and":
                return atoms.product(*self(tuple(name)))
            case "table":
                atoms.reuse.take(number)
                truth, inputs = name
                if inputs not in self._inputs:
                    self._inputs[inputs] = self._looked(inputs)
                new, again = self._inputs[inputs]
                if again == inputs:
                    return frozenset((number,))
                return atoms.lookup((truth,), new)[0] if again is None else atoms.part(truth, new, again)
            case "name":
                (found,) = atoms.names.named((self._bit(name),))
                return found
            case "sum":
                terms, constant = key = name
                word = self._once(key, lambda: atoms.add([(self(word), n) for word, n in terms], constant))
            case "entry":
                (_, table), (index,) = key = name
                word = self._once(key, lambda: atoms.chosen(self._table(table), self(index)))
            case kind if kind in AGAIN:
                _, (x, y) = key = name
                word = self._once(key, lambda: AGAIN[kind](Bits(self(x)), Bits(self(y))))
            case _:
                function, words = key = name
                kind, width, apply = atoms.functions[function]
                word = self._once(key, lambda: atoms.function(kind, function, width, apply, *map(self, words)))
        return tuple.__getitem__(word, number - atom.first)
