"""Common parts of the writer and the reader of images: ELF64 structures and numbers, section names."""

from __future__ import annotations

import struct

from lutra.isa import Isa, Space

EHDR = struct.Struct("<16sHHIQQQIHHHHHH")
SHDR = struct.Struct("<IIQQQQIIQQ")
SYM = struct.Struct("<IBBHQQ")
IDENT = b"\x7fELF\x02\x01\x01" + bytes(9)
ET_EXEC = 2
NULL, PROGBITS, SYMTAB, STRTAB, NOTE, NOBITS = 0, 1, 2, 3, 7, 8
WRITE, ALLOC, EXECINSTR = 1, 2, 4
ABS = 0xFFF1
LOCAL, GLOBAL = 0, 1
NOTYPE, FILE = 0, 4
SPACE = 2  # bit of st_other above the visibility, where a machine may keep what it needs
TEXT = ".text"


def section_name(space: Space) -> str:
    """The section of a space that is one memory."""
    return TEXT if space.is_program else f".{space.name}"


def single_spaces(isa: Isa) -> list[Space]:
    """Return the spaces that are one memory each, program memory first."""
    return [isa.program, *(s for s in isa.spaces if len(s.blocks) + len(s.banks) == 1)]


def home(isa: Isa, space: str) -> str:
    """Return the section of a label's space, that of the first bank if the space is several memories."""
    of = isa.space_by_name[space]
    if of.is_program:
        return TEXT
    return section_name(isa.memory_by_block[of.blocks[0]] if of.blocks else isa.bank_by_number[of.banks[0]])
