"""Places in memories and programs, by symbol or by number."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lutra.asm import Image, Symbol
from lutra.asm.errors import nearest
from lutra.isa import load
from lutra.iss.engine import EngineError


@dataclass(frozen=True)
class Place:
    """A byte of a memory space."""

    space: str
    offset: int

    def __str__(self) -> str:
        return f"{self.space}@{self.offset:#05x}"


def place(image: Image, text: str) -> Place:
    """The place that `SPACE@OFFSET`, `SYMBOL` or `SYMBOL+OFFSET` names; offsets count bytes. Raises EngineError."""
    space, at, offset = text.partition("@")
    if at:
        return Place(space, number(offset))
    name, plus, offset = text.partition("+")
    if name in load().space_by_name and name not in (s.name for s in image.symbols):
        raise EngineError(f"{name} is a memory; write {name}@OFFSET, as in {name}@0x000")
    found = symbol(image, name)
    if not found.space:
        raise EngineError(f"{name} is a number, not an address in a memory; write SPACE@OFFSET, as in m2@{name}")
    unit = load().machine["InsnBits"] // 8 if load().space_by_name[found.space].is_program else 1
    return Place(found.space, found.value * unit + (number(offset) if plus else 0))


def address(image: Image, text: str) -> int:
    """The program address that `LABEL`, `LABEL+WORDS` or a number names. Raises EngineError."""
    if text[:1].isdigit():
        return number(text)
    name, plus, words = text.partition("+")
    return symbol(image, name, load().program.name).value + (number(words) if plus else 0)


def symbol(image: Image, name: str, space: str | None = None) -> Symbol:
    """The one symbol of a name, in a space if one is given; a global one before others. Raises EngineError."""
    of = [s for s in image.symbols if space in (None, s.space)]
    found = [s for s in of if s.name == name]
    found = [s for s in found if s.is_global] or found
    if not found:
        what = "symbol" if space is None else "program label"
        hint = nearest(name, [s.name for s in of])
        raise EngineError(f"the image has no {what} {name}" + (f"; {hint}" if hint else ""))
    if len({(s.space, s.value) for s in found}) > 1:
        files = ", ".join(s.file for s in found)
        raise EngineError(f"{name} is several symbols, of {files}; make one of them global, or give the address")
    return found[0]


def number(text: str) -> int:
    """A number as in assembly, not below zero. Raises EngineError."""
    try:
        if re.fullmatch(r"[0-9]\w*", text, re.ASCII):
            return int(text, 0)
    except ValueError:
        pass
    raise EngineError(f"{text!r} is not a number such as 256 or 0x100")
