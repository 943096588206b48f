"""The assembler: `assemble` files to an `Image`, write and read it as ELF, disassemble words."""

from lutra.asm.checks import CHECKS, severities
from lutra.asm.depfile import depfile
from lutra.asm.disasm import disassemble
from lutra.asm.elf import ElfError, read_elf, write_elf
from lutra.asm.errors import AsmError, Diagnostic
from lutra.asm.expansions import Expansion, Place
from lutra.asm.image import Image, Symbol
from lutra.asm.link import assemble, assemble_text
from lutra.asm.listing import listing, write_listing

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
