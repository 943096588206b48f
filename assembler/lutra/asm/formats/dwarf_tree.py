"""Read expansions of macros from .debug_info; everything is checked before it is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from lutra.asm.expansions import NO_PARENT, Expansion
from lutra.asm.formats.dwarf_format import VERSION, WORD_BYTES, ByteReader, DwarfError
from lutra.asm.formats.dwarf_names import At, Form, Tag

_SIZES = {
    Form.ADDR: "Q",
    Form.DATA1: "B",
    Form.DATA2: "H",
    Form.DATA8: "Q",
    Form.REF4: "I",
    Form.SEC_OFFSET: "I",
}
_Values = dict[int, int | str]


class _Kind(NamedTuple):
    """A kind of entry, with the forms of its attributes."""

    tag: int
    parent: bool
    attributes: list[tuple[int, Callable[[], int | str]]]


class _Inlined(NamedTuple):
    """An inlined subroutine as read: its attributes, and the index of the one around it."""

    values: _Values
    parent: int


def read_expansions(
    sections: Mapping[str, bytes], files: Mapping[int, Sequence[str]], words: int
) -> tuple[list[Expansion], dict[int, int]]:
    """Return expansions, parents first, and program address below `words` -> innermost expansion. Raises DwarfError.

    `sections` by name, only those that exist; `files`: offset of a line table -> its files.
    """
    info = sections.get(".debug_info", b"")
    reader = ByteReader(info)
    found: list[Expansion] = []
    innermost = [NO_PARENT] * words
    while reader.at < len(info):
        start = reader.at
        body = ByteReader(reader.take(reader.number("I")))
        _Unit(body, reader.at - len(body.data) - start, sections, files, words).read(found, innermost)
    return found, {pc: index for pc, index in enumerate(innermost) if index != NO_PARENT}


class _Unit:
    """One compilation unit; references count from its start, `skipped` bytes before its body."""

    def __init__(
        self,
        body: ByteReader,
        skipped: int,
        sections: Mapping[str, bytes],
        files: Mapping[int, Sequence[str]],
        words: int,
    ) -> None:
        version = body.number("H")
        if version != VERSION:
            raise DwarfError(f"entries of DWARF version {version}; only version {VERSION} is supported")
        self._kinds = _kinds(ByteReader(sections.get(".debug_abbrev", b""), body.number("I")), body)
        if body.number("B") != WORD_BYTES:
            raise DwarfError("debugging entries with addresses of another size")
        self._body = body
        self._skipped = skipped
        self._ranges = sections.get(".debug_ranges", b"")
        self._tables = files
        self._files: Sequence[str] = ()
        self._words = words

    def read(self, found: list[Expansion], innermost: list[int]) -> None:
        """Add the expansions of this unit."""
        first = len(found)
        definitions, inlined = self._entries()
        for index, (values, parent) in enumerate(inlined):
            origin = definitions.get(_number(values, At.ABSTRACT_ORIGIN), {})
            definition = self._place(origin, At.DECL_FILE, At.DECL_LINE)
            call = self._place(values, At.CALL_FILE, At.CALL_LINE)
            outer = NO_PARENT if parent == NO_PARENT else first + parent
            found.append(Expansion(str(origin.get(At.NAME, "")), definition, call, outer))
            for start, end in self._runs(values):
                if innermost[start:end] != [outer] * (end - start):
                    raise DwarfError("expansions of macros overlap")
                innermost[start:end] = [first + index] * (end - start)

    def _entries(self) -> tuple[dict[int, _Values], list[_Inlined]]:
        """Subprograms by their offset, and inlined subroutines, parents first."""
        definitions: dict[int, _Values] = {}
        inlined: list[_Inlined] = []
        around: list[int] = []  # the expansion around the children of each open entry
        while self._body.at < len(self._body.data):
            at = self._body.at + self._skipped
            code = self._body.uleb()
            if not code:
                if not around:
                    raise DwarfError("debugging entries that close more than they open")
                around.pop()
                continue
            kind = self._kinds.get(code)
            if kind is None:
                raise DwarfError("a debugging entry of a kind that is not described")
            values: _Values = {attribute: read() for attribute, read in kind.attributes}
            parent = around[-1] if around else NO_PARENT
            if kind.tag == Tag.COMPILE_UNIT:
                self._files = self._tables.get(_number(values, At.STMT_LIST), ())
            elif kind.tag == Tag.SUBPROGRAM:
                definitions[at] = values
            elif kind.tag == Tag.INLINED_SUBROUTINE:
                inlined.append(_Inlined(values, parent))
                parent = len(inlined) - 1
            if kind.parent:
                around.append(parent)
        return definitions, inlined

    def _place(self, values: _Values, file: int, line: int) -> tuple[str, int]:
        number = _number(values, file)
        if not 1 <= number <= len(self._files):
            raise DwarfError("line information names a file that it does not list")
        return self._files[number - 1], _number(values, line)

    def _runs(self, values: _Values) -> list[tuple[int, int]]:
        """Return the words of an inlined subroutine as runs, each with its first word and the one after its last."""
        if At.RANGES not in values:
            low = _number(values, At.LOW_PC)
            return [self._run(low, low + _number(values, At.HIGH_PC))]
        reader = ByteReader(self._ranges, _number(values, At.RANGES))
        runs = []
        while (span := (reader.number("Q"), reader.number("Q"))) != (0, 0):
            runs.append(self._run(*span))
        return runs

    def _run(self, low: int, high: int) -> tuple[int, int]:
        if low % WORD_BYTES or high % WORD_BYTES or not low < high <= self._words * WORD_BYTES:
            raise DwarfError("an expansion of a macro is outside the program")
        return low // WORD_BYTES, high // WORD_BYTES


def _number(values: _Values, attribute: int) -> int:
    value = values.get(attribute)
    if not isinstance(value, int):
        raise DwarfError(f"a debugging entry without the number of attribute 0x{attribute:x}")
    return value


def _kinds(reader: ByteReader, body: ByteReader) -> dict[int, _Kind]:
    """The kinds of entries of a body by their codes (DWARF4 7.5.3)."""
    forms: dict[int, Callable[[], int | str]] = {Form.STRING: body.string, Form.UDATA: body.uleb}
    forms |= {form: partial(body.number, layout) for form, layout in _SIZES.items()}
    found: dict[int, _Kind] = {}
    while code := reader.uleb():
        tag, parent = reader.uleb(), bool(reader.number("B"))
        attributes = []
        while (pair := (reader.uleb(), reader.uleb())) != (0, 0):
            if pair[1] not in forms:
                raise DwarfError(f"debugging entries with an attribute of form 0x{pair[1]:x}")
            attributes.append((pair[0], forms[pair[1]]))
        found[code] = _Kind(tag, parent, attributes)
    return found
