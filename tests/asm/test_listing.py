"""The listing shows words under their labels and source lines, data and symbols."""

from __future__ import annotations

from pathlib import Path

from lutra.asm import assemble, listing, write_listing

SOURCE = """\
        .macro  twice
        nop
        nop
        .endm
start:  arset   ar0, key   // first
        twice
        .org    5
        jmp     start
        .section m1
key:    .byte   0x2a
"""

EXPECTED = """\
entry 0x0000

start:
    // {file}:5: start:  arset   ar0, key   // first
    0000  1000000000000000  arset ar0, 0
    // {file}:6: twice
    //   {file}:2: nop
    0001  0100000000000000  nop
    //   {file}:3: nop
    0002  0100000000000000  nop
    // {file}:8: jmp     start
    0005  0600000000000000  jmp start

m1: 1 byte
    0000  2a

symbols
    m1     00000000 local  key
    pm     00000000 local  start
"""


def test_listing_shows_words_sources_data_and_symbols(tmp_path: Path) -> None:
    path = tmp_path / "first.s"
    path.write_text(SOURCE)
    image = assemble([path])
    assert listing(image) == EXPECTED.format(file=path)
    write_listing(image, tmp_path / "first.lst")
    assert (tmp_path / "first.lst").read_text() == listing(image)


def test_each_call_of_nested_macros_is_shown_where_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "nested.s"
    path.write_text(".macro one\n nop\n.endm\n.macro two\n one\n one\n.endm\n two\n two\n")
    shown = [line.strip() for line in listing(assemble([path])).splitlines() if "//" in line]
    places = [("", 8, "two"), ("  ", 5, "one"), ("    ", 2, "nop"), ("  ", 6, "one"), ("    ", 2, "nop")]
    again = [("", 9, "two"), *places[1:]]
    assert shown == [f"// {indent}{path}:{line}: {text}" for indent, line, text in [*places, *again]]
