"""The image as an ELF file.

ELF64, little-endian, ET_EXEC, machine number from the ISA's tables. The core has one address space
per memory, so there is one section per memory and no program header: a loader uses section names.

| section | contents | address unit |
| --- | --- | --- |
| `.text` | program words, 8 bytes each, little-endian | bytes: 8 times the program address |
| `.m0`.. `.t1` | bytes of the memory or bank, from the lowest to the highest used; holes are 0 | bytes |
| `.symtab` | labels (`.L` ones excepted), numbers as SHN_ABS, an STT_FILE before a file's locals | as the section |
| `.note.lutra` | the SHA-256 of what a reader gets from the other sections: `checksum.py` | |
| `.debug_line`, `.debug_info`, `.debug_abbrev`, `.debug_ranges` | DWARF 4 | bytes |

`e_entry`, symbols of `.text` and DWARF all use the byte address, so that readelf, addr2line and
objdump agree with each other. A label of both banks is in the first one's section, and st_other has the code of its
space above the visibility.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lutra.asm.errors import AsmError, Diagnostic
from lutra.asm.files import IMAGE_BYTES, read_bounded
from lutra.asm.formats import checksum
from lutra.asm.formats.dwarf import debug_sections
from lutra.asm.formats.dwarf_format import WORD_BYTES, DwarfError
from lutra.asm.formats.elf_format import (
    ABS,
    ALLOC,
    EHDR,
    ET_EXEC,
    EXECINSTR,
    FILE,
    GLOBAL,
    IDENT,
    LOCAL,
    NOTE,
    NOTYPE,
    PROGBITS,
    SHDR,
    SPACE,
    STRTAB,
    SYM,
    SYMTAB,
    TEXT,
    WRITE,
    home,
    section_name,
    single_spaces,
)
from lutra.asm.formats.elf_reader import BadFileError, Reader
from lutra.asm.image import Image, Symbol, write_atomic
from lutra.asm.memory import without_collection
from lutra.isa import Isa, load


class ElfError(AsmError):
    """The file is not an image of this machine."""

    @classmethod
    def of(cls, path: object, message: str) -> ElfError:
        """Return an error about the file."""
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


def write_elf(image: Image, path: Path) -> None:
    """Write the image to a file, completely or not at all. Raises AsmError."""
    write_atomic(Path(path), elf_bytes(image))


def elf_bytes(image: Image) -> bytes:
    """Return the image as the bytes of an ELF file; equal images give equal bytes."""
    with without_collection():
        debug = debug_sections(image, image.labels(load().program.name))
        blank = _elf(image, debug, checksum.note(bytes(checksum.BYTES)))
        return _elf(image, debug, checksum.note(checksum.digest(Reader(blank).contents())))


def _elf(image: Image, debug: Mapping[str, bytes], note: bytes) -> bytes:
    isa = load()
    sections = [_Section("", 0, 0, 0, b"", align=0), *_memory_sections(isa, image)]
    index = {s.name: i for i, s in enumerate(sections)}
    sections += [_Section(name, PROGBITS, 0, 0, data) for name, data in debug.items()]
    sections.append(_Section(checksum.SECTION, NOTE, 0, 0, note, align=4))
    strings = _Strings()
    table, local_count = _symbol_table(isa, image.symbols, index, strings)
    sections.append(_Section(".symtab", SYMTAB, 0, 0, table, len(sections) + 1, local_count, 8, SYM.size))
    sections.append(_Section(".strtab", STRTAB, 0, 0, bytes(strings.data)))
    names = _Strings()
    for name in [*(s.name for s in sections), ".shstrtab"]:
        names.add(name)
    sections.append(_Section(".shstrtab", STRTAB, 0, 0, bytes(names.data)))
    return _file(isa, image.entry * WORD_BYTES, sections, names)


def _memory_sections(isa: Isa, image: Image) -> list[_Section]:
    named = {home(isa, s.space) for s in image.symbols if s.space}
    text = b"".join(word.to_bytes(WORD_BYTES, "little") for word in image.program)
    sections = [_Section(TEXT, PROGBITS, ALLOC | EXECINSTR, 0, text, align=WORD_BYTES)]
    for space in single_spaces(isa)[1:]:
        segments = image.memory.get(space.name, [])
        if not segments and section_name(space) not in named:
            continue
        start = segments[0][0] if segments else 0
        data = bytearray()
        for offset, contents in segments:
            data += bytes(offset - start - len(data)) + contents
        sections.append(_Section(section_name(space), PROGBITS, ALLOC | WRITE, start, bytes(data)))
    return sections


def _symbol_table(isa: Isa, symbols: Sequence[Symbol], index: dict[str, int], strings: _Strings) -> tuple[bytes, int]:
    """Return the symbol table and the number of local symbols, which come first."""
    entries = [SYM.pack(0, 0, 0, 0, 0, 0)]

    def add(symbol: Symbol, binding: int) -> None:
        section = index[home(isa, symbol.space)] if symbol.space else ABS
        scale = WORD_BYTES if symbol.space == isa.program.name else 1
        value = symbol.value * scale & (1 << 64) - 1
        several = symbol.space and len(isa.space_by_name[symbol.space].banks) > 1
        other = isa.space_by_name[symbol.space].code << SPACE if several else 0
        entries.append(SYM.pack(strings.add(symbol.name), binding << 4 | NOTYPE, other, section, value, 0))

    # A value of more than 64 bits cannot be stored.
    fitting = [s for s in symbols if -(1 << 63) <= s.value < 1 << 63]
    file = None
    for symbol in (s for s in fitting if not s.is_global):
        if symbol.file != file:
            file = symbol.file
            entries.append(SYM.pack(strings.add(file), LOCAL << 4 | FILE, 0, ABS, 0, 0))
        add(symbol, LOCAL)
    local_count = len(entries)
    for symbol in (s for s in fitting if s.is_global):
        add(symbol, GLOBAL)
    return b"".join(entries), local_count


def _file(isa: Isa, entry: int, sections: Sequence[_Section], names: _Strings) -> bytes:
    body = bytearray()
    headers = bytearray()
    for s in sections:
        if s.align > 1:
            body += bytes(-(EHDR.size + len(body)) % s.align)
        offset = EHDR.size + len(body) if s.kind else 0
        headers += SHDR.pack(
            names.add(s.name), s.kind, s.flags, s.address, offset, len(s.data), s.link, s.info, s.align, s.entry_size
        )
        body += s.data
    body += bytes(-len(body) % 8)
    header = EHDR.pack(
        IDENT,
        ET_EXEC,
        isa.machine["ElfMachine"],
        1,
        entry,
        0,
        EHDR.size + len(body),
        0,
        EHDR.size,
        0,
        0,
        SHDR.size,
        len(sections),
        len(sections) - 1,
    )
    return header + bytes(body) + bytes(headers)


def read_elf(path: Path) -> Image:
    """Read an image from a file. Raises ElfError, in one line, for any other file."""
    try:
        data = read_bounded(Path(path), IMAGE_BYTES, "an image")
    except OSError as error:
        raise ElfError.of(path, f"cannot be read: {error.strerror or error}") from None
    return image_of(data, str(path))


def image_of(data: bytes, name: str = "<bytes>") -> Image:
    """Read an image from the bytes of an ELF file. Raises ElfError; `name` is the name of the file in its text."""
    try:
        return Reader(data).image()
    except (BadFileError, DwarfError) as error:
        # A damaged section name may contain any characters.
        text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(error))
        raise ElfError.of(name, text) from None
