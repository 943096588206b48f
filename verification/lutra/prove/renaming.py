"""Words with other bits in place of their unknowns."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import reduce

from lutra.prove.atoms import ONE, Atoms
from lutra.prove.values import Bit, Word


class Renaming:
    """A substitution of unknown bits in words.

    unknowns: the bit in place of an unknown, by its name; None for one that stays.
    """

    def __init__(self, atoms: Atoms, unknowns: Callable[[Hashable], Bit | None]) -> None:
        self._atoms, self._unknowns = atoms, unknowns
        self._known: dict[int, Bit] = {}
        self._done: dict[Bit, Bit] = {}
        self._tables: dict[int, int] = {}
        self._words: dict[Hashable, Word] = {}  # of which an atom is a bit, and inputs of tables by their number

    def __call__(self, word: Word) -> Word:
        """The word of the other bits."""
        return tuple(map(self._bit, word))

    def _bit(self, old: Bit) -> Bit:
        if old not in self._done:
            total: set[int] = set()
            for number in old:
                if number not in self._known:
                    self._known[number] = self._again(number)
                total ^= self._known[number]
            self._done[old] = frozenset(total)
        return self._done[old]

    def _once(self, key: Hashable, make: Callable[[], Word]) -> Word:
        if key not in self._words:
            self._words[key] = make()
        return self._words[key]

    def _table(self, old: int) -> int:
        """The number of a table of other entries."""
        if old not in self._tables:
            self._tables[old] = self._atoms.table(tuple(map(self, self._atoms.contents[old])))
        return self._tables[old]

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
                new = self._unknowns(name)
                return frozenset((number,)) if new is None else new
            case "product":
                return reduce(atoms.product, self(tuple(frozenset((factor,)) for factor in name)))
            case "and":
                return atoms.product(*self(tuple(name)))
            case "table":
                atoms.reuse.take(number)
                truth, inputs = name
                old = atoms.words_by_number[inputs]
                assert old is not None
                return atoms.lookup((truth,), self._once(inputs, lambda: self(old)))[0]
            case "name":
                (found,) = atoms.names.named((self._bit(name),))
                return found
            case "sum":
                terms, constant = key = name
                word = self._once(key, lambda: atoms.add([(self(word), n) for word, n in terms], constant))
            case "entry":
                (_, table), (index,) = key = name
                word = self._once(key, lambda: atoms.chosen(self._table(table), self(index)))
            case _:
                function, words = key = name
                kind, width, apply = atoms.functions[function]
                word = self._once(key, lambda: atoms.function(kind, function, width, apply, *map(self, words)))
        return tuple.__getitem__(word, number - atom.first)
