"""Write expansions of macros as a tree of entries, .debug_info (DWARF4 3.3.8).

A macro is an inlined subroutine: its definition is a DW_TAG_subprogram that exists only inlined, and each expansion
with program words is a DW_TAG_inlined_subroutine within the one that it was called in. The outermost ones are in the
subprograms that labels begin, because readers look for inlined subroutines within subprograms only.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence

from lutra.asm.expansions import NO_PARENT, Expansion, Written
from lutra.asm.formats.dwarf_format import VERSION, WORD_BYTES, string, uleb
from lutra.asm.formats.dwarf_names import At, Form, Tag

_LANG_ASSEMBLER = 0x8001  # DW_LANG_Mips_Assembler, what other assemblers use
_INLINED = 1  # DW_INL_inlined

# Attribute, form, encoded value.
_Attribute = tuple[int, int, bytes]
# First and last word.
_Run = tuple[int, int]
# Macro and place of its definition -> offset of its entry.
_Origins = dict[tuple[str, tuple[str, int]], int]


class InfoSections:
    """.debug_abbrev, .debug_info and .debug_ranges of one program of `words` words.

    `labels`: program address -> label there. `written`: program address -> how that word was written.
    """

    def __init__(
        self,
        files: Sequence[str],
        words: int,
        labels: Mapping[int, str],
        written: Mapping[int, Written],
        expansions: Sequence[Expansion],
    ) -> None:
        self._number = {name: i for i, name in enumerate(files, 1)}
        self._words = words
        self._labels = labels
        self._expansions = expansions
        self._runs = _runs(written, expansions)
        self._abbreviations: dict[tuple[int, bool, tuple[tuple[int, int], ...]], int] = {}
        self._body = bytearray(struct.pack("<HIB", VERSION, 0, 8))
        self._ranges = bytearray()
        self._unit(files[0] if files else "")

    @property
    def info(self) -> bytes:
        """.debug_info."""
        return struct.pack("<I", len(self._body)) + bytes(self._body)

    @property
    def abbrev(self) -> bytes:
        """.debug_abbrev."""
        out = bytearray()
        for (tag, parent, pairs), code in self._abbreviations.items():
            out += uleb(code) + uleb(tag) + bytes([parent])
            out += b"".join(uleb(at) + uleb(form) for at, form in pairs) + b"\0\0"
        return bytes(out) + b"\0"

    @property
    def ranges(self) -> bytes:
        """Return .debug_ranges; empty if every expansion is in one piece."""
        return bytes(self._ranges)

    # ---------------------------------------------------------------------------- the tree

    def _unit(self, name: str) -> None:
        attributes = [
            (At.PRODUCER, Form.STRING, b"lutra\0"),
            (At.LANGUAGE, Form.DATA2, struct.pack("<H", _LANG_ASSEMBLER)),
            (At.NAME, Form.STRING, string(name)),
            (At.COMP_DIR, Form.STRING, b".\0"),  # names are as given; a build is the same in any folder
            (At.STMT_LIST, Form.SEC_OFFSET, struct.pack("<I", 0)),
            (At.LOW_PC, Form.ADDR, struct.pack("<Q", 0)),
            (At.HIGH_PC, Form.DATA8, struct.pack("<Q", self._words * WORD_BYTES)),
        ]
        self._entry(Tag.COMPILE_UNIT, bool(self._expansions), attributes)
        if not self._expansions:
            return
        origins = self._definitions()
        children: list[list[int]] = [[] for _ in self._expansions]
        roots: list[int] = []
        for index, expansion in enumerate(self._expansions):
            (roots if expansion.parent == NO_PARENT else children[expansion.parent]).append(index)
        self._routines(roots, children, origins)
        self._body.append(0)

    def _definitions(self) -> _Origins:
        """The entries of all macros."""
        origins: _Origins = {}
        for macro, place in dict.fromkeys((e.macro, e.definition) for e in self._expansions):
            origins[macro, place] = self._offset
            attributes = [
                (At.NAME, Form.STRING, string(macro)),
                *self._place(At.DECL_FILE, At.DECL_LINE, place),
                (At.INLINE, Form.DATA1, bytes([_INLINED])),
            ]
            self._entry(Tag.SUBPROGRAM, False, attributes)
        return origins

    def _routines(
        self,
        roots: Sequence[int],
        children: Sequence[Sequence[int]],
        origins: Mapping[tuple[str, tuple[str, int]], int],
    ) -> None:
        """Write a subprogram from each label to the next; a label within an expansion does not begin one."""
        inside = bytearray(self._words + 1)
        for index in roots:
            first, last = self._runs[index][0][0], self._runs[index][-1][1]
            inside[first + 1 : last + 1] = b"\1" * (last - first)
        starts = sorted({0, *(a for a in self._labels if 0 <= a < self._words and not inside[a])})
        within: dict[int, list[int]] = {start: [] for start in starts}
        owner = iter([*starts[1:], self._words])
        start, end = 0, next(owner)
        for index in sorted(roots, key=lambda i: self._runs[i][0]):
            while self._runs[index][0][0] >= end:
                start, end = end, next(owner)
            within[start].append(index)
        for start, end in zip(starts, [*starts[1:], self._words], strict=True):
            name = self._labels.get(start)
            attributes = [] if name is None else [(At.NAME, Form.STRING, string(name))]
            self._entry(Tag.SUBPROGRAM, bool(within[start]), [*attributes, *self._extent([(start, end - 1)])])
            if within[start]:
                self._inlined(sorted(within[start]), children, origins)

    def _inlined(
        self,
        indexes: Iterable[int],
        children: Sequence[Sequence[int]],
        origins: Mapping[tuple[str, tuple[str, int]], int],
    ) -> None:
        for index in indexes:
            expansion = self._expansions[index]
            attributes = [
                (At.ABSTRACT_ORIGIN, Form.REF4, struct.pack("<I", origins[expansion.macro, expansion.definition])),
                *self._extent(self._runs[index]),
                *self._place(At.CALL_FILE, At.CALL_LINE, expansion.call),
            ]
            self._entry(Tag.INLINED_SUBROUTINE, bool(children[index]), attributes)
            if children[index]:
                self._inlined(children[index], children, origins)
        self._body.append(0)

    # ------------------------------------------------------------------------------- parts

    @property
    def _offset(self) -> int:
        """Offset of the next entry, as references to it use."""
        return len(self._body) + 4

    def _entry(self, tag: int, parent: bool, attributes: Sequence[_Attribute]) -> None:
        key = (tag, parent, tuple([(at, form) for at, form, _ in attributes]))
        code = self._abbreviations.setdefault(key, len(self._abbreviations) + 1)
        self._body += uleb(code) + b"".join([value for _, _, value in attributes])

    def _place(self, file: int, line: int, place: tuple[str, int]) -> list[_Attribute]:
        return [(file, Form.UDATA, uleb(self._number[place[0]])), (line, Form.UDATA, uleb(place[1]))]

    def _extent(self, runs: Sequence[_Run]) -> list[_Attribute]:
        """Write the words of an entry, which are several runs if `.org` separates them."""
        spans = [(first * WORD_BYTES, (last + 1) * WORD_BYTES) for first, last in runs]
        if len(spans) == 1:
            ((low, high),) = spans
            return [(At.LOW_PC, Form.ADDR, struct.pack("<Q", low)), (At.HIGH_PC, Form.UDATA, uleb(high - low))]
        at = len(self._ranges)
        self._ranges += b"".join(struct.pack("<QQ", *span) for span in [*spans, (0, 0)])
        return [(At.RANGES, Form.SEC_OFFSET, struct.pack("<I", at))]


def _runs(written: Mapping[int, Written], expansions: Sequence[Expansion]) -> list[list[_Run]]:
    """Return the words of each expansion, including those of expansions within it."""
    runs: list[list[_Run]] = [[] for _ in expansions]
    for pc in sorted(written):
        index = written[pc].expansion
        while index != NO_PARENT:
            own = runs[index]
            if own and own[-1][1] == pc - 1:
                own[-1] = (own[-1][0], pc)
            else:
                own.append((pc, pc))
            index = expansions[index].parent
    return runs
