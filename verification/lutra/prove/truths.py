"""Truth tables: functions of a few bits, bit i of a number is the value for input i."""

from __future__ import annotations

from functools import cache

# A function is a sum of at most so many others, or one itself: many tables span all functions.
MOST_PARTS = 24
Parts = frozenset[int]


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


@cache
def monomials(table: int, inputs: int, degree: int) -> tuple[tuple[int, ...], ...] | None:
    """A truth table as the sum of products of inputs, by their places; None where one has more factors than allowed."""
    for weight in range(inputs):
        step = 1 << weight
        low = sum(1 << i for i in range(1 << inputs) if not i & step)
        table ^= (table & low) << step
    found = [i for i in range(1 << inputs) if table >> i & 1]
    if any(i.bit_count() > degree for i in found):
        return None
    return tuple(tuple(place for place in range(inputs) if i >> inputs - 1 - place & 1) for i in found)


@cache
def multiplied(
    table: int, inputs: int, degree: int
) -> tuple[int, tuple[int, ...], tuple[tuple[int, ...], ...] | None, bool]:
    """A truth table without the inputs that it does not depend on, the places of the others, the table as the sum of
    products of inputs, by these places, if they are of a small degree, and whether it is affine."""
    table, places = essential(table, inputs)
    products = monomials(table, len(places), degree)
    by_place = products and tuple(tuple(places[n] for n in product) for product in products)
    return table, places, by_place, products is not None and all(len(product) < 2 for product in products)


class Span:
    """Functions of some bits as truth tables, each a sum of generators: one, the bits, and what is not a sum of these.

    So an output of a table that is affine is a sum of its inputs, and tables whose outputs are sums of each other's
    have equal terms.
    """

    def __init__(self, inputs: int) -> None:
        self._rows: list[tuple[int, int, Parts]] = []  # a bit, a table of which it is the first, its generators
        self._known: dict[int, Parts] = {}
        self.affine = {(1 << (1 << inputs)) - 1: -1}  # table -> input; -1 for one
        for place in range(inputs):
            weight = inputs - 1 - place
            self.affine[sum((i >> weight & 1) << i for i in range(1 << inputs))] = place
        for table in self.affine:
            self.expressed(table)

    def expressed(self, table: int) -> Parts:
        """The generators whose sum a table is; it is one itself if there are none."""
        if table not in self._known:
            rest, parts = table, Parts()
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


class Spans(dict[int, Span]):
    """The spans of functions, by their number of inputs."""

    def __missing__(self, inputs: int) -> Span:
        self[inputs] = Span(inputs)
        return self[inputs]
