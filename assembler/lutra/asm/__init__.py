"""The assembler: `assemble` files to an `Image`, write and read it as ELF, disassemble words."""

from lutra.asm.checks import CHECKS, severities
from lutra.asm.errors import AsmError, Diagnostic
from lutra.asm.expansions import Expansion, Place
from lutra.asm.formats.depfile import depfile
from lutra.asm.formats.disasm import disassemble
from lutra.asm.formats.elf import ElfError, read_elf, write_elf
from lutra.asm.formats.listing import listing, write_listing
from lutra.asm.image import Image, Symbol
from lutra.asm.link import assemble, assemble_text

__all__ = [
    "CHECKS",
    "AsmError",
    "Diagnostic",
    "ElfError",
    "Expansion",
    "Image",
    "Place",
    "Symbol",
    "assemble",
    "assemble_text",
    "depfile",
    "disassemble",
    "listing",
    "read_elf",
    "severities",
    "write_elf",
    "write_listing",
]
