"""Memories that loops write one after the other: what each has left, the last one first.

A byte that a loop has left is known by its address: each of its bits is a sum of bits that the input had before the
program, or that the specification's output has, as far on from it as from any other byte of the loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Self

from lutra.prove.affine import Affine, Ranges, Terms
from lutra.prove.atoms import NONE, ONE, Bit
from lutra.prove.bits import Bits, join
from lutra.prove.memory import ROW, Memory

Part = tuple[int, int, int]  # a bit by its memory, how many bytes further on it is, and its place in that byte
Known = tuple[Bit, frozenset[Part]]  # a sum of a constant and bits
Content = tuple[Known | None, ...]  # a byte; None for a bit of which nothing is known
Origin = tuple[int, Affine, int]  # a bit by its memory, address and place
NOWHERE: Content = (None,) * 8


def least(number: Affine, ranges: Ranges, most: Mapping[str, Affine]) -> int:
    """A number that another one is not less than. most: of symbols, their greatest values by others."""
    for name, value in most.items():
        times = dict(number.terms).get(name, 0)
        number = number.with_(name, value if times < 0 else Affine(0))
    return number.range(ranges)[0]


@dataclass(frozen=True)
class Layer:
    """Bytes that a loop, or a word outside of loops, has left.

    base: the first one. cells: of a pass, of which there are so many. more: bytes after these that may have changed.
    """

    base: Affine
    cells: tuple[Content, ...]
    count: Affine
    more: int = 0

    @property
    def end(self) -> Affine:
        """Where the bytes that are known end."""
        return self.base + self.count * len(self.cells)

    def with_(self, name: str, value: Affine) -> Layer:
        """The layer where a symbol has a value."""
        return replace(self, base=self.base.with_(name, value), count=self.count.with_(name, value))

    def joined(self) -> Layer:
        """The same with one byte per pass, if all are alike."""
        alike = len(self.cells) > 1 and len(set(self.cells)) == 1
        return replace(self, cells=self.cells[:1], count=self.count * len(self.cells)) if alike else self

    def contents(self, at: Affine, size: int, ranges: Ranges, most: Mapping[str, Affine]) -> Sequence[Content] | None:
        """Bytes from an address on, of which it is known that they are some of these; else None."""
        by, apart = len(self.cells), at - self.base
        if any(times % by for _, times in apart.terms):
            return None
        terms = tuple((name, times // by) for name, times in apart.terms)
        first, last = (Affine(place // by, terms) for place in (apart.constant, apart.constant + size - 1))
        if least(first, ranges, most) < 0 or least(self.count - last - 1, ranges, most) < 0:
            return None
        return [self.cells[place % by] for place in range(apart.constant, apart.constant + size)]

    def apart(self, start: Affine, end: Affine, ranges: Ranges, most: Mapping[str, Affine]) -> bool:
        """Whether it has changed none of the bytes from a place to another one."""
        below = least(self.base - end, ranges, most) >= 0
        return below or least(start - self.end - self.more, ranges, most) >= 0

    def covers(self, other: Layer, ranges: Ranges) -> bool:
        """Whether nothing of another layer, which is older, is left."""
        ends = self.end + self.more - other.end - other.more
        return least(other.base - self.base, ranges, {}) >= 0 and least(ends, ranges, {}) >= 0


class Original(Memory):
    """A memory of which bits that were there before the program are known by their places."""

    def __init__(self, name: str, size: int) -> None:
        super().__init__(name, size)
        self.origin: dict[int, tuple[Affine, int]] = {}

    def copy(self) -> Self:
        """A memory of its own with the same contents."""
        out = super().copy()
        out.origin = dict(self.origin)
        return out

    def first(self, at: Affine, size: int = ROW) -> Bits:
        """Return what was there before the program."""
        return join(self.bytes(at, size))

    def bytes(self, at: Affine, size: int) -> list[Bits]:
        """The same, byte by byte."""
        parts, places = self._first.setdefault(at.terms, {}), range(at.constant, at.constant + size)
        for i in places:
            if i not in parts:
                parts[i] = Bits.unknown((self.name, 0, at.terms, i), 8)
                self._placed(Affine(i, at.terms), parts[i])
        return [parts[i] for i in places]

    def _placed(self, at: Affine, byte: Bits) -> None:
        for place, bit in enumerate(byte):
            if len(bit) == 1 and bit != ONE:
                self.origin[max(bit)] = at, place

    def restrict(self, name: str, value: Affine) -> None:
        """From here on a symbol has a value."""
        super().restrict(name, value)
        self.origin = {}
        for at, byte in self.unwritten():
            self._placed(at, byte)


class Layered(Original):
    """A memory block that loops write one after the other.

    before: bytes in front of the input that the program has not read; what it writes there first is as if it had been
    there. most: greatest values of symbols. reads: bytes that were read but not written in a pass, by the first one and
    their number. renamed: bits of which it has turned out that they are others, by their atoms.
    """

    def __init__(self, name: str, size: int) -> None:
        super().__init__(name, size)
        self.layers: tuple[Layer, ...] = ()
        self.before = 0
        self.most: dict[str, Affine] = {}
        self.reads: list[tuple[Affine, int]] = []
        self.renamed: dict[int, Bit] = {}

    def copy(self) -> Self:
        """A memory of its own with the same contents."""
        out = super().copy()
        out.layers, out.before, out.most, out.reads = self.layers, self.before, dict(self.most), list(self.reads)
        out.renamed = dict(self.renamed)
        return out

    def write(self, at: Affine, data: Bits, ranges: Ranges) -> None:
        """Bytes as the program writes them."""
        count = len(data) // 8
        if at.known and at.constant + count <= self.before and not (self.layers or self.written()):
            for i, byte in enumerate(data.bytes, at.constant):
                self._first.setdefault((), {})[i] = byte
                self._placed(Affine(i), byte)
            return
        self._apart(at, count, ranges, self._cells)
        self._cells.setdefault(at.terms, {}).update(enumerate(data.bytes, at.constant))

    def restrict(self, name: str, value: Affine) -> None:
        """From here on a symbol has a value. Bytes that turn out to be one are the one that was not at a number."""
        known = dict(self._first.get((), {}))
        for terms, parts in self._first.items():
            base = Affine(0, terms).with_(name, value)
            for at, byte in parts.items() if terms and base.known else ():
                old = known.get(at + base.constant, byte)
                unknown = all(len(bit) == 1 and bit != ONE and max(bit) not in self.renamed for bit in old)
                known[at + base.constant], other = (byte, old) if unknown else (old, byte)
                self.renamed |= {max(x): y for x, y in zip(other, known[at + base.constant], strict=True) if x != y}
        super().restrict(name, value)
        self._first.setdefault((), {}).update(known)
        for at, byte in known.items():
            self._placed(Affine(at), byte)
        self.layers = tuple(layer.with_(name, value) for layer in self.layers)
        self.most = {}

    def row(self, memories: Sequence[Memory], at: Affine, ranges: Ranges, size: int = ROW) -> Bits:
        """Bytes as the program reads them: what is not found may be anything."""
        self.before = 0
        own = self._cells.get(at.terms, {})
        places = range(at.constant, at.constant + size)
        if all(i in own for i in places):
            return join(own[i] for i in places)
        others = any(True for _ in self._meeting(at, size, ranges, self._cells))
        if others or any(i in own for i in places):
            left = partial(self._left, memories, size=1, ranges=ranges, others=others)
            return join(own[i] if i in own else left(Affine(i, at.terms))[0] for i in places)
        return join(self._left(memories, at, size, ranges))

    def _left(
        self, memories: Sequence[Memory], at: Affine, size: int, ranges: Ranges, *, others: bool = False
    ) -> list[Bits]:
        """Bytes that words before have left. others: they may have been written by another address since."""
        self.reads.append((at, size))
        for layer in () if others else self.layers:
            if (contents := layer.contents(at, size, ranges, self.most)) is not None:
                return self._made(memories, at, contents)
            if not layer.apart(at, at + size, ranges, self.most):
                others = True
                break
        if not others:
            return self.bytes(at, size)
        if size == 1:
            return [self.anything(at)]
        return [byte for i in range(size) for byte in self._left(memories, at + i, 1, ranges)]

    def _made(self, memories: Sequence[Memory], at: Affine, contents: Sequence[Content]) -> list[Bits]:
        """Bytes from an address on."""
        parts = {part for content in contents for known in content if known is not None for part in known[1]}
        by = [by for _, by, _ in parts]
        low, size = min(by, default=0), len(contents) + max(by, default=0) - min(by, default=0)
        from_: dict[int, list[Bits]] = {}
        for n in {n for n, _, _ in parts}:
            memory = memories[n]
            assert isinstance(memory, Original)
            from_[n] = memory.bytes(at + low, size)
        made = []
        for i, content in enumerate(contents):
            anything = self.anything(at + i) if None in content else ()
            bits = []
            for place, known in enumerate(content):
                if known is None:
                    bits.append(tuple.__getitem__(anything, place))
                    continue
                constant, of = known
                for n, by_, bit in of:
                    constant ^= tuple.__getitem__(from_[n][i + by_ - low], bit)
                bits.append(constant)
            made.append(Bits(bits))
        return made

    # ------------------------------------------------------------------ what has been written, as layers

    def settle(self, meaning: Meaning, ranges: Ranges) -> None:
        """Let what has been written be known by where it is."""
        for terms, parts in self.written().items():
            left = {at: meaning.content(Affine(at, terms), byte) for at, byte in sorted(parts.items())}
            self._extend(terms, left, ranges)
            for run in _runs(left):
                self.add(Layer(Affine(run[0], terms), tuple(left[at] for at in run), Affine(1)).joined(), ranges)
        self._cells = {}

    def add(self, layer: Layer, ranges: Ranges) -> None:
        """Put a layer over those that there are."""
        self.layers = (layer, *(old for old in self.layers if not layer.covers(old, ranges)))

    def _extend(self, terms: Terms, left: dict[int, Content], ranges: Ranges) -> None:
        """Bytes after a layer that are as its own are bytes of it, if no other layer is between them."""
        for n, layer in enumerate(self.layers):
            while (
                (at := layer.end).terms == terms and len(layer.cells) == 1 and left.get(at.constant) == layer.cells[0]
            ):
                if not all(new.apart(at, at + 1, ranges, {}) for new in self.layers[:n]):
                    break
                del left[at.constant]
                layer = replace(layer, count=layer.count + 1, more=max(layer.more - 1, 0))
            self.layers = (*self.layers[:n], layer, *self.layers[n + 1 :])


def _runs(left: Mapping[int, Content]) -> Iterator[list[int]]:
    """Yield addresses that follow each other: those of a row and more that are alike, or all between these."""
    alike: list[list[int]] = []
    for at, content in left.items():
        if alike and at == alike[-1][-1] + 1 and content == left[alike[-1][-1]]:
            alike[-1].append(at)
        else:
            alike.append([at])
    run: list[int] = []
    for part in alike:
        if run and (part[0] != run[-1] + 1 or max(len(part), len(run)) >= ROW):
            yield run
            run = []
        run = run + part
    if run:
        yield run


@dataclass
class Meaning:
    """The meaning of bits: of the memories as they were, and of the units of the specification.

    memories: by number. units: bits that are not linear in the input. found: what has been found.
    """

    memories: Mapping[int, Original]
    units: Mapping[Bit, Sequence[Origin]] = field(default_factory=dict)
    found: dict[Bit, tuple[Bit, Sequence[Origin]] | None] = field(default_factory=dict)

    def content(self, at: Affine, byte: Bits) -> Content:
        """A byte at an address."""
        return tuple(self._known(at, bit) for bit in byte)

    def _known(self, at: Affine, bit: Bit) -> Known | None:
        found = self.found[bit] if bit in self.found else self.found.setdefault(bit, self._parts(bit))
        if found is None or any(where.terms != at.terms for _, where, _ in found[1]):
            return None
        return found[0], frozenset((n, where.constant - at.constant, place) for n, where, place in found[1])

    def _parts(self, bit: Bit) -> tuple[Bit, Sequence[Origin]] | None:
        for constant in (NONE, ONE):
            if (known := self.units.get(bit ^ constant)) is not None:
                return constant, known
        origins = []
        for atom in bit - ONE:
            where = next(((n, *m.origin[atom]) for n, m in self.memories.items() if atom in m.origin), None)
            if where is None:
                return None
            origins.append(where)
        return bit & ONE, origins
