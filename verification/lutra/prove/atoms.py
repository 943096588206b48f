"""Unknown bits, and the terms that canonical forms are made of.

A bit is a set of atoms, of which it is the sum (XOR). Atom 0 is the constant one, so the constants are the empty set
and the set of atom 0. An atom is an unknown input, or a function of bits that is not linear; equal functions of equal
bits are one atom. So two bits that are equal sets are equal for all inputs. The converse does not hold: what is not
found equal may be so.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any

from lutra.prove.anything import Anything
from lutra.prove.limits import LEAST_PART, MANY, MOST_HELD, MOST_TERMS
from lutra.prove.names import Names
from lutra.prove.products import Products
from lutra.prove.results import Results
from lutra.prove.reuse import Reuse
from lutra.prove.truths import Spans, cofactor, essential
from lutra.prove.values import CONSTANTS as CONSTANTS
from lutra.prove.values import KNOWN as KNOWN
from lutra.prove.values import NONE as NONE
from lutra.prove.values import ONE as ONE
from lutra.prove.values import Atom, Mark, Values, all_ones, complement, wide
from lutra.prove.values import Bit as Bit
from lutra.prove.values import Word as Word
from lutra.prove.values import constant_word as constant_word
from lutra.prove.values import number as number


@dataclass
class Atoms:
    """All atoms of a proof.

    Paths that split, such as those for each length of a last block, mostly compute the same functions of a few other
    words. So where a path comes to its end, its atoms of tables are free, and the next one takes them in the same
    order for inputs of its own. What is made of them keeps its form, thus the next path finds it again. An atom is free
    only if no path that is left has taken it, and depends on atoms of smaller numbers only, so nothing that is in use
    changes its meaning.

    unused: raises an error where something else has words of a path that has come to its end. most_terms: of a product
    that is multiplied out. degree: of outputs of tables that are. functions: kind, width and value of those known by
    their arguments, by name. words_by_number: inputs of tables. contents: of tables whose entries are unknown, by
    number.
    """

    atoms: list[Atom | None] = field(default_factory=lambda: [Atom("one", ())])
    unused: Callable[[], None] = lambda: None
    most_terms: int = MOST_TERMS
    degree: int = 1
    _tables: dict[tuple[int, int], Bit] = field(default_factory=dict)  # by truth table and number of the inputs
    reuse: Reuse = field(default_factory=Reuse)
    _others: int = 0  # atoms that are not of tables
    _held: int = 0  # atoms in numbered words and in factors of products
    _tops: dict[int, int] = field(default_factory=dict)  # the greatest atom in a numbered word
    expanded: dict[tuple[int, int], Bit] = field(default_factory=dict)  # as `_tables`, of a small degree
    _known: dict[Hashable, Bit] = field(default_factory=dict)
    _unknown: dict[tuple[Hashable, int], Word] = field(default_factory=dict)
    _words: dict[Hashable, Word] = field(default_factory=dict)
    _numbers: dict[Word, int] = field(default_factory=dict)
    _contents: dict[tuple[Word, ...], int] = field(default_factory=dict)
    words_by_number: list[Word | None] = field(default_factory=list)
    contents: list[tuple[Word, ...]] = field(default_factory=list)
    functions: dict[Hashable, tuple[str, int, Callable[..., int]]] = field(default_factory=dict)
    _products: dict[frozenset[int], Bit] = field(default_factory=dict)  # by their factors
    _factors: dict[int, frozenset[int]] = field(default_factory=dict)
    spans: Spans = field(default_factory=Spans)
    _sums: dict[Word, tuple[dict[Word, int], int]] = field(default_factory=dict)
    anything: Anything = field(init=False)
    results: Results = field(init=False)
    names: Names = field(init=False)

    def __post_init__(self) -> None:
        self.anything = Anything(self.atoms)
        self.results = Results(self.atoms, self.reuse, self.anything)
        self.names = Names(self._named, self.reuse, self.anything)

    def _atom(self, kind: str, name: Hashable, value: Callable[[Values], int] | None = None) -> Bit:
        key = kind, name
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = frozenset((len(self.atoms),))
            self.atoms.append(Atom(kind, name, value))
            self._others += 1
        return found

    # ------------------------------------------------------------------ a part of a proof

    def mark(self) -> Mark:
        """Remember what there is now."""
        sizes = tuple(map(len, self._made()))
        atoms, numbered = len(self.atoms), len(self.words_by_number)
        path = len(self.reuse.trail), self.anything.taken
        return Mark(atoms, numbered, sizes, *path, self._held, self._others)

    def forget(self, mark: Mark) -> None:
        """Free the atoms of tables that were taken since, and forget what was made since, if there is much. Numbers of
        other atoms are not used again: what is left of these somewhere equals nothing new."""
        if len(self.reuse.trail) > mark.taken:
            self.unused()
        self.reuse.release(mark.taken, self.atoms)
        self.anything.taken = mark.anything
        own, held = self._others - mark.others, self._held - mark.held
        many = self._others + len(self._tables) >= MANY or self._held >= MOST_HELD
        if not many or (own < MANY // LEAST_PART and held < MOST_HELD // LEAST_PART):
            return
        self._held, self._others = mark.held, mark.others
        self.atoms[mark.atoms :] = [None] * (len(self.atoms) - mark.atoms)
        self.anything.forget(mark.atoms)
        self.words_by_number[mark.numbered :] = [None] * (len(self.words_by_number) - mark.numbered)
        for made_, size in zip(self._made(), mark.made, strict=True):
            while len(made_) > size:
                made_.popitem()  # the last one
        self._tables = {key: bit for key, bit in self._tables.items() if min(bit) < mark.atoms}
        self.names.known = {key: bit for key, bit in self.names.known.items() if max(bit) < mark.atoms}
        self.reuse.clear()
        self.expanded = {}
        self.results.clear()

    def _made(self) -> tuple[dict[Any, Any], ...]:
        return self._known, self._unknown, self._words, self._numbers, self._products, self._factors, self._sums

    def unknown(self, name: Hashable) -> Bit:
        """Return an input bit of any value."""
        made = self._atom("unknown", name)
        self.reuse.last = max(self.reuse.last, *made)
        return made

    def unknown_word(self, name: Hashable, width: int) -> Word:
        """Return a word of input bits of any value, each of which has the name and its place."""
        word = self._unknown.get((name, width))
        if word is None:
            word = self._unknown[name, width] = tuple(self.unknown((name, place)) for place in range(width))
        self.reuse.last = max((self.reuse.last, *chain.from_iterable(word)))
        return word

    # ------------------------------------------------------------------ products

    def product(self, a: Bit, b: Bit) -> Bit:
        """AND, as the sum of products of atoms where these are few."""
        if a <= ONE or b <= ONE:
            return (b if a else a) if a <= ONE else (a if b else b)
        if a == b or a ^ ONE == b:
            return a if a == b else NONE
        if not (self.anything.apart(a) and self.anything.apart(b)):
            return self.anything.bit()
        if (len(a) - (0 in a)) * (len(b) - (0 in b)) > self.most_terms:
            if self.degree > 1:
                return self.anything.bit()
            return self._opaque(a - ONE, b - ONE) ^ (a - ONE if 0 in b else NONE) ^ (b if 0 in a else NONE)
        if len(a) == len(b) == 1:
            ((i,), (j,)) = a, b
            return self._multiplied(self._monomial(i) | self._monomial(j))
        total: set[int] = set()
        others = list(map(self._monomial, b))
        for mine in map(self._monomial, a):
            for other in others:
                total ^= self._multiplied(mine | other)
        return frozenset(total)

    def _opaque(self, a: Bit, b: Bit) -> Bit:
        if a == b:
            return a
        self._held += len(a) + len(b)
        return self._atom("and", frozenset((a, b)), lambda values: values.of(a) & values.of(b))

    def _monomial(self, atom: int) -> frozenset[int]:
        return self._factors.get(atom) or (frozenset((atom,)) if atom else NONE)

    def _multiplied(self, factors: frozenset[int]) -> Bit:
        made = self._products.get(factors)
        if made is None:
            if len(factors) < 2:
                return factors or ONE
            made = self._products[factors] = frozenset((len(self.atoms),))
            self._factors[len(self.atoms)] = factors
            self.atoms.append(Atom("product", factors, partial(all_ones, factors)))
            self._others += 1
        return made

    # ------------------------------------------------------------------ tables

    def lookup(self, outputs: Sequence[int], inputs: Word) -> Word:
        """Look up: each output is a truth table, whose bit i is the value for input i."""
        inputs = tuple(inputs)
        for place, bit in enumerate(inputs):
            if bit <= ONE:
                outputs = [cofactor(t, len(inputs) - 1 - place, len(bit), len(inputs)) for t in outputs]
        if self.degree > 1:
            return tuple(map(Products(self, inputs).output, outputs))
        return tuple(self._essential(table, inputs) for table in outputs)

    def _essential(self, table: int, inputs: Word) -> Bit:
        """A boolean function of the inputs that it depends on."""
        table, places = essential(table, len(inputs))
        inputs = inputs if len(places) == len(inputs) else tuple(inputs[place] for place in places)
        return self.looked_up(table, inputs, self.numbered(inputs))

    def looked_up(self, table: int, inputs: Word, number: int) -> Bit:
        """A boolean function of unknown bits, as a sum of those that span all functions so far."""
        total = NONE
        for part in self.spans[len(inputs)].expressed(table):
            total ^= self.part(part, inputs, number)
        return total

    def part(self, table: int, inputs: Word, number: int) -> Bit:
        """One of the functions that span all others, of inputs that are not constants, by their number."""
        place = self.spans[len(inputs)].affine.get(table)
        if place is not None:
            return inputs[place] if place >= 0 else ONE
        made = self._tables.get((table, number))
        if made is None:
            made = self._tables[table, number] = self._free_atom(table, inputs, number)
        self.reuse.take(*made)
        return made

    def _free_atom(self, table: int, inputs: Word, number: int) -> Bit:
        """The first free atom of a truth table if it comes after all of the inputs, or a new one."""
        new = Atom("table", (table, number), lambda values: table >> values.number(inputs) & 1)
        atom = self.reuse.first(table, self._top(number, inputs))
        if atom is None:
            self.atoms.append(new)
            return frozenset((len(self.atoms) - 1,))
        old = self.atoms[atom]
        assert old is not None
        self.atoms[atom] = new
        return self._tables.pop(old.name)

    def _named(self, sum_: Bit) -> Bit:
        """The name of a sum: that of its complement, which the path has not, the first free one that comes after all of
        its atoms, or a new one."""
        new = Atom("name", sum_, lambda values: values.of(sum_))
        other = self.names.known.get(sum_)
        atom = self.reuse.first("name", max(sum_)) if other is None else max(other)
        if atom is None:
            self.atoms.append(new)
            self._others += 1
            return frozenset((len(self.atoms) - 1,))
        old = self.atoms[atom]
        assert old is not None
        self.names.free(old.name)
        self.atoms[atom] = new
        return frozenset((atom,))

    def _top(self, number: int, word: Word) -> int:
        if number not in self._tops:
            self._tops[number] = max(max(bit, default=0) for bit in word)
        return self._tops[number]

    # ------------------------------------------------------------------ sums

    def add(self, words: Sequence[tuple[Word, int]], constant: int = 0) -> Word:
        """The sum of words times numbers, modulo 2^width; sums of sums are one sum."""
        width = len(words[0][0])
        terms: dict[Word, int] = {}
        for word, times in words:
            parts, more = self._terms(word)
            for part, n in parts.items():
                terms[part] = (terms.get(part, 0) + n * times) % (1 << width)
            constant += more * times
        return self._sum({word: n for word, n in terms.items() if n}, constant % (1 << width), width)

    def _terms(self, word: Word) -> tuple[dict[Word, int], int]:
        """A word as a sum: that of which it is the result, itself, or by its complement, ~w = -w - 1."""
        if word in self._sums:
            return self._sums[word]
        if KNOWN.issuperset(word):
            return {}, number(word)
        *others, last = word
        if last <= ONE and not (others and others[0]):
            return self._counted(tuple(word))
        if KNOWN.issuperset(others):  # a constant, and one bit
            if 0 in last:
                return {wide(last ^ ONE, len(word)): -1}, number((*others, ONE))
            return {wide(last, len(word)): 1}, number((*others, NONE))
        if 0 in last:
            parts, more = self._terms(complement(word))
            return {part: -n for part, n in parts.items()}, -more - 1
        return {word: 1}, 0

    def _counted(self, word: Word) -> tuple[dict[Word, int], int]:
        """A word that ends with constants, such as a number of words in bits: a shorter one, times a power of two."""
        count = next(n for n, bit in enumerate(reversed(word)) if bit not in KNOWN)
        high = (*(NONE,) * count, *word[:-count])
        parts, more = self._terms(high)
        return {part: n << count for part, n in parts.items()}, (more << count) + number(word[-count:])

    def counter(self, word: Word) -> tuple[Word, int]:
        """A word as the sum of another one and a number."""
        terms, constant = self._terms(word)
        top = 1 << len(word)
        return (next(iter(terms)), constant % top) if [n % top for n in terms.values()] == [1] else (word, 0)

    def _sum(self, terms: dict[Word, int], constant: int, width: int) -> Word:
        if not terms:
            return constant_word(constant, width)
        if constant == 0 and list(terms.values()) == [1]:
            return next(iter(terms))
        if len(terms) == 1:
            ((word, n),) = terms.items()
            places = n.bit_length() - 1
            if n == 1 << places > constant and not any(word[: places + 1]):
                return (*tuple(word)[places:], *constant_word(constant, places))  # as `_counted` takes it apart
        if constant & 1:
            # A sum and its complement, -sum - 1, share atoms: those of the one with an even constant.
            top = 1 << width
            return complement(self._sum({word: top - n for word, n in terms.items()}, top - 1 - constant, width))
        if len(terms) == 1:
            ((word, n),) = terms.items()
            if word == wide(word[-1], width):
                if n == 1:
                    return (*constant_word(constant, width)[:-1], word[-1])
                if n == (1 << width) - 1 and not constant:
                    return (word[-1],) * width
        key = frozenset(terms.items()), constant
        found = self._words.get(key)
        if found is None:

            def value(values: Values) -> int:
                return sum(values.number(word) * n for word, n in terms.items()) + constant

            made = list(self._word("sum", key, width, value))
            # The last bit has no carry.
            made[-1] = CONSTANTS[constant & 1]
            for (*_, last), n in terms.items():
                made[-1] ^= last if n & 1 else NONE
            found = self._words[key] = tuple(made)
            self._sums[found] = terms, constant
        return found

    def _word(self, kind: str, key: Hashable, width: int, value: Callable[[Values], int]) -> Word:
        """A word of new atoms, which all are one object: there can be millions of them."""
        first = len(self.atoms)
        self.atoms += [Atom(kind, key, value, first, width)] * width
        self._others += width
        return tuple(frozenset((first + place,)) for place in range(width))

    def function(self, kind: str, name: Hashable, width: int, apply: Callable[..., int], *words: Word) -> Word:
        """A function of words that is known by its arguments only, or its value where they are constant."""
        if all(map(KNOWN.issuperset, words)):
            return constant_word(apply(*map(number, words)), width)
        self.functions[name] = kind, width, apply
        key = name, words
        if key not in self._words:

            def value(values: Values) -> int:
                return apply(*(values.number(word) for word in words))

            self._words[key] = self._word(kind, (name, words), width, value)
        return self._words[key]

    def table(self, entries: tuple[Word, ...]) -> int:
        """A number of a table of unknown entries, which is the same for equal ones."""
        found = self._contents.setdefault(entries, len(self.contents))
        if found == len(self.contents):
            self.contents.append(entries)
        return found

    def chosen(self, table: int, index: Word) -> Word:
        """The entry of such a table that an unknown index chooses, as a function of both."""
        key = ("entry", table), (index,)
        if key not in self._words:
            entries = self.contents[table]

            def value(values: Values) -> int:
                return values.number(entries[values.number(index)])

            self._words[key] = self._word("entry", key, len(entries[0]), value)
        return self._words[key]

    def numbered(self, word: Word) -> int:
        """A number of a word, in the order in which they come up."""
        found = self._numbers.setdefault(word, len(self.words_by_number))
        if found == len(self.words_by_number):
            self.words_by_number.append(word)
            self._held += sum(map(len, word))
        return found

    # ------------------------------------------------------------------ values

    def values(self, of: Callable[[Hashable], int]) -> Values:
        """Concrete values of all atoms; of: of an unknown, by its name."""
        values = Values()
        while len(values.known) < len(self.atoms):
            atom = self.atoms[len(values.known)]
            if atom is None:
                values.known.append(0)
                continue
            value = of(atom.name) if atom.value is None else atom.value(values)
            values.known += (value >> place & 1 for place in range(atom.width - 1, -1, -1))
        return values


_current = [Atoms()]


def current() -> Atoms:
    """The atoms of the proof that is made now."""
    return _current[-1]


@contextmanager
def fresh() -> Iterator[Atoms]:
    """Begin a proof with atoms of its own."""
    _current.append(Atoms())
    # Atoms make no cycles. Looking for some again and again would take half of the time.
    collects = gc.isenabled()
    gc.disable()
    try:
        yield _current[-1]
    finally:
        _current.pop()
        if collects:
            gc.enable()
