"""The flow graph of a program: the steps of control from each word, with loops and calls."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from lutra.asm.analysis.decoded import CALL, HALT, JUMP, LOOPS, RETURN, Word, decode
from lutra.asm.analysis.uses import Effects, effects, legal
from lutra.asm.image import Image
from lutra.isa import load

# Kinds of steps from one word to the next.
FALL, TAKEN, BACK, OVER = "fall", "taken", "back", "over"
# From these words control does not always fall to the next; a block also ends with a call.
_STEERING = LOOPS | {JUMP, RETURN, HALT}
_ENDING = _STEERING | {CALL}


class Edge(NamedTuple):
    """A step of control within a routine: its target and kind.

    fall: to the next word; taken: by a transfer; back: to the begin of a loop's body; over: past a loop without turns.
    """

    to: int
    how: str


class Graph:
    """The words of a program by address, and the steps between them. Calls continue after the call; see `called`.

    A block is a run of words that control enters only at the first and leaves only after the last, which may be a call.
    """

    def __init__(self, program: Mapping[int, int], entries: Iterable[int] = ()) -> None:
        """entries: words at which control may also enter, so that blocks begin there."""
        isa = load()
        known = {word: decode(isa, word) if legal(word) else None for word in set(program.values())}
        self.words: dict[int, Word] = {pc: does for pc in sorted(program) if (does := known[program[pc]]) is not None}
        self.program = program
        self._entries = frozenset(entries)
        self.loops: dict[int, list[int]] = {}  # last word of a body -> where its loops begin
        for pc, word in self.words.items():
            if word.is_loop and word.turns != 0:
                self.loops.setdefault(word.target, []).append(pc)

    @classmethod
    def of(cls, image: Image) -> Graph:
        """Return the graph of an image."""
        return cls(dict(enumerate(image.program)))

    @cached_property
    def effects(self) -> Mapping[int, Effects]:
        """Return what each word reads and writes; words of equal effects share them."""
        known = {word: effects(word) for word in {self.program[pc] for pc in self.words}}
        return {pc: known[self.program[pc]] for pc in self.words}

    def next(self, pc: int) -> tuple[Edge, ...]:
        """Return the steps from a word within its routine, without those to addresses that have no word."""
        found = self._edges.get(pc)
        if found is not None:
            return found
        return (Edge(pc + 1, FALL),) if pc in self.words and pc + 1 in self.words else ()

    @cached_property
    def _edges(self) -> dict[int, tuple[Edge, ...]]:
        """Return the steps from each word from which control does not always fall to the next."""
        return {
            pc: tuple(edge for edge in dict.fromkeys(self._next(pc, word)) if edge.to in self.words)
            for pc, word in self.words.items()
            if word.does in _STEERING or pc in self.loops
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
        for pc in self.words:
            for edge in self.next(pc):
                found.setdefault(edge.to, []).append((pc, edge.how))
        return {to: tuple(rows) for to, rows in found.items()}

    def reach(self, starts: Iterable[int]) -> set[int]:
        """Return every word that can be reached from some addresses, including through calls.

        Every called routine is assumed to return.
        """
        return self.words_of(self.follow(starts, calls=True))

    def words_of(self, spans: Iterable[tuple[int, int]]) -> set[int]:
        """Return the words from the first to the last of each span."""
        found: set[int] = set()
        for first, last in spans:
            found.update(range(first, last + 1))
        return found

    def follow(self, starts: Iterable[int], *, calls: bool) -> Iterator[tuple[int, int]]:
        """Yield first and last word of each block that can be reached from some addresses, perhaps through calls.

        Of a block around a start only what is after it; such a block may come again as a whole.
        """
        todo = [pc for pc in starts if pc in self.words]
        seen = set(todo)
        while todo:
            pc = todo.pop()
            last = self.last(pc)
            yield pc, last
            after = [edge.to for edge in self.next(last)]
            if calls and (called := self.called(last)) is not None and called in self.words:
                after.append(called)
            for to in after:
                if to not in seen:
                    seen.add(to)
                    todo.append(to)

    # ---------------------------------------------------------------------------- blocks

    @cached_property
    def blocks(self) -> Mapping[int, int]:
        """First word -> last word of each block, in order."""
        heads = {edge.to for edges in self._edges.values() for edge in edges if edge.how != FALL} | self._entries
        heads |= {word.target for word in self.words.values() if word.does == CALL}
        found: dict[int, int] = {}
        first = last = -2
        for pc, word in self.words.items():
            if pc != last + 1 or first < 0 or pc in heads:
                first = pc
            found[first] = last = pc
            if word.does in _ENDING or pc in self._edges:
                first = -1
        return found

    def first(self, pc: int) -> int:
        """Return the first word of the block that a word is in."""
        return self._firsts[bisect_right(self._firsts, pc) - 1]

    def last(self, pc: int) -> int:
        """Return the last word of the block that a word is in."""
        return self.blocks[self.first(pc)]

    @cached_property
    def _firsts(self) -> list[int]:
        return list(self.blocks)


def starts(image: Image) -> set[int]:
    """Return where the host may start an image: its entry, and its global program labels."""
    program = load().program.name
    found = {symbol.value for symbol in image.symbols if symbol.is_global and symbol.space == program}
    return found | {image.entry}
