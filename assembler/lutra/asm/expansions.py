"""Where program words come from: the lines that gave them, and the macro calls that led to those lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lutra.asm.errors import Line, Origin

NO_PARENT = -1


class Place(NamedTuple):
    """A line of a source file; `macro` is the macro in whose expansion it lies, empty outside of one."""

    file: str
    line: int
    macro: str


class Expansion(NamedTuple):
    """One expansion of a macro that gave program words.

    `definition` is the file and line of its `.macro`, `call` the line that calls it. `parent` is the index of the
    expansion that this call lies in, NO_PARENT if it lies in none.
    """

    macro: str
    definition: tuple[str, int]
    call: tuple[str, int]
    parent: int


class Written(NamedTuple):
    """The line that gave a word of an expansion, and the index of the innermost expansion that it lies in."""

    file: str
    line: int
    expansion: int


def chain(outermost: tuple[str, int], written: Written | None, expansions: Sequence[Expansion]) -> tuple[Place, ...]:
    """The places of a word, innermost first; `written` is None outside of macros."""
    if written is None:
        return (Place(*outermost, ""),)
    places = []
    place, index = (written.file, written.line), written.expansion
    while index != NO_PARENT:
        found = expansions[index]
        places.append(Place(*place, found.macro))
        place, index = found.call, found.parent
    return (*places, Place(*place, ""))


class Expansions:
    """Collects the expansions that words come from, parents before children."""

    def __init__(self) -> None:
        self.found: list[Expansion] = []
        # By the identity of an origin, which all lines of one expansion or repetition share and keep alive.
        self._index: dict[int, int] = {}

    def written(self, line: Line) -> Written | None:
        """How a line that gives a word was written; None outside of macros."""
        index = self._of(line.origin)
        return None if index == NO_PARENT else Written(line.file, line.number, index)

    def _of(self, origin: Origin | None) -> int:
        """The index of the innermost expansion around an origin, noted if it is new."""
        if origin is None:
            return NO_PARENT
        known = self._index.get(id(origin))
        if known is None:
            call = origin.line
            known = self._of(call.origin)
            if origin.macro:
                self.found.append(Expansion(origin.macro, origin.definition, (call.file, call.number), known))
                known = len(self.found) - 1
            self._index[id(origin)] = known
        return known
