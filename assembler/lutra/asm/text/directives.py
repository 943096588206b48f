"""Usage and one sentence for each directive, as editors show them; the manual has the details."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from lutra.asm.passes.suggest import DIRECTIVES


class Description(NamedTuple):
    """Usage of a directive, and what it does."""

    usage: str
    text: str


DESCRIPTIONS: Mapping[str, Description] = {
    usage.partition(" ")[0]: Description(usage, text)
    for usage, text in (
        (".section NAME", "selects a section; selecting it again continues it"),
        (".text", "selects program memory"),
        (".org ADDRESS", "continues at this address, in units of the section"),
        (".align N", "continues at the next multiple of N, in units of the section"),
        (".byte NUMBERS", "1-byte numbers, signed or unsigned; an array's name means all its entries"),
        (".half NUMBERS", "2-byte numbers, most significant byte first"),
        (".word NUMBERS", "4-byte numbers, most significant byte first"),
        (".quad NUMBERS", "8-byte numbers, most significant byte first"),
        (".row ROWS", "rows of 32 hexadecimal digits, with or without quotes"),
        (".ascii STRINGS", "the bytes of strings"),
        (".asciz STRINGS", "the bytes of strings, each followed by a zero byte"),
        (".zero SIZE", "zero bytes"),
        (".fill COUNT, BYTE", "COUNT copies of a byte; default 0"),
        ('.incbin "FILE", OFFSET, LENGTH', "the bytes of a file; offset and length are optional"),
        (".equ NAME, EXPRESSION", "names an expression, like NAME = EXPRESSION"),
        (
            ".alias NAME, REGISTER",
            "names a register from here on, in this file and the files it includes; %NAME is any register",
        ),
        (".global NAMES", "makes names visible to all files, and global in the image"),
        (".entry NAME", "sets the start of the program; default: address 0"),
        (".insn NUMBERS", "instruction words as numbers"),
        (".function NAME(PARAMETERS) = EXPRESSION", "defines a function of constants"),
        (".array NAME, ENTRIES", "adds entries to an array of constants"),
        (".if EXPRESSION", "assembles what follows if the expression is not 0"),
        (".ifdef NAME", "assembles what follows if a symbol or macro is already defined"),
        (".ifndef NAME", "assembles what follows unless a symbol or macro is already defined"),
        (".elseif EXPRESSION", "assembles what follows if no earlier branch was taken and the expression is not 0"),
        (".else", "assembles what follows if no earlier branch was taken"),
        (".endif", "ends .if, .ifdef or .ifndef"),
        (".rept N", "repeats the lines up to .endr; \\+ is the number of the repetition, from 0"),
        (".endr", "ends .rept"),
        (".interleave N", "N streams of the lines up to .endi in turn; \\+ is the number of the stream, from 0"),
        (".endi", "ends .interleave"),
        (".macro NAME PARAMETERS", "defines a macro; a parameter may have a default: name=text"),
        (".endm", "ends .macro"),
        ('.include "FILE"', "inserts the lines of a file"),
        ('.error "TEXT"', "reports an error"),
        ('.warning "TEXT"', "reports a warning"),
        ('.allow "NAME"', "turns a check off in this file and the files it includes"),
    )
}
assert DESCRIPTIONS.keys() == DIRECTIVES, DESCRIPTIONS.keys() ^ DIRECTIVES
