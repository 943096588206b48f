"""Hints for unknown names: similar ones, and the names that other assemblers use."""

from __future__ import annotations

from collections.abc import Iterable

from lutra.asm.errors import exchanged, nearest
from lutra.isa import Isa

EXPANDER_DIRECTIVES = frozenset(
    {
        ".include",
        ".macro",
        ".endm",
        ".rept",
        ".endr",
        ".interleave",
        ".endi",
        ".if",
        ".elseif",
        ".else",
        ".endif",
        ".ifdef",
        ".ifndef",
    }
    | {".error", ".warning", ".alias", ".function", ".allow"}
)
LAYOUT_DIRECTIVES = frozenset(
    {".section", ".text", ".org", ".align", ".byte", ".half", ".word", ".quad", ".row", ".ascii", ".asciz"}
    | {".zero", ".fill", ".incbin", ".equ", ".global", ".entry", ".insn", ".array"}
)
DIRECTIVES = EXPANDER_DIRECTIVES | LAYOUT_DIRECTIVES

# Directive here -> its names in other assemblers, without the dot, which only some have.
_ELSEWHERE = {
    ".byte": "db dcb defb",
    ".half": "short hword 2byte dw dcw defw",
    ".word": "long int 4byte dd dcd",
    ".quad": "dword xword 8byte dq dcq",
    ".asciz": "string stringz",
    ".zero": "space skip ds res defs",
    ".align": "balign p2align",
    ".equ": "set define eqv",
    ".global": "globl export public",
    ".alias": "req",
    ".endr": "endrep",
    ".endm": "endmacro mend",
    ".elseif": "elif elsif",
    ".function": "func",
    ".section": "data rodata bss",
}
_HERE = {name: directive for directive, names in _ELSEWHERE.items() for name in names.split()}
# A shorter prefix of a name fits too many names.
_SHORTEST_BEGINNING = 2
_SHOWN = 6


def directive(name: str, isa: Isa) -> str:
    """Return a hint for an unknown directive, or for a directive of other assemblers without a dot."""
    word = name.lower()
    if word in DIRECTIVES:
        return f"directives are lower case: {word}"
    here = _HERE.get(word.removeprefix("."))
    if here is None:
        return nearest(name, DIRECTIVES)
    if here == ".section":
        return f"sections are named after memories, e.g. .section {isa.spaces[0].name}"
    return f"write {here}"


def register(name: str, known: Iterable[str], also: str) -> str:
    """Return a hint for an unknown register."""
    word = name.lower()
    return f"registers are lower case: {word}" if name != word and word in known else nearest(name, known, also)


def resembles_register(name: str, isa: Isa) -> bool:
    """Whether a name is a register, or looks like one with a number that does not exist."""
    known = {*isa.vector_by_name, *isa.address_registers}
    return name.lower() in known or name.lower().rstrip("0123456789") in {k.rstrip("0123456789") for k in known}


def instruction(name: str, isa: Isa, macros: Iterable[str]) -> str:
    """Return a hint for an unknown instruction."""
    word = name.lower()
    if name != word and word in isa.by_mnemonic:
        return f"mnemonics are lower case: {word}"
    if f".{word}" in DIRECTIVES:
        return f"directives begin with a dot: .{word}"
    if word in _HERE:
        return directive(name, isa)
    known = [*isa.by_mnemonic, *macros]
    longer = sorted((k for k in known if k.startswith(name)), key=lambda k: (len(k), k))
    if len(name) < _SHORTEST_BEGINNING or not longer or exchanged(word, known):
        return nearest(name, known)
    return f"did you mean '{longer[0]}'?" if len(longer) == 1 else f"did you mean one of {', '.join(longer[:_SHOWN])}?"
