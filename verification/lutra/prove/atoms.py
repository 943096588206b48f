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
from functools import cache, partial, reduce
from typing import Any

Bit = frozenset[int]
Word = tuple[Bit, ...]  # the most significant bit first
NONE: Bit = frozenset()
ONE: Bit = frozenset((0,))
CONSTANTS = NONE, ONE
KNOWN = frozenset(CONSTANTS)
# A product of sums is multiplied out if it has at most so many terms.
MOST_TERMS = 64
# A function is a sum of at most so many others, or one itself: many tables span all functions.
MOST_PARTS = 24
# With so many atoms, a proof forgets those of a path that has come to its end: they can take 5,000 bytes each.
MANY = 250_000


@dataclass(frozen=True)
class Atom:
    """An atom: its kind, what it depends on, and its value if that is known. value: of an unknown, None."""

    kind: str
    name: Any
    value: Callable[[Values], int] | None = None


class Values:
    """Concrete values of the first atoms."""

    def __init__(self) -> None:
        self.known = [1]

    def of(self, bit: Bit) -> int:
        """The value of a bit whose atoms are known."""
        return sum(map(self.known.__getitem__, bit)) & 1

    def number(self, word: Word) -> int:
        """The value of a word, its first bit the most significant."""
        value = 0
        for bit in word:
            value = value << 1 | self.of(bit)
        return value


@dataclass(frozen=True)
class Mark:
    """How many atoms, numbered words and other results there are."""

    atoms: int
    numbered: int
    made: tuple[int, ...]


@dataclass
class Atoms:
    """All atoms of a proof."""

    atoms: list[Atom | None] = field(default_factory=lambda: [Atom("one", ())])
    memo: dict[Hashable, Any] = field(default_factory=dict)  # results that are made of atoms
    _known: dict[Hashable, Bit] = field(default_factory=dict)
    _words: dict[Hashable, Word] = field(default_factory=dict)
    _numbers: dict[Word, int] = field(default_factory=dict)
    _numbered: list[Word | None] = field(default_factory=list)
    _functions: dict[Hashable, tuple[str, int, Callable[..., int]]] = field(default_factory=dict)
    _factors: dict[int, frozenset[int]] = field(default_factory=dict)
    _spans: dict[int, Span] = field(default_factory=dict)
    _sums: dict[Word, tuple[dict[Word, int], int]] = field(default_factory=dict)

    def _atom(self, kind: str, name: Hashable, value: Callable[[Values], int] | None = None) -> Bit:
        key = kind, name
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = frozenset((len(self.atoms),))
            self.atoms.append(Atom(kind, name, value))
        return found

    # ------------------------------------------------------------------ a part of a proof

    def mark(self) -> Mark:
        """Remember what there is now."""
        return Mark(len(self.atoms), len(self._numbered), tuple(map(len, self._made())))

    def forget(self, mark: Mark) -> None:
        """Forget what was made since, if there is much. Numbers are not used again: what is left of it somewhere equals
        nothing new."""
        if len(self._known) < MANY:
            return
        self.atoms[mark.atoms :] = [None] * (len(self.atoms) - mark.atoms)
        self._numbered[mark.numbered :] = [None] * (len(self._numbered) - mark.numbered)
        for made, size in zip(self._made(), mark.made, strict=True):
            while len(made) > size:
                made.popitem()  # the last one

    def _made(self) -> tuple[dict[Any, Any], ...]:
        return self.memo, self._known, self._words, self._numbers, self._factors, self._sums

    def unknown(self, name: Hashable) -> Bit:
        """Return an input bit of any value."""
        return self._atom("unknown", name)

    # ------------------------------------------------------------------ products

    def product(self, a: Bit, b: Bit) -> Bit:
        """AND, as the sum of products of atoms where these are few."""
        if a <= ONE or b <= ONE:
            return (b if a else a) if a <= ONE else (a if b else b)
        if a == b or a ^ ONE == b:
            return a if a == b else NONE
        if len(a) * len(b) > MOST_TERMS:
            return self._opaque(a - ONE, b - ONE) ^ (a - ONE if 0 in b else NONE) ^ (b if 0 in a else NONE)
        total = NONE
        others = [self._monomial(j) for j in b]
        for i in a:
            mine = self._monomial(i)
            for other in others:
                total ^= self._multiplied(mine | other)
        return total

    def _opaque(self, a: Bit, b: Bit) -> Bit:
        if a == b:
            return a
        return self._atom("and", frozenset((a, b)), lambda values: values.of(a) & values.of(b))

    def _monomial(self, atom: int) -> frozenset[int]:
        return self._factors.get(atom, frozenset((atom,)) if atom else NONE)

    def _multiplied(self, factors: frozenset[int]) -> Bit:
        if len(factors) < 2:
            return factors or ONE
        made = self._atom("product", factors, lambda values: int(all(values.known[i] for i in factors)))
        (atom,) = made
        self._factors[atom] = factors
        return made

    # ------------------------------------------------------------------ tables

    def lookup(self, outputs: Sequence[int], inputs: Word) -> Word:
        """Look up: each output is a truth table, whose bit i is the value for input i."""
        inputs = tuple(inputs)
        for place, bit in enumerate(inputs):
            if bit <= ONE:
                outputs = [cofactor(t, len(inputs) - 1 - place, len(bit), len(inputs)) for t in outputs]
        return tuple(self._essential(table, inputs) for table in outputs)

    def _essential(self, table: int, inputs: Word) -> Bit:
        """A boolean function of the inputs that it depends on."""
        table, places = essential(table, len(inputs))
        inputs = inputs if len(places) == len(inputs) else tuple(inputs[place] for place in places)
        return self._looked_up(table, inputs, self.numbered(inputs))

    def _looked_up(self, table: int, inputs: Word, number: int) -> Bit:
        """A boolean function of unknown bits, as a sum of those that span all functions so far."""
        total = NONE
        if len(inputs) not in self._spans:
            self._spans[len(inputs)] = Span(len(inputs))
        for part in self._spans[len(inputs)].expressed(table):
            total ^= self._part(part, inputs, number)
        return total

    def _part(self, table: int, inputs: Word, number: int) -> Bit:
        place = self._spans[len(inputs)].affine.get(table)
        if place is not None:
            return inputs[place] if place >= 0 else ONE
        return self._atom("table", (table, number), lambda values: table >> values.number(inputs) & 1)

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
        if KNOWN.issuperset(others):  # a constant, and one bit
            if 0 in last:
                return {_bit(last ^ ONE, len(word)): -1}, number((*others, ONE))
            return {_bit(last, len(word)): 1}, number((*others, NONE))
        if 0 in last:
            parts, more = self._terms(complement(word))
            return {part: -n for part, n in parts.items()}, -more - 1
        return {word: 1}, 0

    def _sum(self, terms: dict[Word, int], constant: int, width: int) -> Word:
        if not terms:
            return constant_word(constant, width)
        if constant == 0 and list(terms.values()) == [1]:
            return next(iter(terms))
        if constant & 1:
            # A sum and its complement, -sum - 1, share atoms: those of the one with an even constant.
            top = 1 << width
            return complement(self._sum({word: top - n for word, n in terms.items()}, top - 1 - constant, width))
        if len(terms) == 1:
            ((word, n),) = terms.items()
            if word == _bit(word[-1], width):
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
        """A word of new atoms."""
        return tuple(
            self._atom(kind, (key, place), partial(_bit_of, value, width - 1 - place)) for place in range(width)
        )

    def function(self, kind: str, name: Hashable, width: int, apply: Callable[..., int], *words: Word) -> Word:
        """A function of words that is known by its arguments only, or its value where they are constant."""
        if all(map(KNOWN.issuperset, words)):
            return constant_word(apply(*map(number, words)), width)
        self._functions[name] = kind, width, apply
        key = name, words
        if key not in self._words:

            def value(values: Values) -> int:
                return apply(*(values.number(word) for word in words))

            self._words[key] = self._word(kind, (name, words), width, value)
        return self._words[key]

    def numbered(self, word: Word) -> int:
        """A number of a word, in the order in which they come up."""
        found = self._numbers.setdefault(word, len(self._numbered))
        if found == len(self._numbered):
            self._numbered.append(word)
        return found

    # ------------------------------------------------------------------ other inputs

    def renamed(self, unknowns: Callable[[Hashable], Bit | None]) -> Callable[[Word], Word]:
        """Return the substitution of unknown bits in words; unknowns: by name, None for one that stays."""
        known: dict[int, Bit] = {}
        done: dict[Bit, Bit] = {}

        def substituted(word: Word) -> Word:
            return tuple(map(bit, word))

        def bit(old: Bit) -> Bit:
            if old not in done:
                total: set[int] = set()
                for number in old:
                    if number not in known:
                        known[number] = self._again(number, unknowns, substituted)
                    total ^= known[number]
                done[old] = frozenset(total)
            return done[old]

        return substituted

    def _again(
        self, number: int, unknowns: Callable[[Hashable], Bit | None], substituted: Callable[[Word], Word]
    ) -> Bit:
        """An atom of substituted bits."""
        atom = self.atoms[number]
        assert atom is not None
        name = atom.name
        match atom.kind:
            case "one":
                return ONE
            case "unknown":
                new = unknowns(name)
                return frozenset((number,)) if new is None else new
            case "product":
                return reduce(self.product, substituted(tuple(frozenset((factor,)) for factor in name)))
            case "and":
                return self.product(*substituted(tuple(name)))
            case "table":
                truth, inputs = name
                old = self._numbered[inputs]
                assert old is not None
                return self.lookup((truth,), substituted(old))[0]
            case "sum":
                (terms, constant), place = name
                word = self.add([(substituted(word), n) for word, n in terms], constant)
            case _:
                (function, words), place = name
                kind, width, apply = self._functions[function]
                word = self.function(kind, function, width, apply, *map(substituted, words))
        found: Bit = word[place]
        return found

    # ------------------------------------------------------------------ values

    def values(self, of: Callable[[Hashable], int]) -> Values:
        """Concrete values of all atoms; of: of an unknown, by its name."""
        values = Values()
        for atom in self.atoms[1:]:
            if atom is None:
                values.known.append(0)
                continue
            value = of(atom.name) if atom.value is None else atom.value(values)
            values.known.append(value)
        return values


def _bit_of(value: Callable[[Values], int], place: int, values: Values) -> int:
    """A bit of a word's value, by its weight."""
    return value(values) >> place & 1


@cache
def essential(table: int, inputs: int) -> tuple[int, tuple[int, ...]]:
    """A truth table without the inputs that it does not depend on, and the places of the others."""
    places = []
    for place in range(inputs):
        step = 1 << inputs - 1 - place
        if any((table >> i ^ table >> i + step) & 1 for i in range(1 << inputs) if not i & step):
            places.append(place)
    if len(places) == inputs:
        return table, tuple(places)
    out = 0
    for i in range(1 << len(places)):
        at = sum((i >> len(places) - 1 - n & 1) << inputs - 1 - place for n, place in enumerate(places))
        out |= (table >> at & 1) << i
    return out, tuple(places)


def cofactor(table: int, place: int, value: int, inputs: int) -> int:
    """A truth table for one value of an input, whose weight is 2^place, which it does not depend on then."""
    out = 0
    step = 1 << place
    for i in range(1 << inputs):
        source = i | step if value else i & ~step
        out |= (table >> source & 1) << i
    return out


class Span:
    """Functions of some bits as truth tables, each a sum of generators: one, the bits, and what is not a sum of these.

    So an output of a table that is affine is a sum of its inputs, and tables whose outputs are sums of each other's
    have equal terms.
    """

    def __init__(self, inputs: int) -> None:
        self._rows: list[
            tuple[int, int, frozenset[int]]
        ] = []  # a bit, a table of which it is the first, its generators
        self._known: dict[int, frozenset[int]] = {}
        self.affine = {(1 << (1 << inputs)) - 1: -1}  # table -> input; -1 for one
        for place in range(inputs):
            weight = inputs - 1 - place
            self.affine[sum((i >> weight & 1) << i for i in range(1 << inputs))] = place
        for table in self.affine:
            self.expressed(table)

    def expressed(self, table: int) -> frozenset[int]:
        """The generators whose sum a table is; it is one itself if there are none."""
        if table not in self._known:
            rest, parts = table, NONE
            for first, row, generators in self._rows:
                if rest >> first & 1:
                    rest, parts = rest ^ row, parts ^ generators
            if not rest and len(parts) > MOST_PARTS:
                parts = frozenset((table,))
            elif rest:
                self._rows.append((rest.bit_length() - 1, rest, parts ^ {table}))
                parts = frozenset((table,))
            self._known[table] = parts
        return self._known[table]


def _bit(bit: Bit, width: int) -> Word:
    """A word that is one or zero."""
    return (*(NONE,) * (width - 1), bit)


def complement(word: Word) -> Word:
    """All bits of a word turned."""
    return tuple(bit ^ ONE for bit in word)


def constant_word(value: int, width: int) -> Word:
    """A number as a word."""
    return tuple(CONSTANTS[value >> place & 1] for place in range(width - 1, -1, -1))


def number(word: Word) -> int:
    """The number that a constant word is."""
    value = 0
    for bit in word:
        value = value << 1 | len(bit)
    return value


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
