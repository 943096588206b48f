"""Memories and table banks of the symbolic machine."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Self

from lutra.prove.affine import Affine, Ranges, Terms
from lutra.prove.arrays import Array, Parts
from lutra.prove.bits import BYTES, Bits, Table, join
from lutra.prove.errors import Meets, Unprovable

Cells = dict[Terms, dict[int, Bits]]  # bytes: by the symbols that their address depends on, and the rest of it
ROW = 16


def moved(cells: Cells, name: str, value: Affine) -> Cells:
    """Bytes at the addresses where a symbol has a value."""
    if not any(name == symbol for terms in cells for symbol, _ in terms):
        return cells
    out: Cells = {}
    for terms, parts in cells.items():
        base = Affine(0, terms).with_(name, value)
        out.setdefault(base.terms, {}).update({at + base.constant: byte for at, byte in parts.items()})
    return out


class Memory:
    """A memory block. Bytes that were never written are unknown, each with the name of its address.

    Addresses are those of a proof, so two of them may be equal for some lengths; where that cannot be excluded nothing
    is proved.
    """

    def __init__(self, name: str, size: int) -> None:
        self.name, self.size = name, size
        self._cells: Cells = {}
        self._first: Cells = {}  # what was there before the program
        self._later: Cells = {}  # what was there at the last `forget`
        self._sure: dict[Terms, set[int]] = {}  # written after all others that may be the same place
        self._age = 0
        self.lenient = False  # a write that may meet other bytes makes them unknown; else it is not executed
        self._met = 0
        self.floor: Affine | None = None  # below it nothing may be written any more, but for `kept`
        self.kept: frozenset[int] = frozenset()  # bytes that `forget` leaves as they are
        self.arrays: tuple[Array, ...] = ()  # bytes that are in no other form
        self.touched: frozenset[int] = frozenset()  # where these and unknown ones of the same loops may be

    def copy(self) -> Self:
        """A memory of its own with the same contents."""
        out = type(self)(self.name, self.size)
        out._cells = {terms: dict(parts) for terms, parts in self._cells.items()}
        out._first = {terms: dict(parts) for terms, parts in self._first.items()}
        out._later = {terms: dict(parts) for terms, parts in self._later.items()}
        out._sure = {terms: set(places) for terms, places in self._sure.items()}
        out._age, out.floor, out.kept = self._age, self.floor, self.kept
        out.lenient, out._met, out.arrays, out.touched = self.lenient, self._met, self.arrays, self.touched
        return out

    def check(self, at: Affine, size: int, ranges: Ranges) -> bool:
        """Whether an access lies in the memory for all values of the symbols."""
        low, high = at.range(ranges)
        return low >= 0 and high + size <= self.size

    def first(self, at: Affine, size: int = ROW) -> Bits:
        """Return what was there before the program."""
        return self._unwritten(self._first, 0, at, size)

    def _unwritten(self, cells: Cells, age: int, at: Affine, size: int) -> Bits:
        parts = cells.setdefault(at.terms, {})
        for i in range(at.constant, at.constant + size):
            if i not in parts:
                parts[i] = Bits.unknown((self.name, age, at.terms, i), 8)
        return join(parts[i] for i in range(at.constant, at.constant + size))

    def read(self, at: Affine, ranges: Ranges, size: int = ROW) -> Bits:
        """Bytes as the program reads them."""
        parts, places = self._cells.get(at.terms, {}), range(at.constant, at.constant + size)
        if not self._sure.get(at.terms, set()).issuperset(places):
            self._apart(at, size, ranges, self._cells)
        old = self._later if self._age else self._first
        bytes_ = (parts[i] if i in parts else self._unwritten(old, self._age, Affine(i, at.terms), 1) for i in places)
        return join(bytes_)

    def write(self, at: Affine, data: Bits, ranges: Ranges) -> None:
        """Bytes as the program, or the host, writes them."""
        count = len(data) // 8
        kept = at.known and self.kept.issuperset(range(at.constant, at.constant + count))
        if self.floor is not None and not kept and (at - self.floor).range(ranges)[0] < 0:
            raise Unprovable(f"{self.name}[{at}] is written again")
        if self.lenient:
            self._meet(at, count, ranges)
        else:
            self._apart(at, count, ranges, self._cells)
            self._apart(at, count, ranges, self._later if self._age else self._first)
        self._cells.setdefault(at.terms, {}).update(enumerate(data.bytes, at.constant))
        for terms, met in [*self._meeting(at, count, ranges, self._sure)]:
            self._sure[terms].difference_update(met)
        self._sure.setdefault(at.terms, set()).update(range(at.constant, at.constant + count))
        self.arrays = tuple(array for array in self.arrays if not array.meets(at, count, ranges))

    def unwritten(self) -> Iterator[tuple[Affine, Bits]]:
        """Yield the bytes that were there before the program, as far as they have been asked for."""
        for terms, parts in self._first.items():
            yield from ((Affine(at, terms), byte) for at, byte in parts.items())

    def known(self, at: Affine) -> Bits | None:
        """A byte that has been written at an address of this form."""
        return self._cells.get(at.terms, {}).get(at.constant)

    def lose(self, at: int) -> bool:
        """Let a byte be as if nothing had written it; whether that may be anything, because nothing has read it."""
        if self._age or at in self._first.get((), {}):
            return False
        self._cells.get((), {}).pop(at, None)
        self._sure.get((), set()).discard(at)
        return True

    def part(self, at: Affine, ranges: Ranges) -> Parts | None:
        """The bytes that one of an array is the sum of; None where it is not known to be in one."""
        return next((parts for array in self.arrays if (parts := array.parts(at, ranges)) is not None), None)

    def anything(self, at: Affine) -> Bits:
        """A byte of which nothing is known, another one at each read."""
        self._met += 1
        return Bits.unknown((self.name, "read", self._met, at.terms, at.constant), 8)

    def keep(self, name: str, arrays: Iterable[Array], ranges: Ranges) -> None:
        """Bytes at addresses that depend on a symbol are in arrays from here on, or unknown."""
        for terms, parts in self._cells.items():
            if name in dict(terms):
                low, high = Affine(0, terms).range(ranges)
                self.touched |= frozenset(range(min(parts) + low, max(parts) + high + 1))
        kept = {terms: parts for terms, parts in self._cells.items() if name not in dict(terms)}
        if len(kept) < len(self._cells):  # what was there before is not, either
            self._age, self._later = self._age + 1, {}
        self._cells = kept
        self.arrays += tuple(arrays)

    def _apart(self, at: Affine, size: int, ranges: Ranges, cells: Cells) -> None:
        """Unprovable where an access may meet bytes that are known by another address."""
        for terms, _ in self._meeting(at, size, ranges, cells):
            where = f"{self.name}[{at}]"
            raise Meets(f"{where} may be the same place as {self.name}[{Affine(min(cells[terms]), terms)}]")

    def _meet(self, at: Affine, size: int, ranges: Ranges) -> None:
        """Bytes that a write may meet are either what they were or what is written: from here on, anything."""
        for terms, places in [*self._meeting(at, size, ranges, self._cells)]:
            self._met += 1
            met = {i: Bits.unknown((self.name, "met", self._met, terms, i), 8) for i in places}
            self._cells[terms] = self._cells[terms] | met

    def _meeting(
        self, at: Affine, size: int, ranges: Ranges, cells: Mapping[Terms, Collection[int]]
    ) -> Iterator[tuple[Terms, list[int]]]:
        """Yield the bytes that an access may meet by another address."""
        for terms, parts in cells.items():
            if terms == at.terms or not parts:
                continue
            low, high = (at - Affine(0, terms)).range(ranges)
            if low > max(parts) or high + size <= min(parts):
                continue
            if places := [i for i in parts if low <= i < high + size]:
                yield terms, places

    def written(self) -> Cells:
        """Return what has been written since `forget`, and what it has kept."""
        return {terms: parts for terms, parts in self._cells.items() if parts}

    def replace(self, terms: Terms, at: int, byte: Bits) -> None:
        """Another value for a byte that has been written."""
        self._cells.setdefault(terms, {})[at] = byte

    def know(self, at: Affine, byte: Bits) -> None:
        """A byte that is known to be there, whatever other addresses may be the same place."""
        self.replace(at.terms, at.constant, byte)
        self._sure.setdefault(at.terms, set()).add(at.constant)

    def forget(self, changes: Callable[[int], bool] = lambda at: True) -> None:
        """Everything but what is kept may have changed, and is unknown. changes: by a known address."""
        self._age += 1
        kept = {at: byte for at, byte in self._cells.get((), {}).items() if at in self.kept or not changes(at)}
        self._cells, self._sure, self._later, self.arrays = {(): kept}, {}, {}, ()

    def depends(self, name: str) -> bool:
        """Whether an address depends on a symbol."""
        return any(name in dict(terms) for cells in (self._cells, self._first, self._later) for terms in cells)

    def rename(self, name: str, renamed: Callable[[Bits], Bits]) -> None:
        """Other names of bytes that the program has not written, at addresses that depend on a symbol."""
        for cells in (self._first, self._later):
            for terms in [terms for terms in cells if name in dict(terms)]:
                cells[terms] = {at: renamed(byte) for at, byte in cells[terms].items()}

    def restrict(self, name: str, value: Affine) -> None:
        """From here on a symbol has a value."""
        views = self._cells, self._first, self._later
        self._cells, self._first, self._later = (moved(cells, name, value) for cells in views)
        self._sure = {terms: places for terms, places in self._sure.items() if name not in dict(terms)}
        self.floor = self.floor and self.floor.with_(name, value)
        self.arrays = tuple(array.with_(name, value) for array in self.arrays)


class Bank:
    """A table bank: rows of sixteen lanes."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.rows: dict[int, Bits] = {}
        self.contents = object()  # another one after each write; copies share it and the tables
        self._tables: list[Table] = []
        self._bytes: dict[int, list[Bits]] = {}

    def copy(self) -> Bank:
        """A bank of its own with the same contents."""
        out = Bank(self.name)
        out.rows, out.contents, out._tables = dict(self.rows), self.contents, self._tables
        out._bytes = dict(self._bytes)
        return out

    def row(self, n: int) -> Bits:
        """A row, unknown if nothing wrote it."""
        return self.rows[n] if n in self.rows else Bits.unknown((self.name, n), 128)

    def write(self, n: int, row: Bits) -> None:
        """Replace a row."""
        self.rows[n], self.contents, self._tables, self._bytes[n] = row, object(), [], row.bytes

    def fill(self, at: int, data: bytes) -> None:
        """Bytes as the host writes them."""
        for place, byte in enumerate(data, at):
            bytes_ = self.row(place // ROW).bytes
            bytes_[place % ROW] = BYTES[byte]
            self.write(place // ROW, join(bytes_))

    @property
    def tables(self) -> list[Table]:
        """The table of each lane."""
        if not self._tables:
            rows = (self._bytes[n] if n in self.rows else self.row(n).bytes for n in range(256))
            lanes = list(zip(*rows, strict=True))
            made = {lane: Table(lane) for lane in set(lanes)}
            self._tables += [made[lane] for lane in lanes]
        return self._tables
