"""The static schedule of a program: when each word issues and for what it waits, without running it.

A program falls into pieces: words that run one after the other, up to where control comes from elsewhere. The schedule
of a piece is exact for the way into it that is taken most: of a loop's body a turn after the first, of what follows a
loop the way out of it, else the one way there is. A piece that control comes to in several ways, or from a call, is
scheduled as if nothing was on its way: its words may issue later, never earlier.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lutra.asm.analysis.decoded import CALL, WAIT
from lutra.asm.analysis.graph import BACK, FALL, OVER, TAKEN, Graph, starts
from lutra.asm.analysis.interlock import Interlock, Issue, Wait, retire_stage
from lutra.asm.image import Image

__all__ = ["Interlock", "Issue", "Piece", "Wait", "pieces", "program", "retire_stage", "straight"]

# What is on its way after them is not known, or nothing is: a routine or the host has run meanwhile.
_IDLE = frozenset({CALL, WAIT})
# Ways from piece to piece are followed until they settle: a loop within a loop needs a pass for each.
_PASSES = 16


@dataclass(frozen=True)
class Piece:
    """Words from an address on that run one after the other.

    issues: of each word; cycles count from when the first could issue, in cycle 0 if it waits for nothing. carried: it
    is known what was on its way before. turn: it is the whole body of a loop, a turn after the first. end: cycles from
    its begin until what follows it could issue, control falling out of its last word.
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
        """That of the word at an address of the piece."""
        return self.issues[pc - self.first]


def straight(words: Iterable[int], rounds: int = 2, first: int = 0) -> tuple[Issue, ...]:
    """Issues of words that run one after the other from an idle machine, no transfer among them being taken.

    Cycles count from 0. first: program address of the first word, by which waits name producers.
    """
    interlock = Interlock(rounds)
    issues = (interlock.issue(word, pc) for pc, word in enumerate(words, first))
    return tuple(issue._replace(cycle=issue.cycle - 1) for issue in issues)


def program(image: Image, rounds: int = 2) -> dict[int, Issue]:
    """By program address, the issue of each word of an image that the host or another word leads to.

    Cycles count from the begin of the word's piece: see `pieces`.
    """
    graph = Graph.of(image)
    found = pieces(graph, starts(image), rounds)
    return {pc: piece.issue(pc) for piece in found for pc in range(piece.first, piece.last + 1)}


def pieces(graph: Graph, entries: Iterable[int], rounds: int = 2) -> tuple[Piece, ...]:
    """The pieces of what can be reached from some addresses, in the order of their addresses."""
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
        self._after: dict[int, Interlock] = {}  # by the last word of a piece, what is on its way after it

    def _leaves(self, pc: int) -> bool:
        """Whether control never goes on to the next word."""
        return all(edge.to != pc + 1 for edge in self._graph.next(pc))

    def _is_head(self, pc: int) -> bool:
        return (
            self._way_in(pc) != (pc - 1, FALL) or pc - 1 in self._graph.loops or self._graph.words[pc - 1].does in _IDLE
        )

    def _way_in(self, pc: int) -> tuple[int, str] | None:
        """From where control comes to a word as a rule; None where several ways are as good, or none is known."""
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
            # What a transfer costs is lost before the piece begins.
            waits = tuple(wait for wait in issue.waits if wait.cell)
            issues.append(Issue(issue.cycle - begin, waits))
        self._after[last] = interlock
        turn = carried and any(loop + 1 == head for loop in self._graph.loops.get(last, ()))
        return Piece(head, tuple(issues), carried, turn, interlock.earliest - begin)

    def _begin(self, head: int) -> tuple[Interlock, bool]:
        """What is on its way where a piece begins, and whether that is known."""
        way = self._way_in(head)
        if way is None or way[0] not in self._after or self._graph.words[way[0]].does in _IDLE:
            return Interlock(self._rounds), False
        interlock = self._after[way[0]].copy()
        if way[1] in (TAKEN, OVER):
            interlock.taken()
        return interlock, True
