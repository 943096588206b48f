"""Origins of program words: their lines, and the macro calls that led to those lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lutra.asm.errors import Line, Origin

NO_PARENT = -1


class Place(NamedTuple):
    """A line of a source file; `macro` is the macro in whose expansion it is, empty outside of macros."""

    file: str
    line: int
    macro: str


class Expansion(NamedTuple):
    """One expansion of a macro with program words.

    `definition` is the file and line of its `.macro`, `call` the line that calls it. `parent` is the index of the
    expansion around this call, or NO_PARENT.
    """

    macro: str
    definition: tuple[str, int]
    call: tuple[str, int]
    parent: int


class Written(NamedTuple):
    """The line of a word in an expansion, and the index of the innermost expansion around it."""

    file: str
    line: int
    expansion: int


def outermost(written: Written, expansions: Sequence[Expansion]) -> tuple[str, int]:
    """Return the outermost macro call that a word comes from."""
    index = written.expansion
    while expansions[index].parent != NO_PARENT:
        index = expansions[index].parent
    return expansions[index].call


def chain(place: tuple[str, int], written: Written | None, expansions: Sequence[Expansion]) -> tuple[Place, ...]:
    """Return the places of a word, innermost first; only its `place` for a word outside of macros (`written` None)."""
    if written is None:
        return (Place(*place, ""),)
    places = []
    place, index = (written.file, written.line), written.expansion
    while index != NO_PARENT:
        found = expansions[index]
        places.append(Place(*place, found.macro))
        place, index = found.call, found.parent
    return (*places, Place(*place, ""))


def expansions_of(lines: Mapping[int, Line]) -> tuple[dict[int, Written], tuple[Expansion, ...]]:
    """Return how the words of macros were written, and their expansions; `lines`: program address -> line."""
    found: list[Expansion] = []
    # Keyed by the identity of an origin, which all lines of one expansion or repetition share and keep alive.
    known: dict[int, int] = {}

    def around(origin: Origin | None) -> int:
        """Return the innermost expansion around an origin."""
        if origin is None:
            return NO_PARENT
        index = known.get(id(origin))
        if index is None:
            call = origin.line
            index = around(call.origin)
            if origin.macro:
                found.append(Expansion(origin.macro, origin.definition, (call.file, call.number), index))
                index = len(found) - 1
            known[id(origin)] = index
        return index

    written = {}
    for pc in sorted(lines):
        line = lines[pc]
        if (index := around(line.origin)) != NO_PARENT:
            written[pc] = Written(line.file, line.number, index)
    return written, tuple(found)


def in_order(
    written: Mapping[int, Written], expansions: Sequence[Expansion]
) -> tuple[dict[int, Written], tuple[Expansion, ...]]:
    """Sort expansions by their first words, parents before children, and drop those without words.

    This is the order of `expansions_of`.
    """
    found: list[Expansion] = []
    new = {NO_PARENT: NO_PARENT}

    def number(index: int) -> int:
        if index not in new:
            expansion = expansions[index]
            parent = number(expansion.parent)
            found.append(expansion._replace(parent=parent))
            new[index] = len(found) - 1
        return new[index]

    return {pc: written[pc]._replace(expansion=number(written[pc].expansion)) for pc in sorted(written)}, tuple(found)
