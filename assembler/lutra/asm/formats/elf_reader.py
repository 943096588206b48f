"""Read an image from the bytes of an ELF file; everything is checked before it is used.

The size of the file bounds the memory that this needs: no byte is in two sections, and all names, which may share
bytes, are together no longer than the file.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from lutra.asm.formats import checksum
from lutra.asm.formats.dwarf import PREFIX, SECTIONS, read_debug
from lutra.asm.formats.dwarf_format import WORD_BYTES
from lutra.asm.formats.elf_format import (
    ABS,
    ALLOC,
    EHDR,
    ET_EXEC,
    FILE,
    GLOBAL,
    IDENT,
    NOBITS,
    NULL,
    SHDR,
    SPACE,
    SYM,
    SYMTAB,
    TEXT,
    home,
    section_name,
    single_spaces,
)
from lutra.asm.image import Image, Symbol
from lutra.isa import Space, load

NAME_CHARACTERS = 255  # of a section


class BadFileError(Exception):
    """The file is damaged or is not an image."""


@dataclass(frozen=True)
class Header:
    name: str
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int


class Strings:
    """A string table. Each string is decoded once."""

    def __init__(self, table: bytes, most: int) -> None:
        """most: limit of the length of all strings together, in bytes."""
        self._table = table
        self._left = most
        self._known: dict[int, str] = {}

    def at(self, place: int) -> str:
        """The string that begins there."""
        if place not in self._known:
            end = self._table.find(b"\0", place)
            if place >= len(self._table) or end < 0:
                raise BadFileError("a name is outside its string table")
            self._left -= end - place
            if self._left < 0:
                raise BadFileError("the names together are longer than the file; assemble it again")
            self._known[place] = self._table[place:end].decode("utf-8", "surrogateescape")
        return self._known[place]


class Reader:
    """Reads one file; every offset is checked before it is used."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._isa = load()
        self._headers: list[Header] = []

    def image(self) -> Image:
        """Return the image after checking its checksum. Raises BadFileError and DwarfError."""
        image = self.contents()
        notes = [self._section_data(header) for header in self._headers if header.name == checksum.SECTION]
        if not notes:
            raise BadFileError("has no checksum: stripped, or from an earlier version; assemble it again")
        if notes != [checksum.note(checksum.digest(image))]:
            raise BadFileError("is damaged: checksum mismatch; assemble it again")
        return image

    def contents(self) -> Image:
        """Return the contents of the file without comparing the checksum."""
        entry = self._header()
        spaces = {section_name(s): s for s in single_spaces(self._isa)}
        seen: set[str] = set()
        program: list[int] = []
        memory: dict[str, list[tuple[int, bytes]]] = {s.name: [] for s in spaces.values() if not s.is_program}
        for header in self._headers:
            space = spaces.get(header.name)
            if space is None:
                if header.flags & ALLOC:
                    raise BadFileError(f"section {header.name} is loadable, but there is no memory of that name")
                continue
            if header.name in seen:
                raise BadFileError(f"two sections {header.name}")
            seen.add(header.name)
            contents = self._section_data(header)
            if space.is_program:
                program = self._words(header, contents)
            elif header.address + len(contents) > self._isa.size(space):
                limit = self._isa.size(space)
                raise BadFileError(f"section {header.name} reaches beyond the {limit} bytes of {space.name}")
            elif contents:
                memory[space.name] = [(header.address, contents)]
        if TEXT not in seen:
            raise BadFileError("no section .text")
        if entry % WORD_BYTES or entry // WORD_BYTES >= 1 << self._isa.machine["AddressBits"]:
            raise BadFileError(f"entry 0x{entry:x} is not the address of an instruction")
        debug = self._debug()
        lines, written, expansions = read_debug(debug, len(program))
        symbols, address = self._symbols(spaces), entry // WORD_BYTES
        return Image(program, memory, symbols, lines, address, written=written, expansions=expansions)

    def _header(self) -> int:
        """Check the file's header, read the section headers; the entry's address."""
        data = self._data
        if data[:4] != IDENT[:4]:
            raise BadFileError("not an ELF file")
        if len(data) < EHDR.size:
            raise BadFileError("the file is cut off within the ELF header")
        ident, kind, machine, version, entry, _, at, _, _, _, _, size, count, names = EHDR.unpack_from(data)
        if ident[4:7] != IDENT[4:7] or version != 1:
            raise BadFileError("not a little-endian ELF64 file of version 1")
        if machine != self._isa.machine["ElfMachine"]:
            raise BadFileError(f"for machine 0x{machine:x}, not for this one (0x{self._isa.machine['ElfMachine']:x})")
        if kind != ET_EXEC:
            raise BadFileError("not an executable ELF file")
        if size != SHDR.size or not count or at + count * size > len(data):
            raise BadFileError("the section headers are cut off or damaged")
        rows = [SHDR.unpack_from(data, at + i * size) for i in range(count)]
        if names >= count:
            raise BadFileError("the section names are missing")
        strings = self._strings(self._range(rows[names][4], rows[names][5], "the section names"))
        for at, section_kind, flags, address, offset, length, link, _, _, _ in rows:
            name = strings.at(at)
            if len(name) > NAME_CHARACTERS:
                raise BadFileError(f"section {name[:16]}...: the name has more than {NAME_CHARACTERS} characters")
            self._headers.append(Header(name, section_kind, flags, address, offset, length, link))
        self._no_overlap()
        return int(entry)

    def _no_overlap(self) -> None:
        end, before = 0, ""
        for header in sorted(self._headers, key=lambda h: h.offset):
            if header.kind in (NULL, NOBITS) or not header.size:
                continue
            if header.offset < end:
                raise BadFileError(f"sections {before} and {header.name} overlap; assemble it again")
            end, before = header.offset + header.size, header.name

    def _strings(self, table: bytes) -> Strings:
        return Strings(table, len(self._data))

    def _debug(self) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for header in self._headers:
            if header.name.startswith(PREFIX):
                if header.name not in SECTIONS or header.name in found:
                    known = ", ".join(SECTIONS)
                    raise BadFileError(f"section {header.name}: there must be exactly one each of {known}")
                found[header.name] = self._section_data(header)
        return found

    def _range(self, offset: int, size: int, what: str) -> bytes:
        if offset + size > len(self._data):
            raise BadFileError(f"{what}: the file is cut off")
        return self._data[offset : offset + size]

    def _section_data(self, header: Header) -> bytes:
        if header.kind == NOBITS:
            raise BadFileError(f"section {header.name} has no contents")
        return self._range(header.offset, header.size, f"section {header.name}")

    def _words(self, header: Header, contents: bytes) -> list[int]:
        if header.address % WORD_BYTES or len(contents) % WORD_BYTES:
            raise BadFileError(f"section {header.name} is not made of {WORD_BYTES}-byte words")
        first, count = header.address // WORD_BYTES, len(contents) // WORD_BYTES
        if first + count > 1 << self._isa.machine["AddressBits"]:
            raise BadFileError(f"section {header.name} reaches beyond the program addresses")
        return [0] * first + list(struct.unpack(f"<{count}Q", contents))

    def _symbols(self, spaces: dict[str, Space]) -> tuple[Symbol, ...]:
        found: list[Symbol] = []
        tables = [header for header in self._headers if header.kind == SYMTAB]
        if len(tables) > 1:
            raise BadFileError("two symbol tables")
        for header in tables:
            if header.link >= len(self._headers) or header.size % SYM.size:
                raise BadFileError("the symbol table is damaged")
            strings = self._strings(self._section_data(self._headers[header.link]))
            file = ""
            for name, info, other, section, value, _ in SYM.iter_unpack(self._section_data(header)):
                if info & 15 == FILE:
                    file = strings.at(name)
                    continue
                if not name:
                    continue
                text = strings.at(name)
                is_global = info >> 4 == GLOBAL
                of = "" if is_global else file
                if section == ABS:
                    signed = value - (1 << 64) if value >> 63 else value
                    found.append(Symbol(text, "", signed, is_global, of))
                elif section < len(self._headers) and self._headers[section].name in spaces:
                    place = self._headers[section].name
                    space = next((s for s in self._isa.spaces if s.code == other >> SPACE), None)
                    if not other or space is None or home(self._isa, space.name) != place:
                        space = spaces[place]
                    unit = WORD_BYTES if space.is_program else 1
                    found.append(Symbol(text, space.name, value // unit, is_global, of))
        return tuple(found)
