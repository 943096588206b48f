"""Texts that an editor has open, and their positions: an editor counts code units, the assembler characters."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from functools import cached_property
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from lsprotocol import types

from lutra.asm.text.columns import Span

# Ends of lines as the protocol has them; the assembler knows only the first two.
_LINE_END = re.compile(r"\r\n|\n|\r")


class Document:
    """A text. Lines and columns of the assembler count from 1 and 0, positions of the protocol both from 0."""

    def __init__(self, text: str, encoding: types.PositionEncodingKind | str = "utf-16", version: int | None = None):
        self.text = text
        self.version = version
        self._encoding = encoding
        self._units = {"utf-8": _utf8, "utf-32": len}.get(str(getattr(encoding, "value", encoding)), _utf16)
        self.ascii = text.isascii()
        self._mark = text.startswith("\ufeff")

    def like(self, text: str) -> Document:
        """Another text with the same client."""
        return Document(text, self._encoding)

    @cached_property
    def _starts(self) -> list[int]:
        """Offsets at which lines of the protocol begin."""
        return [0, *(found.end() for found in _LINE_END.finditer(self.text))]

    @cached_property
    def _assembled(self) -> list[int]:
        """Offsets at which lines of the assembler begin."""
        return [0, *(at + 1 for at, char in enumerate(self.text) if char == "\n")]

    @cached_property
    def lines(self) -> list[str]:
        """The lines as the assembler has them."""
        return self.text.replace("\r\n", "\n").removeprefix("\ufeff").split("\n")

    def line(self, number: int) -> str:
        """A line of the assembler; empty beyond the end."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def _begin(self, number: int) -> int:
        starts = self._assembled
        if number > len(starts):
            return len(self.text)
        return starts[max(number, 1) - 1] + (self._mark and number <= 1)

    def position(self, number: int, column: int) -> types.Position:
        """The position of a column in a line of the assembler; of the nearest place, if the text has none there."""
        begin = self._begin(number)
        offset = min(begin + max(column, 0), begin + len(self.line(number)), len(self.text))
        line = bisect_right(self._starts, offset) - 1
        start = self._starts[line]
        return types.Position(line, offset - start if self.ascii else self._units(self.text[start:offset]))

    def range(self, span: Span) -> types.Range:
        """The range of a span."""
        return types.Range(self.position(span.line, span.column), self.position(span.line, span.end))

    def place(self, position: types.Position) -> tuple[int, int]:
        """Line and column of the assembler at a position; the nearest ones, if the text has no such position."""
        line = min(max(position.line, 0), len(self._starts) - 1)
        start = self._starts[line]
        end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self.text)
        text = self.text[start:end].rstrip("\r\n")
        offset = start + self._characters(text, max(position.character, 0))
        number = bisect_right(self._assembled, offset)
        return number, max(offset - self._begin(number), 0)

    def _characters(self, text: str, units: int) -> int:
        """Return the number of characters with this many code units, at most up to the end of the text."""
        if self.ascii:
            return min(units, len(text))
        for count, char in enumerate(text):
            units -= self._units(char)
            if units < 0:
                return count
        return len(text)

    @property
    def end(self) -> types.Position:
        """The end of the text."""
        return types.Position(len(self._starts) - 1, self._units(self.text[self._starts[-1] :]))


def _utf8(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _utf16(text: str) -> int:
    return len(text) + sum(char > "\uffff" for char in text)


def file_of(uri: str) -> str:
    """The name of a document's file, free of links; a document that is not a file goes by its URI."""
    try:
        parts = urlsplit(uri)
        if parts.scheme == "file" and parts.path:
            return os.path.realpath(unquote(parts.path))
    except ValueError:  # no URI, or a name that no file can have
        pass
    # It may be looked for as a file, so it has only what a file's name can have.
    return str(Path(uri.replace("\0", "").encode("utf-8", "replace").decode()))


def uri_of(file: str) -> str:
    """The URI of a file."""
    return "file://" + quote(file) if file.startswith("/") else file
