"""The static schedule of a program: when each word issues and what it waits for, without running it.

A program consists of pieces: words that run one after another, up to a word that control reaches from elsewhere. The
schedule of a piece is exact for the most frequent path into it: for the body of a loop a pass after the first, for code
after a loop the exit of the loop, otherwise the only path. A piece that control reaches on several paths, or from a
call, is scheduled as if no earlier instruction were in flight: its words may issue later, never earlier.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lutra.asm.analysis.decoded import CALL, WAIT
from lutra.asm.analysis.graph import BACK, FALL, OVER, TAKEN, Graph, starts
from lutra.asm.analysis.interlock import Interlock, Issue, Wait, retire_stage
from lutra.asm.image import Image

__all__ = ["Interlock", "Issue", "Piece", "Wait", "pieces", "program", "retire_stage", "straight"]

# After these, instructions in flight are unknown or none: a routine or the host has run meanwhile.
_IDLE = frozenset({CALL, WAIT})
# Limit of passes over the pieces until their starts settle: a loop within a loop needs a pass for each.
_PASSES = 16


@dataclass(frozen=True)
class Piece:
    """Words from an address on that run one after another.

    issues: issue of each word; cycle 0 is when the first word issues if it waits for nothing. carried: whether the
    instructions in flight before it are known. turn: it is the whole body of a loop, in a pass after the first. end:
    cycles from its start until the word after it could issue.
    """

    first: int
    issues: tuple[Issue, ...]
    carried: bool
    turn: bool
    end: int

    @property
    def last(self) -> int:
        """Address of the last word."""
        return self.first + len(self.issues) - 1

    def __contains__(self, pc: int) -> bool:
        return self.first <= pc <= self.last

    def issue(self, pc: int) -> Issue:
        """Return the issue of the word at an address of the piece."""
        return self.issues[pc - self.first]


def straight(words: Iterable[int], rounds: int = 2, first: int = 0) -> tuple[Issue, ...]:
    """Return the issues of words that run one after another on an idle machine, with no transfer taken.

    Cycles count from 0. first: program address of the first word, used in waits.
    """
    interlock = Interlock(rounds)
    issues = (interlock.issue(word, pc) for pc, word in enumerate(words, first))
    return tuple(issue._replace(cycle=issue.cycle - 1) for issue in issues)


def program(image: Image, rounds: int = 2) -> dict[int, Issue]:
    """Return, by program address, the issue of each reachable word of an image.

    Cycles count from the start of the word's piece; see `pieces`.
    """
    graph = Graph.of(image)
    found = pieces(graph, starts(image), rounds)
    return {pc: piece.issue(pc) for piece in found for pc in range(piece.first, piece.last + 1)}


def pieces(graph: Graph, entries: Iterable[int], rounds: int = 2) -> tuple[Piece, ...]:
    """Return the pieces that can be reached from some addresses, in order of their addresses."""
    return tuple(_Pieces(graph, set(entries), rounds).all())


class _Pieces:
    def __init__(self, graph: Graph, entries: set[int], rounds: int) -> None:
        self._graph = graph
        self._rounds = rounds
        self._reached = graph.reach(entries)
        reached = sorted(self._reached)
        self._alone = {pc for pc in reached if pc in entries} | {
            called for pc in reached if (called := graph.called(pc)) is not None
        }
        heads = [pc for pc in reached if self._is_head(pc)]
        ends = {pc for pc in reached if pc + 1 not in graph.words or self._is_head(pc + 1) or self._leaves(pc)}
        self._spans = {head: next(pc for pc in range(head, head + len(reached) + 1) if pc in ends) for head in heads}
        self._after: dict[int, Interlock] = {}  # last word of a piece -> interlock after it

    def _leaves(self, pc: int) -> bool:
        """Whether control never continues to the next word."""
        return all(edge.to != pc + 1 for edge in self._graph.next(pc))

    def _is_head(self, pc: int) -> bool:
        return (
            self._way_in(pc) != (pc - 1, FALL) or pc - 1 in self._graph.loops or self._graph.words[pc - 1].does in _IDLE
        )

    def _way_in(self, pc: int) -> tuple[int, str] | None:
        """Return the most frequent step to a word; None if several are equally likely or none is known."""
        if pc in self._alone:
            return None
        known = [way for way in self._graph.before.get(pc, ()) if way[0] in self._reached]
        ways = [way for way in known if way[1] != OVER] or known
        back = [way for way in ways if way[1] == BACK]
        if back:
            ways = back + [way for way in ways if way[1] == TAKEN]
        return ways[0] if len(ways) == 1 else None

    def all(self) -> Iterator[Piece]:
        found: dict[int, Piece] = {}
        for _ in range(_PASSES):
            before = {last: interlock.state() for last, interlock in self._after.items()}
            found = {head: self._piece(head, last) for head, last in self._spans.items()}
            if before == {last: interlock.state() for last, interlock in self._after.items()}:
                break
        return iter(found[head] for head in sorted(found))

    def _piece(self, head: int, last: int) -> Piece:
        interlock, carried = self._begin(head)
        begin = interlock.earliest
        issues = []
        for pc in range(head, last + 1):
            issue = interlock.issue(self._graph.program[pc], pc)
            # The cost of a transfer is paid before the piece begins.
            waits = tuple(wait for wait in issue.waits if wait.cell)
            issues.append(Issue(issue.cycle - begin, waits))
        self._after[last] = interlock
        turn = carried and any(loop + 1 == head for loop in self._graph.loops.get(last, ()))
        return Piece(head, tuple(issues), carried, turn, interlock.earliest - begin)

    def _begin(self, head: int) -> tuple[Interlock, bool]:
        """Return the interlock at the start of a piece, and whether it is known."""
        way = self._way_in(head)
        if way is None or way[0] not in self._after or self._graph.words[way[0]].does in _IDLE:
            return Interlock(self._rounds), False
        interlock = self._after[way[0]].copy()
        if way[1] in (TAKEN, OVER):
            interlock.taken()
        return interlock, True
