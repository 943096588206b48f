"""DWARF of macros: what other tools say about each word is what the image says."""

from __future__ import annotations

import base64
import subprocess
import zlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from elftools.dwarf.die import DIE
from elftools.dwarf.dwarfinfo import DWARFInfo
from elftools.dwarf.ranges import RangeEntry
from elftools.elf.elffile import ELFFile
from hypothesis import given, settings
from hypothesis import strategies as st

from lutra.asm import ElfError, Image, assemble, assemble_text, read_elf, write_elf
from lutra.asm.formats.dwarf_format import WORD_BYTES
from lutra.asm.formats.elf import elf_bytes, image_of

ROOT = Path(__file__).parents[2]
FIRMWARE = ROOT / "firmware"

# Macros in macros and in repetitions, of a file of their own, taken apart by .org, around labels.
MACROS = """
.macro  inner
        nop
        nop
.endm
.macro  far target
        nop
        .org \\target
        inner
        .org 20
.endm
"""
MAIN = """
.include "macros.inc"
.macro  outer
        inner
        .rept 2
        nop
        inner
        .endr
within\\@:
        nop
.endm
        nop
first:  outer
.rept   2
        inner
.endr
        .global second
second: nop
        far 40
between:
        nop
        outer
        .org 60
last:   halt
"""


def source_image(folder: Path) -> Image:
    """The image of MAIN."""
    (folder / "macros.inc").write_text(MACROS)
    (folder / "main.s").write_text(MAIN)
    return assemble([folder / "main.s"], warnings=["no-all"])


@cache
def firmware_image(source: str) -> Image:
    """The image of a file of the firmware."""
    path = FIRMWARE / source
    return assemble([path], [FIRMWARE, FIRMWARE / "common", path.parent])


@pytest.fixture(params=["main", "sm4/sm4.s", "snow3g/snow3g.s", "camellia/camellia_x6.s"])
def image(request: pytest.FixtureRequest, tmp_path: Path) -> Image:
    return source_image(tmp_path) if request.param == "main" else firmware_image(request.param)


@pytest.fixture
def elf(image: Image, tmp_path: Path) -> Path:
    write_elf(image, tmp_path / "image.elf")
    return tmp_path / "image.elf"


def chains(image: Image) -> dict[int, list[tuple[str, int]]]:
    """Program address -> files and lines, innermost first."""
    return {pc: [place[:2] for place in image.chain(pc)] for pc in image.lines}


def test_chains_come_back(image: Image, elf: Path) -> None:
    back = read_elf(elf)
    assert [back.chain(pc) for pc in range(len(back.program))] == [image.chain(pc) for pc in range(len(back.program))]
    assert (back.lines, back.written, back.expansions) == (image.lines, image.written, image.expansions)
    assert elf_bytes(back) == elf.read_bytes()


def test_llvm_finds_no_error(elf: Path) -> None:
    done = subprocess.run(["llvm-dwarfdump-19", "--verify", str(elf)], capture_output=True, text=True, check=True)
    assert "No errors." in done.stdout
    assert "arning" not in done.stdout + done.stderr


@pytest.mark.parametrize("tool", ["addr2line", "llvm-addr2line-19"])
def test_addr2line_shows_each_call(image: Image, elf: Path, tool: str) -> None:
    wanted = chains(image)
    command = [tool, "-a", "-i", "-e", str(elf), *(hex(pc * WORD_BYTES) for pc in wanted)]
    found: list[list[tuple[str, int]]] = []
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
        if line.startswith("0x"):
            found.append([])
        else:
            file, _, number = line.split(" ")[0].rpartition(":")
            found[-1].append((file.removeprefix("./"), int(number)))
    assert dict(zip(wanted, found, strict=True)) == wanted


@pytest.mark.parametrize("tool", ["addr2line", "llvm-addr2line-19"])
def test_addr2line_names_the_macros_and_the_label_before_them(tmp_path: Path, tool: str) -> None:
    write_elf(source_image(tmp_path), tmp_path / "image.elf")
    command = [tool, "-f", "-i", "-e", str(tmp_path / "image.elf"), hex(4 * WORD_BYTES)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert lines[::2] == ["inner", "outer", "first"]


def test_readelf_reads_it_without_a_warning(elf: Path) -> None:
    command = ["readelf", "-W", "--debug-dump=decodedline,info,abbrev,Ranges", str(elf)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "arning" not in done.stdout + done.stderr


def test_gdb_shows_the_innermost_line(image: Image, elf: Path) -> None:
    # One word in eight of a long program: each takes gdb longer than the others take all.
    places = sorted(image.lines)[:: 8 if len(image.lines) > 400 else 1]
    wanted = [chains(image)[pc][0] for pc in places]
    asked = [f"info line *{pc * WORD_BYTES:#x}" for pc in places]
    command = ["gdb", "-batch", "-nx", *(part for line in asked for part in ("-ex", line)), str(elf)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = [line.split('"') for line in done.stdout.splitlines() if line.startswith("Line ")]
    assert [(file, int(line.split()[1])) for line, file, _ in found] == wanted


# ----------------------------------------------------------------------- pyelftools, an independent reader


def rows(info: DWARFInfo) -> tuple[list[str], dict[int, tuple[str, int]]]:
    """The line table: its files, and program address -> file and line."""
    (unit,) = info.iter_CUs()
    program = info.line_program_for_CU(unit)
    assert program is not None
    files = [f.name.decode() for f in program.header.file_entry]
    found: dict[int, tuple[str, int]] = {}
    last = None
    for state in (entry.state for entry in program.get_entries() if entry.state is not None):
        if last is not None:
            for address in range(last.address, state.address, WORD_BYTES):
                found[address // WORD_BYTES] = (files[last.file - 1], last.line)
        last = None if state.end_sequence else state
    return files, found


def extents(entry: DIE, info: DWARFInfo) -> list[range]:
    """The words of an entry."""
    values = {name: attribute.value for name, attribute in entry.attributes.items()}
    if "DW_AT_ranges" not in values:
        spans = [(values["DW_AT_low_pc"], values["DW_AT_low_pc"] + values["DW_AT_high_pc"])]
    else:
        lists = info.range_lists()
        assert lists is not None
        found = lists.get_range_list_at_offset(values["DW_AT_ranges"])
        spans = [(r.begin_offset, r.end_offset) for r in found if isinstance(r, RangeEntry)]
    return [range(low // WORD_BYTES, high // WORD_BYTES) for low, high in spans]


def calls(entry: DIE, info: DWARFInfo, depth: int = 0) -> Iterator[tuple[int, DIE, range]]:
    """Every inlined subroutine under an entry, with its depth and a run of its words."""
    for child in entry.iter_children():
        inlined = child.tag == "DW_TAG_inlined_subroutine"
        if inlined:
            for words in extents(child, info):
                yield depth, child, words
        yield from calls(child, info, depth + inlined)


def test_pyelftools_finds_each_call_and_definition(image: Image, elf: Path) -> None:
    with elf.open("rb") as file:
        info = ELFFile(file).get_dwarf_info()
        files, found = rows(info)
        (unit,) = info.iter_CUs()
        above: dict[int, list[tuple[int, str, tuple[str, int], tuple[str, int]]]] = {pc: [] for pc in found}
        for depth, call, words in calls(unit.get_top_DIE(), info):
            origin = call.get_DIE_from_attribute("DW_AT_abstract_origin").attributes
            here = call.attributes
            name = origin["DW_AT_name"].value.decode()
            definition = (files[origin["DW_AT_decl_file"].value - 1], origin["DW_AT_decl_line"].value)
            place = (files[here["DW_AT_call_file"].value - 1], here["DW_AT_call_line"].value)
            for pc in words:
                assert len(above[pc]) == depth
                above[pc].append((depth, name, definition, place))
    for pc in image.lines:
        inner = [(name, place) for _, name, _, place in reversed(above[pc])]
        macros = [*(name for name, _ in inner), ""]
        assert [tuple(p) for p in image.chain(pc)] == [
            (*place, macro) for place, macro in zip([found[pc], *(place for _, place in inner)], macros, strict=True)
        ]
        if inner:
            assert image.expansions[image.written[pc].expansion].definition == above[pc][-1][2]


def test_each_expansion_begins_a_row_of_the_line_table() -> None:
    """A debugger stops at each turn of a repetition whose macro has one line."""
    image = assemble_text(".macro m\n nop\n.endm\n.rept 3\n m\n.endr\n", "a.s")
    info = ELFFile(BytesIO(elf_bytes(image))).get_dwarf_info()
    program = info.line_program_for_CU(next(info.iter_CUs()))
    assert program is not None
    states = [entry.state for entry in program.get_entries() if entry.state is not None]
    assert [(s.address // WORD_BYTES, s.line) for s in states if not s.end_sequence] == [(0, 2), (1, 2), (2, 2)]


# ----------------------------------------------------------------------- older images, damage

# main: a macro of two instructions in line 5, and halt; written when images did not have the lines of macros.
OLD = """
c-pIX^>JfjWMqH=CWcTS1P=jrAPG7^Nlpe1m=Gfx&BQ3kpvoc4%FH3nAs{ZuD8vpF)B$1^urvo_PH9O|A_HSXeol&BF@qk8T@p~*6s%qrte){VA1?z
VBiN;kAOz6}2AoVVonrb-j0|8kY(T64b&(I)E(V4N*Z7aVdGz>>yko-M<H3I}-qddjJ|g6j_-);7rS$oK6BzISMzC8x{zn&QNAWfifVeL=F*A>WL
9ZmWqJ%*&B{iuuJw7ohsVKD!#>>o0%ZIUZGV@Xy^z!mcQuQFgqgPy+TauUrq)Un*bOw|~F@T06IGm7y16mxw00$O-V@oFyP+A0weaJu*hyENWZ9qW
3A`bm?ptL0c{krhDLj^aWv<aFx3mV@NoL4Y`0MsH6q;O(J3O`u5Izq)U!VjvShk*M%ap+HhDhwu|9{|WON`e
"""


def test_image_of_an_earlier_version_is_read_with_the_calls_as_its_lines() -> None:
    data = zlib.decompress(base64.b85decode("".join(OLD.split())))
    image = image_of(data)
    assert image.lines == {0: ("old.s", 5), 1: ("old.s", 5), 2: ("old.s", 6)}
    assert [[tuple(p) for p in image.chain(pc)] for pc in range(3)] == [[("old.s", n, "")] for n in (5, 5, 6)]
    assert elf_bytes(image) == data


def test_image_without_macros_is_written_as_before() -> None:
    new = assemble_text(".macro twice\n nop\n nop\n.endm\nmain: twice\n halt\n", "old.s")
    old = replace(new, written={}, expansions=())
    assert elf_bytes(old) == zlib.decompress(base64.b85decode("".join(OLD.split())))


@pytest.mark.parametrize("what", ["macro", "definition", "call", "line"])
def test_checksum_covers_macros(what: str, tmp_path: Path) -> None:
    image = source_image(tmp_path)
    first, *others = image.expansions
    changed = {
        "macro": {"expansions": (first._replace(macro="another"), *others)},
        "definition": {"expansions": (first._replace(definition=(first.definition[0], 99)), *others)},
        "call": {"expansions": (first, others[0]._replace(call=(first.call[0], 99)), *others[1:])},
        "line": {"written": {**image.written, 1: image.written[1]._replace(line=99)}},
    }[what]
    good, bad = elf_bytes(image), elf_bytes(replace(image, **changed))  # type: ignore[arg-type]
    # The note is the same size in each, so that one file's note can stand in the other.
    at, size = good.find(b"Lutra\0\0\0"), 8 + 32
    assert at > 0
    there = bad.find(b"Lutra\0\0\0")
    with pytest.raises(ElfError, match="is damaged"):
        image_of(bad[:there] + good[at : at + size] + bad[there + size :])


GOOD = elf_bytes(assemble_text(MACROS + MAIN.replace('.include "macros.inc"', ""), "a.s", warnings=["no-all"]))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.integers(GOOD.find(b"\x01\x11"), len(GOOD) - 1), st.integers(0, 255)), min_size=1, max_size=4)
)
def test_any_damage_of_the_entries_gives_the_same_image_or_one_line(changes: list[tuple[int, int]]) -> None:
    data = bytearray(GOOD)
    for at, value in changes:
        data[at] = value
    try:
        image = image_of(bytes(data))
    except ElfError as error:
        assert "\n" not in str(error)
    else:
        assert elf_bytes(image) == GOOD
