"""Trace the characters of a line through macros, repetitions and aliases back to the source files.

A call with `aes` turns `\\c\\()_key` into `aes_key`: the first three characters were written in the call, the others in
the body of the macro.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lutra.asm.errors import Line, Substitution


class Span(NamedTuple):
    """Characters of a line of a source file; the line counts from 1, columns from 0, `end` is exclusive."""

    file: str
    line: int
    column: int
    end: int

    def covers(self, line: int, column: int) -> bool:
        """Whether a position between characters touches it."""
        return self.line == line and self.column <= column <= self.end


class Run(NamedTuple):
    """Characters `start` to `end` of a line, and where they were written.

    literal: copied character by character; otherwise a counter or a register replaced what was written.
    """

    start: int
    end: int
    source: Span
    literal: bool


class Columns:
    """Traces columns of lines back; caches its results for its own lifetime."""

    def __init__(self) -> None:
        # Keep the line as well, so that no other line gets its identity.
        self._runs: dict[int, tuple[Line, list[Run]]] = {}

    def runs(self, line: Line) -> list[Run]:
        """Return the runs of a line, in order."""
        known = self._runs.get(id(line))
        if known is not None:
            return known[1]
        found = self._made(line)
        self._runs[id(line)] = line, found
        return found

    def written(self, line: Line, column: int, end: int) -> list[Run]:
        """Return the runs of some characters of a line, cut to these characters."""
        if line.made is None:
            return [Run(0, end - column, Span(line.file, line.number, column, end), True)]
        return list(_cut(self.runs(line), column, end, 0))

    def span(self, line: Line, column: int, end: int) -> Span:
        """Return where a name was written: in one piece, or else its whole expression in the line that uses it."""
        if line.made is None:
            return Span(line.file, line.number, column, end)
        pieces = self.written(line, column, end)
        if len(pieces) == 1 and pieces[0].literal:
            return pieces[0].source
        return self.cover(line, column, end)

    def cover(self, line: Line, column: int, end: int) -> Span:
        """Return the expression that some characters were put together from, with parameters as written there."""
        while (made := line.made) is not None:
            parts = list(_parts(made))
            whole = next((p for p in parts if p.start <= column < end <= p.stop), None)
            if whole and whole.key is not None and (given := made.values[whole.key]).line is not None:
                column, end = (given.column + at - whole.start for at in (column, end))
                line = given.line
                continue
            inside = [p for p in parts if p.start < end and (p.stop > column or p.start == p.stop >= column)]
            if inside:
                first, last = inside[0], inside[-1]
                column = first.at if first.key is not None else first.at + max(column - first.start, 0)
                end = last.to if last.key is not None else last.to - max(last.stop - end, 0)
            line = made.template
        return Span(line.file, line.number, column, end)

    def _made(self, line: Line) -> list[Run]:
        if line.made is None:
            length = len(line.text)
            return [Run(0, length, Span(line.file, line.number, 0, length), True)]
        template, _, values = line.made
        below = self.runs(template)
        found: list[Run] = []
        for start, stop, at, to, key in _parts(line.made):
            if key is None:
                found += _cut(below, at, to, start)
            elif (given := values[key]).line is not None:
                found += _cut(self.runs(given.line), given.column, given.column + len(given.text), start)
            elif stop > start and (own := list(_cut(below, at, to, 0))):
                first, last = own[0].source, own[-1].source
                found.append(Run(start, stop, first._replace(end=max(first.end, last.end)), False))
        return found


class _Part(NamedTuple):
    """A piece of a generated line: its columns, those in the template, and the name that was substituted, if any."""

    start: int
    stop: int
    at: int
    to: int
    key: str | None


def _parts(made: Substitution) -> Iterator[_Part]:
    """Return the pieces of a generated line, in order."""
    template, pattern, values = made
    last = out = 0
    for found in pattern.finditer(template.text):
        if (value := values.get(found[1])) is None:
            continue
        if found.start() > last:
            yield _Part(out, out + found.start() - last, last, found.start(), None)
            out += found.start() - last
        yield _Part(out, out + len(value.text), found.start(), found.end(), found[1])
        out += len(value.text)
        last = found.end()
    if last < len(template.text):
        yield _Part(out, out + len(template.text) - last, last, len(template.text), None)


def _cut(runs: Sequence[Run], column: int, end: int, to: int) -> Iterator[Run]:
    """Cut out the part between two columns and move it to a new one; a part that is not a copy stays whole."""
    for run in runs:
        start, stop = max(run.start, column), min(run.end, end)
        if start >= stop:
            continue
        source = run.source
        if run.literal:
            begin = source.column + start - run.start
            source = Span(source.file, source.line, begin, begin + stop - start)
        yield Run(start - column + to, stop - column + to, source, run.literal)
