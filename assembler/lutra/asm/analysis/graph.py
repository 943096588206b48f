"""The flow graph of a program: the steps of control from each word, with loops and calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from lutra.asm.analysis.decoded import CALL, HALT, JUMP, RETURN, Word, decode
from lutra.asm.analysis.uses import legal
from lutra.asm.image import Image
from lutra.isa import load

# Kinds of steps from one word to the next.
FALL, TAKEN, BACK, OVER = "fall", "taken", "back", "over"


class Edge(NamedTuple):
    """A step of control within a routine: its target and kind.

    fall: to the next word; taken: by a transfer; back: to the begin of a loop's body; over: past a loop without turns.
    """

    to: int
    how: str


class Graph:
    """The words of a program by address, and the steps between them. Calls continue after the call; see `called`."""

    def __init__(self, program: Mapping[int, int]) -> None:
        isa = load()
        decoded = {pc: decode(isa, word) for pc, word in program.items() if legal(word)}
        self.words: dict[int, Word] = {pc: word for pc, word in decoded.items() if word is not None}
        self.program = program
        self.loops: dict[int, list[int]] = {}  # last word of a body -> where its loops begin
        for pc, word in sorted(self.words.items()):
            if word.is_loop and word.turns != 0:
                self.loops.setdefault(word.target, []).append(pc)

    @classmethod
    def of(cls, image: Image) -> Graph:
        """Return the graph of an image."""
        return cls(dict(enumerate(image.program)))

    def next(self, pc: int) -> tuple[Edge, ...]:
        """Return the steps from a word within its routine, without those to addresses that have no word."""
        return self._edges.get(pc, ())

    @cached_property
    def _edges(self) -> dict[int, tuple[Edge, ...]]:
        return {
            pc: tuple(edge for edge in dict.fromkeys(self._next(pc, word)) if edge.to in self.words)
            for pc, word in self.words.items()
        }

    def _next(self, pc: int, word: Word) -> Iterable[Edge]:
        if word.is_loop:
            if word.turns != 0:
                yield Edge(pc + 1, FALL)
            if not word.turns:
                yield Edge(word.target + 1, OVER)
            return
        if word.does == JUMP:
            yield Edge(word.target, TAKEN)
            if not word.insn.facts.conditional:
                return
        if word.does in (HALT, RETURN):
            return
        for loop in self.loops.get(pc, ()):
            if self.words[loop].turns != 1:
                yield Edge(loop + 1, BACK)
        yield Edge(pc + 1, FALL)

    def called(self, pc: int) -> int | None:
        """The routine that a word calls."""
        word = self.words.get(pc)
        return word.target if word is not None and word.does == CALL else None

    @cached_property
    def before(self) -> Mapping[int, tuple[tuple[int, str], ...]]:
        """Return, by address, the steps that lead there."""
        found: dict[int, list[tuple[int, str]]] = {}
        for pc, edges in self._edges.items():
            for edge in edges:
                found.setdefault(edge.to, []).append((pc, edge.how))
        return {to: tuple(rows) for to, rows in found.items()}

    def reach(self, starts: Iterable[int]) -> set[int]:
        """Return every word that can be reached from some addresses, including through calls.

        Every called routine is assumed to return.
        """
        todo = [pc for pc in starts if pc in self.words]
        seen = set(todo)
        while todo:
            pc = todo.pop()
            called = self.called(pc)
            for to in (*(edge.to for edge in self.next(pc)), *(() if called is None else (called,))):
                if to in self.words and to not in seen:
                    seen.add(to)
                    todo.append(to)
        return seen


def starts(image: Image) -> set[int]:
    """Return where the host may start an image: its entry, and its global program labels."""
    program = load().program.name
    found = {symbol.value for symbol in image.symbols if symbol.is_global and symbol.space == program}
    return found | {image.entry}
