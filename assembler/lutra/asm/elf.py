"""The image as an ELF file.

ELF64, little-endian, ET_EXEC, machine number from the ISA's tables. The core has one address space
a memory, so there is a section a memory and no program header: a loader goes by section names.

| section | contents | address unit |
| --- | --- | --- |
| `.text` | program words, 8 bytes each, little-endian | bytes: 8 times the program address |
| `.m0`.. `.t1` | bytes of the memory or bank, from the lowest to the highest used; holes are 0 | bytes |
| `.symtab` | labels (`.L` ones excepted), numbers as SHN_ABS, an STT_FILE before a file's locals | as the section |
| `.debug_line`, `.debug_info`, `.debug_abbrev` | DWARF 4 | bytes |

`e_entry`, symbols of `.text` and DWARF all use the byte address, so that readelf, addr2line and
objdump agree with each other. A label of both banks is in the first one's section, and st_other has the code of its
space above the visibility.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lutra.asm.dwarf import WORD_BYTES, DwarfError, build, read_lines
from lutra.asm.errors import AsmError, Diagnostic
from lutra.asm.files import IMAGE_BYTES, read_bounded
from lutra.asm.image import Image, Symbol, write_atomic
from lutra.isa import Isa, Space, load

_EHDR = struct.Struct("<16sHHIQQQIHHHHHH")
_SHDR = struct.Struct("<IIQQQQIIQQ")
_SYM = struct.Struct("<IBBHQQ")
_IDENT = b"\x7fELF\x02\x01\x01" + bytes(9)
_ET_EXEC = 2
_PROGBITS, _SYMTAB, _STRTAB, _NOBITS = 1, 2, 3, 8
_WRITE, _ALLOC, _EXECINSTR = 1, 2, 4
_ABS = 0xFFF1
_LOCAL, _GLOBAL = 0, 1
_NOTYPE, _FILE = 0, 4
_SPACE = 2  # bit of st_other above the visibility, where a machine may keep what it needs
_TEXT = ".text"


class ElfError(AsmError):
    """A file that is not an image of this machine."""

    @classmethod
    def of(cls, path: object, message: str) -> ElfError:
        """An error about the file."""
        return cls([Diagnostic("error", message, str(path))])


@dataclass(frozen=True)
class _Section:
    name: str
    kind: int
    flags: int
    address: int
    data: bytes
    link: int = 0
    info: int = 0
    align: int = 1
    entry_size: int = 0


class _Strings:
    """A string table."""

    def __init__(self) -> None:
        self.data = bytearray(b"\0")
        self._known = {"": 0}

    def add(self, text: str) -> int:
        if text not in self._known:
            self._known[text] = len(self.data)
            self.data += text.replace("\0", "").encode("utf-8", "surrogateescape") + b"\0"
        return self._known[text]


# --------------------------------------------------------------------------------- writing


def write_elf(image: Image, path: Path) -> None:
    """Write the image to a file, whole or not at all. Raises AsmError."""
    write_atomic(Path(path), elf_bytes(image))


def elf_bytes(image: Image) -> bytes:
    """The image as the bytes of an ELF file; equal images give equal bytes."""
    isa = load()
    sections = [_Section("", 0, 0, 0, b"", align=0), *_memory_sections(isa, image)]
    index = {s.name: i for i, s in enumerate(sections)}
    debug = build(image.lines, len(image.program))
    sections.append(_Section(".debug_abbrev", _PROGBITS, 0, 0, debug.abbrev))
    sections.append(_Section(".debug_info", _PROGBITS, 0, 0, debug.info))
    sections.append(_Section(".debug_line", _PROGBITS, 0, 0, debug.line))
    strings = _Strings()
    table, local_count = _symbol_table(isa, image.symbols, index, strings)
    sections.append(_Section(".symtab", _SYMTAB, 0, 0, table, len(sections) + 1, local_count, 8, _SYM.size))
    sections.append(_Section(".strtab", _STRTAB, 0, 0, bytes(strings.data)))
    names = _Strings()
    for name in [*(s.name for s in sections), ".shstrtab"]:
        names.add(name)
    sections.append(_Section(".shstrtab", _STRTAB, 0, 0, bytes(names.data)))
    return _file(isa, image.entry * WORD_BYTES, sections, names)


def _section_name(space: Space) -> str:
    return _TEXT if space.is_program else f".{space.name}"


def _single_spaces(isa: Isa) -> list[Space]:
    """The spaces that are one memory each, program memory first."""
    return [isa.program, *(s for s in isa.spaces if len(s.blocks) + len(s.banks) == 1)]


def _memory_sections(isa: Isa, image: Image) -> list[_Section]:
    named = {_home(isa, s.space) for s in image.symbols if s.space}
    text = b"".join(word.to_bytes(WORD_BYTES, "little") for word in image.program)
    sections = [_Section(_TEXT, _PROGBITS, _ALLOC | _EXECINSTR, 0, text, align=WORD_BYTES)]
    for space in _single_spaces(isa)[1:]:
        segments = image.memory.get(space.name, [])
        if not segments and _section_name(space) not in named:
            continue
        start = segments[0][0] if segments else 0
        data = bytearray()
        for offset, contents in segments:
            data += bytes(offset - start - len(data)) + contents
        sections.append(_Section(_section_name(space), _PROGBITS, _ALLOC | _WRITE, start, bytes(data)))
    return sections


def _home(isa: Isa, space: str) -> str:
    """The section of a label's space: of the first bank, where the space is several."""
    of = isa.space_by_name[space]
    if of.is_program:
        return _TEXT
    return _section_name(isa.memory_by_block[of.blocks[0]] if of.blocks else isa.bank_by_number[of.banks[0]])


def _symbol_table(isa: Isa, symbols: Sequence[Symbol], index: dict[str, int], strings: _Strings) -> tuple[bytes, int]:
    """The symbol table and the number of local symbols, which come first."""
    entries = [_SYM.pack(0, 0, 0, 0, 0, 0)]

    def add(symbol: Symbol, binding: int) -> None:
        section = index[_home(isa, symbol.space)] if symbol.space else _ABS
        scale = WORD_BYTES if symbol.space == isa.program.name else 1
        value = symbol.value * scale & (1 << 64) - 1
        several = symbol.space and len(isa.space_by_name[symbol.space].banks) > 1
        other = isa.space_by_name[symbol.space].code << _SPACE if several else 0
        entries.append(_SYM.pack(strings.add(symbol.name), binding << 4 | _NOTYPE, other, section, value, 0))

    # What does not fit 64 bits cannot be a symbol's value.
    fitting = [s for s in symbols if -(1 << 63) <= s.value < 1 << 63]
    file = None
    for symbol in (s for s in fitting if not s.is_global):
        if symbol.file != file:
            file = symbol.file
            entries.append(_SYM.pack(strings.add(file), _LOCAL << 4 | _FILE, 0, _ABS, 0, 0))
        add(symbol, _LOCAL)
    local_count = len(entries)
    for symbol in (s for s in fitting if s.is_global):
        add(symbol, _GLOBAL)
    return b"".join(entries), local_count


def _file(isa: Isa, entry: int, sections: Sequence[_Section], names: _Strings) -> bytes:
    body = bytearray()
    headers = bytearray()
    for s in sections:
        if s.align > 1:
            body += bytes(-(_EHDR.size + len(body)) % s.align)
        offset = _EHDR.size + len(body) if s.kind else 0
        headers += _SHDR.pack(
            names.add(s.name), s.kind, s.flags, s.address, offset, len(s.data), s.link, s.info, s.align, s.entry_size
        )
        body += s.data
    body += bytes(-len(body) % 8)
    header = _EHDR.pack(
        _IDENT,
        _ET_EXEC,
        isa.machine["ElfMachine"],
        1,
        entry,
        0,
        _EHDR.size + len(body),
        0,
        _EHDR.size,
        0,
        0,
        _SHDR.size,
        len(sections),
        len(sections) - 1,
    )
    return header + bytes(body) + bytes(headers)


# --------------------------------------------------------------------------------- reading


def read_elf(path: Path) -> Image:
    """Read an image back. Raises ElfError, in one line, for anything that is not one."""
    try:
        data = read_bounded(Path(path), IMAGE_BYTES, "an image")
    except OSError as error:
        raise ElfError.of(path, f"cannot be read: {error.strerror or error}") from None
    return image_of(data, str(path))


def image_of(data: bytes, name: str = "<bytes>") -> Image:
    """The image in the bytes of an ELF file. Raises ElfError; `name` stands for the file in its text."""
    try:
        return _Loader(data).image()
    except (_BadFileError, DwarfError) as error:
        raise ElfError.of(name, str(error)) from None


class _BadFileError(Exception):
    """What is wrong with the file."""


@dataclass(frozen=True)
class _Header:
    name: str
    kind: int
    address: int
    offset: int
    size: int
    link: int


class _Loader:
    """Reads one file; every offset is checked before it is used."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._isa = load()
        self._headers: list[_Header] = []

    def image(self) -> Image:
        entry = self._header()
        spaces = {_section_name(s): s for s in _single_spaces(self._isa)}
        seen: set[str] = set()
        program: list[int] = []
        memory: dict[str, list[tuple[int, bytes]]] = {s.name: [] for s in spaces.values() if not s.is_program}
        for header in self._headers:
            space = spaces.get(header.name)
            if space is None:
                continue
            if header.name in seen:
                raise _BadFileError(f"two sections {header.name}")
            seen.add(header.name)
            contents = self._contents(header)
            if space.is_program:
                program = self._words(header, contents)
            elif header.address + len(contents) > self._isa.size(space):
                limit = self._isa.size(space)
                raise _BadFileError(f"section {header.name} reaches beyond the {limit} bytes of {space.name}")
            elif contents:
                memory[space.name] = [(header.address, contents)]
        if _TEXT not in seen:
            raise _BadFileError("no section .text")
        if entry % WORD_BYTES or entry // WORD_BYTES >= 1 << self._isa.machine["AddressBits"]:
            raise _BadFileError(f"entry 0x{entry:x} is not the address of an instruction")
        lines = {}
        for header in self._headers:
            if header.name == ".debug_line":
                lines = read_lines(self._contents(header), len(program))
        return Image(program, memory, self._symbols(spaces), lines, entry // WORD_BYTES)

    def _header(self) -> int:
        """Check the file's header, read the section headers; the entry's address."""
        data = self._data
        if data[:4] != _IDENT[:4]:
            raise _BadFileError("not an ELF file")
        if len(data) < _EHDR.size:
            raise _BadFileError("the file is cut off within the ELF header")
        ident, kind, machine, version, entry, _, at, _, _, _, _, size, count, names = _EHDR.unpack_from(data)
        if ident[4:7] != _IDENT[4:7] or version != 1:
            raise _BadFileError("not a little-endian ELF64 file of version 1")
        if machine != self._isa.machine["ElfMachine"]:
            raise _BadFileError(f"for machine 0x{machine:x}, not for this one (0x{self._isa.machine['ElfMachine']:x})")
        if kind != _ET_EXEC:
            raise _BadFileError("not an executable ELF file")
        if size != _SHDR.size or not count or at + count * size > len(data):
            raise _BadFileError("the section headers are cut off or damaged")
        rows = [_SHDR.unpack_from(data, at + i * size) for i in range(count)]
        if names >= count:
            raise _BadFileError("the section names are missing")
        table = self._range(rows[names][4], rows[names][5], "the section names")
        for name, section_kind, _, address, offset, length, link, _, _, _ in rows:
            self._headers.append(_Header(_string(table, name), section_kind, address, offset, length, link))
        return int(entry)

    def _range(self, offset: int, size: int, what: str) -> bytes:
        if offset + size > len(self._data):
            raise _BadFileError(f"{what}: the file is cut off")
        return self._data[offset : offset + size]

    def _contents(self, header: _Header) -> bytes:
        if header.kind == _NOBITS:
            raise _BadFileError(f"section {header.name} has no contents")
        return self._range(header.offset, header.size, f"section {header.name}")

    def _words(self, header: _Header, contents: bytes) -> list[int]:
        if header.address % WORD_BYTES or len(contents) % WORD_BYTES:
            raise _BadFileError(f"section {header.name} is not made of {WORD_BYTES}-byte words")
        first, count = header.address // WORD_BYTES, len(contents) // WORD_BYTES
        if first + count > 1 << self._isa.machine["AddressBits"]:
            raise _BadFileError(f"section {header.name} reaches beyond the program addresses")
        return [0] * first + list(struct.unpack(f"<{count}Q", contents))

    def _symbols(self, spaces: dict[str, Space]) -> tuple[Symbol, ...]:
        found: list[Symbol] = []
        for header in self._headers:
            if header.kind != _SYMTAB:
                continue
            if header.link >= len(self._headers) or header.size % _SYM.size:
                raise _BadFileError("the symbol table is damaged")
            strings = self._contents(self._headers[header.link])
            file = ""
            for name, info, other, section, value, _ in _SYM.iter_unpack(self._contents(header)):
                if info & 15 == _FILE:
                    file = _string(strings, name)
                    continue
                if not name:
                    continue
                text = _string(strings, name)
                is_global = info >> 4 == _GLOBAL
                of = "" if is_global else file
                if section == _ABS:
                    signed = value - (1 << 64) if value >> 63 else value
                    found.append(Symbol(text, "", signed, is_global, of))
                elif section < len(self._headers) and self._headers[section].name in spaces:
                    home = self._headers[section].name
                    space = next((s for s in self._isa.spaces if s.code == other >> _SPACE), None)
                    if not other or space is None or _home(self._isa, space.name) != home:
                        space = spaces[home]
                    unit = WORD_BYTES if space.is_program else 1
                    found.append(Symbol(text, space.name, value // unit, is_global, of))
        return tuple(found)


def _string(table: bytes, at: int) -> str:
    end = table.find(b"\0", at)
    if at >= len(table) or end < 0:
        raise _BadFileError("a name lies outside its string table")
    return table[at:end].decode("utf-8", "surrogateescape")
