"""Semantic tokens: the kind of every word of a text, with what names mean in the program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from lsprotocol import types

from lutra.asm.text.tokens import tokens
from lutra.editor.analyses import Analysed
from lutra.editor.documents import Document

# Kind of a word, or of what a name means -> type and modifiers.
_STYLES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "comment": ("comment", ()),
    "string": ("string", ()),
    "number": ("number", ()),
    "operator": ("operator", ()),
    "directive": ("decorator", ()),
    "mnemonic": ("keyword", ()),
    "transfer": ("keyword", ("controlFlow",)),
    "register": ("variable", ("defaultLibrary",)),
    "address": ("variable", ("defaultLibrary",)),
    "context": ("variable", ("defaultLibrary",)),
    "space": ("namespace", ("defaultLibrary",)),
    "section": ("namespace", ()),
    "parameter": ("parameter", ()),
    "argument": ("parameter", ()),
    "alias": ("variable", ()),
    "label": ("label", ()),
    "symbol": ("variable", ("readonly",)),
    "array": ("property", ("readonly",)),
    "function": ("function", ()),
    "macro": ("macro", ()),
}
TYPES = tuple(dict.fromkeys(kind for kind, _ in _STYLES.values()))
MODIFIERS = ("definition", *dict.fromkeys(m for _, modifiers in _STYLES.values() for m in modifiers))
LEGEND = types.SemanticTokensLegend(TYPES, MODIFIERS)


class Word(NamedTuple):
    """A word in one line of the protocol."""

    line: int
    start: int
    length: int
    kind: int
    modifiers: int


def semantic_tokens(
    file: str, document: Document, programs: Sequence[Analysed], within: types.Range | None = None
) -> types.SemanticTokens:
    """The tokens of a text, or of the lines of a range."""
    data: list[int] = []
    line = start = 0
    for word in sorted(_words(file, document, programs)):
        if within is not None and not within.start.line <= word.line <= within.end.line:
            continue
        data += [word.line - line, word.start - start if word.line == line else word.start, word.length]
        data += [word.kind, word.modifiers]
        line, start = word.line, word.start
    return types.SemanticTokens(data)


def _words(file: str, document: Document, programs: Sequence[Analysed]) -> Iterable[Word]:
    meanings: dict[tuple[int, int], tuple[str, bool, int]] = {}
    for known in programs:
        for number in range(1, len(document.lines) + 1):
            for use in known.index.lines.get((file, number), ()):
                meanings.setdefault((number, use.place.column), (use.name.kind, use.defines, use.place.end))
    taken = 0, 0
    number, begin = 1, 0
    text = "\n".join(document.lines)
    for token in tokens(text):
        lines = text.count("\n", begin, token.start)
        if lines:
            number, begin = number + lines, text.rindex("\n", begin, token.start) + 1
        column, end = token.start - begin, token.end - begin
        if (number, column) < taken:
            continue
        kind, defines, last = meanings.get((number, column), (token.kind, False, end))
        if kind not in _STYLES:
            continue
        taken = number, last
        for part, piece in enumerate(token.text.split("\n") if kind == "comment" else [""]):
            first = column if part == 0 else 0
            stop = first + len(piece) if kind == "comment" else max(last, end)
            place, after = document.position(number + part, first), document.position(number + part, stop)
            if after.line == place.line and after.character > place.character:
                style, modifiers = _STYLES[kind]
                bits = sum(1 << MODIFIERS.index(m) for m in (*modifiers, *(("definition",) if defines else ())))
                yield Word(place.line, place.character, after.character - place.character, TYPES.index(style), bits)
