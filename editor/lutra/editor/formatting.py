"""A text in the project's layout, as `lutra fmt` has it: only the lines that change."""

from __future__ import annotations

from difflib import SequenceMatcher

from lsprotocol import types

from lutra.asm.text.format import format_range, format_text
from lutra.editor.documents import Document

# Comparing longer texts line by line takes longer than putting another text there.
_MOST_LINES = 20_000


def formatted(document: Document, within: types.Range | None = None) -> list[types.TextEdit]:
    """Return the edits that format a text, or the lines of a range."""
    text = "\n".join(document.lines)
    if within is None:
        new = format_text(text)
    else:
        new = format_range(text, document.place(within.start)[0], document.place(within.end)[0])
    return edits(document, new)


def edits(document: Document, new: str) -> list[types.TextEdit]:
    """Return the edits from one text to another, in whole lines; the line ends of the first stay."""
    if new == "\n".join(document.lines):
        return []
    end = "\r\n" if "\r\n" in document.text else "\n"
    before, after = document.lines, new.split("\n")
    whole = [types.TextEdit(types.Range(document.position(1, 0), document.end), end.join(after))]
    if max(len(before), len(after)) > _MOST_LINES:
        return whole
    found: list[types.TextEdit] = []
    for what, first, last, start, stop in SequenceMatcher(None, before, after, False).get_opcodes():
        if what == "equal":
            continue
        # Up to the end of the last line, so that the text need not end in a line's end.
        lines = after[start:stop]
        if last < len(before):
            where = types.Range(document.position(first + 1, 0), document.position(last + 1, 0))
            text = "".join(line + end for line in lines)
        else:
            begin = document.position(first, len(before[first - 1])) if first else document.position(1, 0)
            where = types.Range(begin, document.end)
            text = (end if first and lines else "") + end.join(lines)
        if found and found[-1].range.end == where.start:
            # Around an empty line; editors differ about edits that touch.
            return whole
        found.append(types.TextEdit(where, text))
    return found
