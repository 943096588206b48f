"""What the directives are for: usage and a sentence, as editors show them. The manual has the whole of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from lutra.asm.passes.suggest import DIRECTIVES


class Description(NamedTuple):
    """How a directive is written, and what it does."""

    usage: str
    text: str


DESCRIPTIONS: Mapping[str, Description] = {
    usage.partition(" ")[0]: Description(usage, text)
    for usage, text in (
        (".section NAME", "chooses the memory that follows; going back to a section continues it"),
        (".text", "goes on in program memory"),
        (".org ADDRESS", "goes on at this address, in the section's unit"),
        (".align N", "goes on at the next multiple of N, in the section's unit"),
        (".byte NUMBERS", "numbers of 1 byte, signed or unsigned; the name of an array stands for all entries"),
        (".half NUMBERS", "numbers of 2 bytes, most significant byte first"),
        (".word NUMBERS", "numbers of 4 bytes, most significant byte first"),
        (".quad NUMBERS", "numbers of 8 bytes, most significant byte first"),
        (".row ROWS", "rows of 32 hexadecimal digits, with or without quotes"),
        (".ascii STRINGS", "the bytes of strings"),
        (".asciz STRINGS", "the bytes of strings, each with a zero byte after it"),
        (".zero SIZE", "zero bytes"),
        (".fill COUNT, BYTE", "a byte COUNT times; 0 if it is left out"),
        ('.incbin "FILE", OFFSET, LENGTH', "a file's bytes; offset and length may be left out"),
        (".equ NAME, EXPRESSION", "a name for an expression, as NAME = EXPRESSION"),
        (".alias NAME, REGISTER", "another name for a register from here on, in this file and what it includes"),
        (".global NAMES", "names that are known to all files, and marked global in the image"),
        (".entry NAME", "where the program starts; address 0 without it"),
        (".insn NUMBERS", "instruction words as numbers"),
        (".function NAME(PARAMETERS) = EXPRESSION", "a function of constants"),
        (".array NAME, ENTRIES", "more entries of an array of constants"),
        (".if EXPRESSION", "assembles what follows if the expression is not 0"),
        (".ifdef NAME", "assembles what follows if a symbol or macro is defined above"),
        (".ifndef NAME", "assembles what follows if no symbol or macro of this name is defined above"),
        (".elseif EXPRESSION", "assembles what follows if no branch above was, and the expression is not 0"),
        (".else", "assembles what follows if no branch above was"),
        (".endif", "ends .if, .ifdef or .ifndef"),
        (".rept N", "repeats the lines up to .endr; \\+ is the number of the repetition, from 0"),
        (".endr", "ends .rept"),
        (".macro NAME PARAMETERS", "defines a macro; a parameter may have a default: name=text"),
        (".endm", "ends .macro"),
        ('.include "FILE"', "puts a file's lines here"),
        ('.error "TEXT"', "reports an error"),
        ('.warning "TEXT"', "reports a warning"),
        ('.allow "NAME"', "leaves a check out in this source file and what it includes"),
    )
}
assert DESCRIPTIONS.keys() == DIRECTIVES, DESCRIPTIONS.keys() ^ DIRECTIVES
