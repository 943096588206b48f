"""What writer and reader of images share: structures and numbers of ELF64, and the names of the sections."""

from __future__ import annotations

import struct

from lutra.isa import Isa, Space

EHDR = struct.Struct("<16sHHIQQQIHHHHHH")
SHDR = struct.Struct("<IIQQQQIIQQ")
SYM = struct.Struct("<IBBHQQ")
IDENT = b"\x7fELF\x02\x01\x01" + bytes(9)
ET_EXEC = 2
PROGBITS, SYMTAB, STRTAB, NOTE, NOBITS = 1, 2, 3, 7, 8
WRITE, ALLOC, EXECINSTR = 1, 2, 4
ABS = 0xFFF1
LOCAL, GLOBAL = 0, 1
NOTYPE, FILE = 0, 4
TEXT = ".text"


def section_name(space: Space) -> str:
    """The section of a space that is one memory."""
    return TEXT if space.is_program else f".{space.name}"


def single_spaces(isa: Isa) -> list[Space]:
    """The spaces that are one memory each, program memory first."""
    return [isa.program, *(s for s in isa.spaces if len(s.blocks) + len(s.banks) == 1)]
