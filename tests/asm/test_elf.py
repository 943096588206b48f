"""The ELF file: read by its own reader, by pyelftools and by readelf; damaged files."""

from __future__ import annotations

import shutil
import subprocess
import tracemalloc
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import Section, SymbolTableSection
from hypothesis import given, settings
from hypothesis import strategies as st

from lutra.asm import AsmError, ElfError, Image, Symbol, assemble, assemble_text, read_elf, write_elf
from lutra.asm.formats.elf import elf_bytes, image_of
from lutra.asm.formats.elf_format import EHDR, SHDR
from lutra.asm.formats.elf_reader import BadFileError, Strings
from lutra.isa import load

SOURCE = """
        .equ    count, 3
minus = -2
        .section m0
keys:   .row    000102030405060708090a0b0c0d0e0f
        .section m2
        .org    0x20
        .byte   1
        .org    0x30
        .byte   2
        .section t1.3
        .org    4
        .byte   0x99
        .section t0:t1
both:   .section text
        .global main
        .entry  main
        nop
main:   arset   ar0, keys
        repeat  count, .L_end
        aesenc2 v0, v0, m0:m1[ar0++]
.L_end:
        .org    0x20
        halt
"""


@pytest.fixture
def image() -> Image:
    return assemble_text(SOURCE, "first.s")


def test_image_comes_back(image: Image, tmp_path: Path) -> None:
    path = tmp_path / "first.elf"
    write_elf(image, path)
    back = read_elf(path)
    assert back.program == image.program
    assert back.entry == image.entry == 1
    assert back.lines == image.lines
    assert back.memory["m0"] == image.memory["m0"]
    # Holes are filled with zeros in the file.
    assert image.memory["m2"] == [(0x20, b"\1"), (0x30, b"\2")]
    assert back.memory["m2"] == [(0x20, b"\1" + bytes(15) + b"\2")]
    assert back.memory["t1"] == [(0x43, b"\x99")]
    assert back.symbol("main") == Symbol("main", "pm", 1, True, "")
    assert back.symbol("keys") == Symbol("keys", "m0", 0, False, "first.s")
    assert back.symbol("minus").value == -2
    assert back.symbol("both").space == "t0:t1"
    assert [s.name for s in back.symbols if s.name.startswith(".L")] == []


def test_equal_images_give_equal_files(image: Image) -> None:
    assert elf_bytes(image) == elf_bytes(assemble_text(SOURCE, "first.s"))


def section(elf: ELFFile, name: str) -> Section:
    found = elf.get_section_by_name(name)
    assert found is not None
    return found


def test_pyelftools_reads_it(image: Image, tmp_path: Path) -> None:
    path = tmp_path / "first.elf"
    write_elf(image, path)
    with path.open("rb") as file:
        elf = ELFFile(file)
        assert elf.header.e_machine == load().machine["ElfMachine"]
        assert elf.header.e_entry == 8
        assert section(elf, ".text").data()[8:16] == image.program[1].to_bytes(8, "little")
        assert section(elf, ".m2").header.sh_addr == 0x20
        table = section(elf, ".symtab")
        assert isinstance(table, SymbolTableSection)
        symbols = list(table.iter_symbols())
        local = [s.entry.st_info.bind == "STB_LOCAL" for s in symbols]
        assert local == sorted(local, reverse=True)
        assert table.header.sh_info == sum(local)
        found = {}
        for unit in elf.get_dwarf_info().iter_CUs():
            program = elf.get_dwarf_info().line_program_for_CU(unit)
            assert program is not None
            names = [f.name.decode() for f in program.header.file_entry]
            for entry in program.get_entries():
                if entry.state is not None and not entry.state.end_sequence:
                    found[entry.state.address // 8] = (names[entry.state.file - 1], entry.state.line)
        assert found == image.lines


@pytest.mark.skipif(shutil.which("readelf") is None, reason="binutils' readelf is not installed")
def test_readelf_reads_it(image: Image, tmp_path: Path) -> None:
    path = tmp_path / "first.elf"
    write_elf(image, path)
    command = ["readelf", "-h", "-S", "-s", "-n", "--debug-dump=decodedline,info", "-W", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "arning" not in done.stderr + done.stdout
    assert done.stderr == ""
    assert "Entry point address:               0x8" in done.stdout
    rows = [line.split() for line in done.stdout.splitlines() if line.startswith("first.s ")]
    lines = {int(r[2], 16) // 8: ("first.s", int(r[1])) for r in rows if r[1] != "-"}
    assert lines == image.lines


def test_lines_of_many_files_and_far_apart_come_back(tmp_path: Path) -> None:
    (tmp_path / "a.inc").write_text("\n" * 300 + "nop\n" + "\n" * 40 + "nop\n nop")
    (tmp_path / "b.s").write_text('nop\n.include "a.inc"\nnop\n.org 900\n.rept 3\n nop\n.endr\n')
    image = assemble([tmp_path / "b.s"])
    assert image_of(elf_bytes(image)).lines == image.lines
    assert len({file for file, _ in image.lines.values()}) == 2


def test_an_empty_program_is_an_image(tmp_path: Path) -> None:
    path = tmp_path / "empty.elf"
    write_elf(assemble_text(""), path)
    assert read_elf(path).program == []


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda d: b"", "not an ELF file"),
        (lambda d: b"hello", "not an ELF file"),
        (lambda d: d[:40], "cut off within the ELF header"),
        (lambda d: d[:-1], "the section headers are cut off or damaged"),
        (lambda d: d[:4] + b"\1" + d[5:], "not a little-endian ELF64 file"),
        (lambda d: d[:18] + b"\x3e\0" + d[20:], "for machine 0x3e, not for this one (0x4c55)"),
        (lambda d: d[:16] + b"\1\0" + d[18:], "not an executable"),
        (lambda d: d[:24] + b"\1" + d[25:], "entry 0x1 is not the address of an instruction"),
        (lambda d: d.replace(b"\0.text\0", b"\0\next\xff\0"), r"section \next\udcff is loadable"),
        (lambda d: d[:62] + b"\xff\xff" + d[64:], "the section names are missing"),
    ],
)  # fmt: skip
def test_damaged_file_gives_one_line(image: Image, tmp_path: Path, damage, message: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "damaged.elf"
    path.write_bytes(damage(elf_bytes(image)))
    with pytest.raises(ElfError) as caught:
        read_elf(path)
    assert str(caught.value).startswith(f"{path}: error: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_file_gives_one_line(tmp_path: Path) -> None:
    with pytest.raises(ElfError, match="cannot be read: No such file"):
        read_elf(tmp_path / "nothing.elf")


GOOD = elf_bytes(assemble_text(SOURCE, "first.s"))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, 255)), max_size=4),
    st.one_of(st.just(len(GOOD)), st.integers(0, len(GOOD))),
)
def test_any_damage_gives_an_image_or_one_line(changes: list[tuple[int, int]], length: int) -> None:
    data = bytearray(GOOD)
    for at, value in changes:
        data[at] = value
    try:
        image_of(bytes(data[:length]))
    except ElfError as error:
        assert "\n" not in str(error)


def with_sections(data: bytes, sections: list[tuple[bytes, int, int, int]]) -> bytes:
    """A file with eight bytes more, and more section headers: name, type, offset, size."""
    header = list(EHDR.unpack_from(data))
    at, count = header[6], header[12]
    rows = [list(SHDR.unpack_from(data, at + n * SHDR.size)) for n in range(count)]
    names = rows[header[13]]
    table = data[names[4] : names[4] + names[5]]
    data += bytes(8)
    places = {}
    for name, *_ in sections:
        places[name] = table.find(name + b"\0")
        if places[name] < 0:
            places[name] = len(table)
            table += name + b"\0"
    names[4:6] = len(data), len(table)
    for name, kind, offset, size in sections:
        rows.append([places[name], kind, 0, 0, offset, size, 0, 0, 1, 0])
    header[6], header[12] = len(data) + len(table), len(rows)
    return EHDR.pack(*header) + data[EHDR.size :] + table + b"".join(SHDR.pack(*row) for row in rows)


LONG = b"x" * 50_000
# As small as a file can be that once took gigabytes.
GREEDY = {
    "the whole file in each of many sections": (
        [(b".debug_%d" % n, 1, 0, len(GOOD)) for n in range(400)],
        "sections .debug_0 and .debug_1 overlap",
    ),
    "parts of the program in a section more": (
        [(b".other", 1, EHDR.size, 8)],
        "sections .text and .other overlap",
    ),
    "line information of another kind": ([(b".debug_str", 1, len(GOOD), 8)], "section .debug_str: there must be"),
    "line information twice": ([(b".debug_line", 1, len(GOOD), 8)], "section .debug_line: there must be"),
    "a long name for each of many sections": ([(LONG, 1, 0, 0)] * 2000, "more than 255 characters"),
    "ends of a long name": ([(LONG[n:], 1, 0, 0) for n in range(400)], "more than 255 characters"),
    "two symbol tables": ([(b".symtab2", 2, len(GOOD), 0)], "two symbol tables"),
}  # fmt: skip


@pytest.mark.parametrize(("sections", "message"), GREEDY.values(), ids=GREEDY)
def test_memory_is_bounded_by_the_size_of_the_file(sections: list[tuple[bytes, int, int, int]], message: str) -> None:
    data = with_sections(GOOD, sections)
    tracemalloc.start()
    try:
        with pytest.raises(ElfError, match=message):
            image_of(data)
        assert tracemalloc.get_traced_memory()[1] < 8 * len(data) + 1_000_000
    finally:
        tracemalloc.stop()


def test_names_of_labels_that_share_bytes_are_bounded_by_the_size_of_the_file() -> None:
    table = b"\0" + b"x" * 50_000 + b"\0"
    strings = Strings(table, 100_000)
    assert [strings.at(1) for _ in range(100)] == ["x" * 50_000] * 100
    assert strings.at(50_001 - 10) == "x" * 10
    with pytest.raises(BadFileError, match="together are longer than the file"):
        [strings.at(n) for n in range(2, 10)]


def test_sections_of_other_tools_are_no_harm() -> None:
    data = with_sections(GOOD, [(b".comment", 1, len(GOOD), 4), (b".bss", 8, 0, 1 << 40)])
    assert image_of(data) == image_of(GOOD)


def test_file_that_cannot_be_written_is_left_alone(image: Image, tmp_path: Path) -> None:
    path = tmp_path / "taken"
    path.mkdir()
    with pytest.raises(AsmError, match="cannot be written"):
        write_elf(image, path)
    with pytest.raises(AsmError, match="cannot be written"):
        write_elf(image, tmp_path / "no" / "folder.elf")
    assert [p.name for p in tmp_path.iterdir()] == ["taken"]
