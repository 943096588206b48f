"""Each pack has one encoding, and a reader takes nothing else."""

from __future__ import annotations

import io
from dataclasses import fields, is_dataclass
from typing import Any

import cbor2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lutra.firmware import pack
from lutra.firmware.pack import cbor, schema
from lutra.firmware.pack import format as layout
from lutra.firmware.pack.cbor import Reader
from lutra.firmware.pack.space import Space, code, codes
from support import small_pack as packs

DATA = pack.encode(packs.small())


def values(item: schema.Item) -> st.SearchStrategy[Any]:
    """Values that an item of the schema may have, but for rules."""
    if isinstance(item, schema.Uint):
        return st.integers(item.low, item.high)
    if isinstance(item, schema.Bytes):
        return st.binary(min_size=item.low, max_size=min(item.high, item.low + 300))
    if isinstance(item, schema.Text):
        return st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), min_size=item.low, max_size=item.high)
    if isinstance(item, schema.Bool):
        return st.booleans()
    if isinstance(item, Space):
        return st.sampled_from(sorted(codes()))
    if isinstance(item, schema.Optional):
        return st.none() | values(item.of)
    if isinstance(item, schema.Variant):
        return st.one_of(*(values(record) for record in item.of))
    if isinstance(item, schema.List):
        lists = st.lists(values(item.of), min_size=item.low, max_size=min(item.high, item.low + 3))
        return lists.map(lambda found: _in_order(item, found))
    assert isinstance(item, schema.Record)
    return st.builds(item.cls, **{name: values(member) for name, member in item.members})


def _in_order(item: schema.List, found: list[Any]) -> tuple[Any, ...]:
    """Those that ascend; the first is among them."""
    kept: list[Any] = []
    for value in found:
        if item.follows is None or not kept or item.follows(kept[-1], value):
            kept.append(value)
    return tuple(kept)


ITEMS = {name: item for name, item in vars(layout).items() if isinstance(item, schema.Item)}


@pytest.mark.parametrize("name", sorted(ITEMS))
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_what_is_written_is_read_back(name: str, data: st.DataObject) -> None:
    value = data.draw(values(ITEMS[name]))
    try:
        written = ITEMS[name].write(value)
    except pack.PackError:
        return  # against a rule of the whole, which both directions know
    assert layout.read(ITEMS[name], written) == value


@pytest.mark.parametrize("name", sorted(ITEMS))
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_what_is_read_is_what_would_be_written(name: str, data: st.DataObject) -> None:
    """Bytes that are nearly right: no second encoding of anything is taken."""
    try:
        written = bytearray(ITEMS[name].write(data.draw(values(ITEMS[name]))))
    except pack.PackError:
        return
    at = data.draw(st.integers(0, len(written) - 1))
    written[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=3))
    try:
        value = layout.read(ITEMS[name], bytes(written))
    except pack.PackError as error:
        assert error.offset is not None and 0 <= error.offset <= len(written)
        assert "\n" not in str(error)
        return
    assert ITEMS[name].write(value) == written


def _plain(value: Any) -> Any:
    """CBOR form of a record: without the words that are always the same, as the reader has it."""
    if is_dataclass(value):
        return [_plain(getattr(value, field.name)) for field in fields(value)]
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def test_another_reader_finds_the_same_in_a_pack() -> None:
    made = packs.small()
    word, number, roots, manifest, signatures, parts = cbor2.loads(DATA)
    assert (word, number) == ("lutra-pack", 1)
    assert [roots, manifest, signatures, parts, number] == _plain(made)
    shown = layout.manifest_of(made)
    name, version, counter, isa, core, entries, algorithms = cbor2.loads(manifest)
    assert (name, version, counter, isa, core) == ("mole", [1, 0, 0], 0, [0, 1], _plain(shown.core))
    assert [entry[:4] for entry in entries] == [_plain(part)[:4] for part in shown.parts]
    assert entries[0][4] == [[code(r.space), r.first, r.size] for r in shown.parts[0].map]
    assert algorithms[0][11:14] == [[code("m1"), 0], [], []]
    contents = pack.contents(made)
    assert cbor2.loads(parts[0]) == [[code(s.space), s.offset, s.data] for s in contents.images[0]]
    ((title, image, steps),) = cbor2.loads(parts[1])
    assert (title, image, [step[0] for step in steps]) == ("xor", 0, [0, 0, 1, 2])


@pytest.mark.parametrize("data", [DATA, packs.small().manifest, *packs.small().parts, packs.made_roots()[0].root])
def test_another_writer_makes_the_same_bytes(data: bytes) -> None:
    assert cbor2.dumps(cbor2.loads(data), canonical=True) == data


@given(st.integers(0, cbor.MOST))
def test_integers_have_the_shortest_form(number: int) -> None:
    assert cbor.head(cbor.UINT, number) == cbor2.dumps(number)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "byte 0x0: expected an array, found the end of the data"),
        ("a0", "byte 0x0: expected an array, found a map"),
        ("c086", "byte 0x0: expected an array, found a tag"),
        ("f6", "byte 0x0: expected an array, found a simple value or float"),
        ("9f", "byte 0x0: expected an array, found an indefinite length"),
        ("85", "byte 0x0: expected an array of 6 items, found one of 5"),
        ("9806", "byte 0x0: expected the shortest form of 6, found a longer one"),
        ("9bffffffffffffffff", "byte 0x0: expected an array, found one above 2^32 - 1"),
        ("9affffffff", "byte 0x0: expected an array of 6 items, found one of 4294967295"),
        ("9c", "byte 0x0: expected an array, found a reserved first byte"),
        ("866a", "byte 0x2: expected a text, found the end of the data"),
        ("866b6c757472612d7061636b73", "byte 0x1: expected 'lutra-pack', found 'lutra-packs'"),
        ("866a6c757472612d7061630a", "byte 0xb: expected printable ASCII, found the byte 0x0a"),
        ("867f", "byte 0x1: expected a text, found an indefinite length"),
        ("866a6c757472612d7061636b03", "byte 0xc: format: expected an integer from 1 to 2, found 3"),
        ("866a6c757472612d7061636b1801", "byte 0xc: format: expected the shortest form of 1"),
        ("866a6c757472612d7061636b20", "byte 0xc: format: expected an unsigned integer, found a negative integer"),
        ("866a6c757472612d7061636b0189", "byte 0xd: roots: expected an array of 0 to 8 items, found one of 9"),
        ("866a6c757472612d7061636b018183" + "591000", "byte 0xf: roots[0].root: expected a byte string of 0 to 4095"),
        ("866a6c757472612d7061636b01805affffffff", "byte 0xe: manifest: expected a byte string of 0 to 65535 bytes"),
        (
            "866a6c757472612d7061636b018040808081",
            "byte 0x10: parts: expected an array of 1 to 24 items, found",
        ),
        ("866a6c757472612d7061636b01804080815affffffff", "byte 0x16: parts[0]: expected a byte string, found the end"),
    ],
)
def test_a_refusal_says_where_and_what_was_expected(text: str, error: str) -> None:
    with pytest.raises(pack.PackError) as found:
        pack.decode(bytes.fromhex(text))
    assert str(found.value).startswith(error)


def test_a_pack_that_ends_early_is_refused_at_every_length() -> None:
    for size in range(len(DATA)):
        with pytest.raises(pack.PackError, match="found the end of the data"):
            pack.decode(DATA[:size])


@pytest.mark.parametrize("more", [b"\0", b"\xf6", DATA])
def test_bytes_after_the_end_are_refused(more: bytes) -> None:
    with pytest.raises(pack.PackError, match=f"byte {len(DATA):#x}: expected the end, found {len(more)} more byte"):
        pack.decode(DATA + more)


@pytest.mark.parametrize("first", ["81", "9f", "a1", "c1", "82"])
def test_deep_nesting_ends_at_the_schema(first: str) -> None:
    deep = bytes.fromhex(first) * 1_000_000
    for item in ITEMS.values():
        with pytest.raises(pack.PackError):
            layout.read(item, deep)
    with pytest.raises(pack.PackError, match="expected"):
        layout.read(layout.ANSWERS, bytes.fromhex("81836161008181") + deep)


@pytest.mark.parametrize("kind", ["5a", "7a", "9a"])
def test_a_huge_length_reserves_no_memory(kind: str) -> None:
    """A list of 2^32 - 1 items, or a string of as many bytes, is refused before anything is read of it."""
    data = bytes.fromhex(kind + "ffffffff")
    for item in ITEMS.values():
        with pytest.raises(pack.PackError):
            layout.read(item, data)


def _signature(key: int) -> pack.Signature:
    return pack.Signature(key, bytes(64))


SEGMENT = pack.Segment("m1", 0, bytes(4))


@pytest.mark.parametrize(
    ("item", "value", "error"),
    [
        (layout.SIGNATURES, (_signature(1), _signature(0)), "ascending keys"),
        (layout.SIGNATURES, (_signature(1), _signature(1)), "ascending keys"),
        (layout.ROLE, pack.Role(1, (b"b" * 32, b"a" * 32)), "ascending keys"),
        (layout.ROLE, pack.Role(1, (b"a" * 32, b"a" * 32)), "ascending keys"),
        (layout.ROLE, pack.Role(2, (b"a" * 32,)), "a threshold up to the number of keys"),
        (layout.SEGMENTS, (SEGMENT, SEGMENT), "ascending segments without overlap"),
        (layout.SEGMENTS, (SEGMENT, pack.Segment("m1", 3, b"a")), "ascending segments without overlap"),
        (layout.SEGMENTS, (SEGMENT, pack.Segment("m0", 8, b"a")), "ascending segments without overlap"),
        (layout.SEGMENTS, (pack.Segment("pm", 0, bytes(9)),), "whole words of 8 bytes in pm"),
        (layout.SEGMENTS, (pack.Segment("pm", 4, bytes(8)),), "whole words of 8 bytes in pm"),
        (layout.ANSWERS, (pack.Answer("x", 0, (pack.Run(0, 1),)),), "a last step that compares"),
        (
            layout.PACK,
            pack.Pack((), b"", (_signature(0),), (b"a",)),
            "roots, since there are signatures",
        ),
    ],
)
def test_rules_hold_for_who_writes_and_for_who_reads(item: schema.Item, value: Any, error: str) -> None:
    with pytest.raises(pack.PackError, match=error):
        item.write(value)
    with pytest.raises(pack.PackError, match=error) as found:
        layout.read(item, cbor2.dumps(_numbered(item, value)))
    assert found.value.offset is not None


def _numbered(item: schema.Item, value: Any) -> Any:
    """As CBOR has it, by the tables and without their rules."""
    if isinstance(item, schema.List):
        return [_numbered(item.of, one) for one in value]
    if isinstance(item, schema.Variant):
        return _numbered(next(record for record in item.of if isinstance(value, record.cls)), value)
    if isinstance(item, schema.Record):
        members = [_numbered(member, getattr(value, name)) for name, member in item.members]
        return [*(word.value for word in item.words), *members]
    return code(value) if isinstance(item, Space) else value


@pytest.mark.parametrize("number", [6, 8, 255, 1 << 31])
def test_a_memory_that_there_is_not_and_both_banks_are_refused(number: int) -> None:
    data = cbor2.dumps([[number, 0, b"a"]])
    with pytest.raises(pack.PackError, match=rf"byte 0x2: \[0\].space: expected a memory of 0 \(m0\).*found {number}"):
        layout.read(layout.SEGMENTS, data)


def test_what_is_no_value_of_the_schema_is_not_written() -> None:
    made = packs.small()
    for wrong in (None, "text", made.roots[0]):
        with pytest.raises(pack.PackError, match="expected a Pack"):
            layout.PACK.write(wrong)
    for item, value in ((schema.Uint(), -1), (schema.Uint(), True), (schema.Bool(), 1), (schema.Text(1, 2), "é")):
        with pytest.raises(pack.PackError, match="expected"):
            item.write(value)


def test_a_reader_of_a_part_says_where_in_the_file_it_is() -> None:
    data = bytearray(DATA)
    at = data.index(b"mole")
    data[at] = 7
    with pytest.raises(pack.PackError, match=rf"byte {at:#x}: manifest.name: expected printable ASCII") as found:
        layout.manifest_of(pack.decode(bytes(data)))
    assert found.value.offset == at


def test_the_reader_takes_one_item_after_the_other() -> None:
    stream = io.BytesIO()
    for value in (1, b"ab", "c", True):
        cbor2.dump(value, stream)
    reader = Reader(stream.getvalue(), base=100)
    assert (reader.uint(), reader.bytes(0, 2), reader.text(0, 2), reader.boolean()) == (1, b"ab", "c", True)
    reader.end()
    assert reader.place == 100 + len(stream.getvalue())
