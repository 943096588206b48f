"""Retirement records, and where in the source they are from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lutra.asm import Image

# A record as the bindings give it: its fields, and the texts of its effects.
Raw = tuple[dict[str, Any], list[str]]


@dataclass(frozen=True)
class Record:
    """One retired instruction.

    fields: the fields of isa/retire.td that apply, by name; vectors are 16 bytes, codes those of the ISA tables, and a
    field under a mask is a dictionary by register number. texts: every effect in a few words, as `rd:v0=0011..`.
    """

    fields: dict[str, Any]
    texts: list[str]

    @property
    def cycle(self) -> int:
        return int(self.fields["cycle"])

    @property
    def pc(self) -> int:
        return int(self.fields["pc"])

    @property
    def insn(self) -> int:
        return int(self.fields["insn"])

    def effects(self) -> list[str]:
        """Every effect in a few words, as `rd:v0=0011..`."""
        return list(self.texts)


def source_line(image: Image | None, pc: int) -> str:
    """`file:line` of a program address, or an empty text."""
    if image is None or pc not in image.lines:
        return ""
    place = image.lines[pc]
    return f"{place[0]}:{place[1]}"


def source_chain(image: Image | None, pc: int) -> list[str]:
    """`file:line` of the line that a word is from and of each macro call that led to it, innermost first."""
    return [] if image is None else [f"{place.file}:{place.line}" for place in image.chain(pc)]


def source_text(image: Image | None, pc: int) -> str:
    """`file:line`, or an empty text; of a word of a macro `file:line > file:line`, the outermost call and the line."""
    chain = source_chain(image, pc)
    return " > ".join(dict.fromkeys((chain[-1], chain[0]))) if chain else ""
