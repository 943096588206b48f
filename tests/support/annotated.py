"""A pack byte by byte: a line for each item, with its place, its bytes and what it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lutra.firmware.pack import cbor, schema
from lutra.firmware.pack import format as layout
from lutra.firmware.pack.cbor import Reader, place

ROW = 12
# Contents of the envelope's byte strings, by their place in the schema.
INSIDE = {
    "roots[].root": layout.ROOT,
    "manifest": layout.MANIFEST,
    "parts[0]": layout.SEGMENTS,
    "parts[1]": layout.ANSWERS,
}


def lines(data: bytes) -> Iterator[str]:
    """Annotations of a pack with one image."""
    for at, size, text in _items(layout.PACK, Reader(data), "", 0):
        for row in range(0, max(size, 1), ROW):
            part = data[at + row : at + min(row + ROW, size)].hex(" ")
            yield f"{at + row:04x}  {part:{3 * ROW}} {text if not row else ''}".rstrip()


def _items(item: Any, reader: Reader, path: str, depth: int) -> Iterator[tuple[int, int, str]]:
    """(place, bytes, text) of an item and those in it."""
    at, pad = reader.place, "  " * depth
    if isinstance(item, schema.Variant):
        ahead = reader.copy()
        ahead.array(3, 4)
        item = item.of[ahead.uint()]
    if isinstance(item, schema.Optional):
        if reader.next_byte == cbor.head(cbor.ARRAY, 0):
            item.read(reader)
            yield at, 1, f"{pad}{_name(path)}none"
            return
        item = item.of
    if isinstance(item, schema.Record):
        words = [("", word) for word in item.words]
        last = (item.last,) if item.last else ()
        count = reader.array(item.size, item.size + len(last))
        yield at, reader.place - at, f"{pad}{_name(path)}{count} items"
        for name, member in (*words, *item.members, *last[: count - item.size]):
            yield from _items(member, reader, f"{path}.{name}" if path and name else name, depth + 1)
    elif isinstance(item, schema.List):
        count = reader.array(item.low, item.high)
        yield at, reader.place - at, f"{pad}{_name(path)}a list of {count}"
        for n in range(count):
            yield from _items(item.of, reader, f"{path}[{n}]", depth + 1)
    else:
        value = item.read(reader)
        inside = INSIDE.get(path.replace("[0].root", "[].root"))
        if inside is None:
            shown = f"{len(value)} bytes" if isinstance(value, bytes) else repr(value)
            yield at, reader.place - at, f"{pad}{_name(path)}{shown}"
        else:
            head = place(value) - at
            yield at, head, f"{pad}{_name(path)}{len(value)} bytes, which are"
            yield from _items(inside, Reader(value, place(value)), "", depth + 1)


def _name(path: str) -> str:
    """The last part of a path."""
    last = path.rpartition(".")[2]
    return f"{last}: " if last else ""
