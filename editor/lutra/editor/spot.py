"""The place in a text that a request is about, and its contents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from lsprotocol import types

from lutra.asm.text.columns import Span
from lutra.asm.text.index import Name, Use
from lutra.asm.text.tokens import Token, token_at
from lutra.editor.analyses import Analysed
from lutra.editor.documents import Document
from lutra.editor.workspace import Workspace


@dataclass(frozen=True)
class Spot:
    """Line and column as the assembler counts them; the programs in which the text is known."""

    workspace: Workspace
    programs: Sequence[Analysed]
    file: str
    document: Document
    line: int
    column: int

    @cached_property
    def text(self) -> str:
        """The line."""
        return self.document.line(self.line)

    @cached_property
    def token(self) -> Token | None:
        """The word that the place touches."""
        return token_at(self.text, self.column)

    @cached_property
    def uses(self) -> list[tuple[Analysed, Use]]:
        """Meaning of the place, in each program; of nested places the smallest."""
        found = [(known, use) for known in self.programs for use in known.index.at(self.file, self.line, self.column)]
        if any(use.certain for _, use in found):
            found = [(known, use) for known, use in found if use.certain]
        least = min((use.place.end - use.place.column for _, use in found), default=0)
        # At the border of two names the later one counts.
        last = max((use.place.column for _, use in found if use.place.end - use.place.column == least), default=0)
        return [(k, u) for k, u in found if u.place.end - u.place.column == least and u.place.column == last]

    @cached_property
    def names(self) -> list[Name]:
        """The names that the place means."""
        return list(dict.fromkeys(use.name for _, use in self.uses))

    @property
    def range(self) -> types.Range | None:
        """The range of the word at the place."""
        if self.uses:
            return self.document.range(self.uses[0][1].place)
        if self.token is None:
            return None
        return self.document.range(Span(self.file, self.line, self.token.start, self.token.end))


def places(programs: Iterable[Analysed], names: Iterable[Name]) -> dict[Span, tuple[Analysed, Use]]:
    """All places of some names in some programs, each once; certain ones before those that are read word by word."""
    found: dict[Span, tuple[Analysed, Use]] = {}
    wanted = list(names)
    for known in programs:
        for name in wanted:
            for place, use in known.index.uses.get(name, {}).items():
                old = found.get(place)
                if old is None or (use.certain and not old[1].certain):
                    found[place] = known, use
    return found
