"""Kinds of items for the tables of `format`; each writes a value and reads it back.

One table for both directions, so that what is read is exactly what is written.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from lutra.firmware.pack import cbor
from lutra.firmware.pack.cbor import MOST, Reader
from lutra.firmware.pack.errors import PackError

# A rule for a value as a whole: returns what is wrong, or an empty text.
Rule = Callable[[Any], str]


class Item(ABC):
    """A kind of item."""

    @abstractmethod
    def write(self, value: Any) -> bytes:
        """Its one encoding. PackError where the value is not of this kind."""

    @abstractmethod
    def read(self, reader: Reader) -> Any:
        """The value that comes next. PackError with its place where none of this kind does."""


@contextmanager
def within(name: str) -> Iterator[None]:
    """Add the name of the part to errors in the block."""
    try:
        yield
    except PackError as error:
        raise error.within(name) from None


@dataclass(frozen=True)
class Uint(Item):
    low: int = 0
    high: int = MOST

    def write(self, value: Any) -> bytes:
        self._check(value, None)
        return cbor.head(cbor.UINT, value)

    def read(self, reader: Reader) -> int:
        place = reader.place
        value = reader.uint()
        self._check(value, place)
        return value

    def _check(self, value: Any, place: int | None) -> None:
        if type(value) is not int or not self.low <= value <= self.high:
            raise PackError(f"expected an integer from {self.low} to {self.high}, found {value!r}", place)


@dataclass(frozen=True)
class Bytes(Item):
    low: int
    high: int

    def write(self, value: Any) -> bytes:
        if not isinstance(value, bytes) or not self.low <= len(value) <= self.high:
            size = f"{len(value)} of them" if isinstance(value, bytes) else repr(value)
            raise PackError(f"expected {self.low} to {self.high} bytes, found {size}")
        return cbor.head(cbor.BYTES, len(value)) + bytes(value)

    def read(self, reader: Reader) -> bytes:
        return reader.bytes(self.low, self.high)


@dataclass(frozen=True)
class Text(Item):
    low: int
    high: int

    def write(self, value: Any) -> bytes:
        is_text = type(value) is str and all(ord(c) in cbor.PRINTABLE for c in value)
        if not is_text or not self.low <= len(value) <= self.high:
            raise PackError(f"expected {self.low} to {self.high} printable ASCII characters, found {value!r}")
        return cbor.head(cbor.TEXT, len(value)) + str(value).encode("ascii")

    def read(self, reader: Reader) -> str:
        return reader.text(self.low, self.high)


@dataclass(frozen=True)
class Bool(Item):
    def write(self, value: Any) -> bytes:
        if type(value) is not bool:
            raise PackError(f"expected false or true, found {value!r}")
        return bytes([cbor.SIMPLE[value]])

    def read(self, reader: Reader) -> bool:
        return reader.boolean()


@dataclass(frozen=True)
class Word(Item):
    """A text or number that is always the same."""

    item: Item
    value: str | int

    def write(self, value: Any) -> bytes:
        return self.item.write(value)

    def read(self, reader: Reader) -> str | int:
        place = reader.place
        value: str | int = self.item.read(reader)
        if value != self.value:
            raise PackError(f"expected {self.value!r}, found {value!r}", place)
        return value


@dataclass(frozen=True)
class List(Item):
    """A tuple. follows: whether an item may come after another one, in lists with a rule of order."""

    of: Item
    low: int
    high: int
    follows: Callable[[Any, Any], bool] | None = None
    order: str = "ascending order"

    def write(self, value: Any) -> bytes:
        if type(value) is not tuple or not self.low <= len(value) <= self.high:
            raise PackError(f"expected {self.low} to {self.high} items, found {len(value)}")
        found = cbor.head(cbor.ARRAY, len(value))
        for n, item in enumerate(value):
            with within(f"[{n}]"):
                found += self.of.write(item)
                self._check(value[:n], item, None)
        return found

    def read(self, reader: Reader) -> tuple[Any, ...]:
        found: list[Any] = []
        for n in range(reader.array(self.low, self.high)):
            with within(f"[{n}]"):
                place = reader.place
                item = self.of.read(reader)
                self._check(found, item, place)
            found.append(item)
        return tuple(found)

    def _check(self, before: Any, item: Any, place: int | None) -> None:
        if self.follows and before and not self.follows(before[-1], item):
            raise PackError(f"expected {self.order}, found an item that belongs before [{len(before) - 1}]", place)


@dataclass(frozen=True)
class Record(Item):
    """An array: the members of a dataclass, after words that are always the same.

    last: a member that may be left out, which is None then.
    """

    cls: type
    members: tuple[tuple[str, Item], ...]
    words: tuple[Word, ...] = ()
    rule: Rule = lambda _: ""
    last: tuple[str, Item] | None = None

    @property
    def size(self) -> int:
        """Items without the last one."""
        return len(self.words) + len(self.members)

    def write(self, value: Any) -> bytes:
        if type(value) is not self.cls:
            raise PackError(f"expected a {self.cls.__name__}, found {value!r}")
        more = (self.last,) if self.last and getattr(value, self.last[0]) is not None else ()
        found = cbor.head(cbor.ARRAY, self.size + len(more))
        found += b"".join(word.write(word.value) for word in self.words)
        for name, item in (*self.members, *more):
            with within(name):
                found += item.write(getattr(value, name))
        self._check(value, None)
        return found

    def read(self, reader: Reader) -> Any:
        place = reader.place
        more = (self.last,) if self.last else ()
        count = reader.array(self.size, self.size + len(more))
        for word in self.words:
            word.read(reader)
        values: dict[str, Any] = {}
        for name, item in (*self.members, *more[: count - self.size]):
            with within(name):
                values[name] = item.read(reader)
        value = self.cls(**values)
        self._check(value, place)
        return value

    def _check(self, value: Any, place: int | None) -> None:
        if wrong := self.rule(value):
            raise PackError(f"expected {wrong}", place)


@dataclass(frozen=True)
class Optional(Item):
    """A record, or an empty array for None."""

    of: Record

    def write(self, value: Any) -> bytes:
        return cbor.head(cbor.ARRAY, 0) if value is None else self.of.write(value)

    def read(self, reader: Reader) -> Any:
        if reader.next_byte == cbor.head(cbor.ARRAY, 0):
            reader.array(0, 0)
            return None
        return self.of.read(reader)


@dataclass(frozen=True)
class Variant(Item):
    """One of several records; the first word is its number among them."""

    of: tuple[Record, ...]

    def write(self, value: Any) -> bytes:
        for record in self.of:
            if type(value) is record.cls:
                return record.write(value)
        raise PackError(f"expected one of {', '.join(r.cls.__name__ for r in self.of)}, found {value!r}")

    def read(self, reader: Reader) -> Any:
        ahead = reader.copy()
        sizes = [r.size for r in self.of]
        ahead.array(min(sizes), max(sizes))
        return self.of[Uint(0, len(self.of) - 1).read(ahead)].read(reader)
