"""Gathers what an engine retires into counts: the C++ collector, and what its tuples hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from lutra.isa import load
from lutra.iss.engine import Engine
from lutra.iss.pipeline import Passage, passage
from lutra.profile import _profile

# Runs and calls that are kept with their times, and instructions of the window.
SPANS = 100_000
WINDOW = 20_000


@dataclass(frozen=True)
class Cell:
    """The cost of an instruction in one call path of its routine.

    count: times that it issued. taken: times that its transfer was. edges: cycles of the first fetch, of a fetch after
    a resume, and of emptying the pipeline. inside: cycles in what it has called. stalls: cycles by cause, in the order
    of `Isa.stalls`; a bubble is counted at the transfer.
    """

    count: int
    taken: int
    edges: int
    inside: int
    stalls: tuple[int, ...]

    @cached_property
    def cycles(self) -> int:
        """Its total cost, without the routines that it calls."""
        return self.count + self.edges + sum(self.stalls)

    def __add__(self, other: Cell) -> Cell:
        stalls = tuple(a + b for a, b in zip(self.stalls, other.stalls, strict=True))
        return Cell(
            self.count + other.count,
            self.taken + other.taken,
            self.edges + other.edges,
            self.inside + other.inside,
            stalls,
        )


@dataclass(frozen=True)
class Node:
    """A routine in one call path. parent: index of the caller, -1 for the root; call: the calling instruction."""

    parent: int
    call: int
    cells: Mapping[int, Cell]


@dataclass(frozen=True)
class Wait:
    """Stall cycles of the instruction at `pc` for the one at `on`."""

    pc: int
    cause: str
    on: int
    cycles: int


@dataclass(frozen=True)
class Repeat:
    """A loop of the sequencer, by the address of the instruction that begins it; cycles: with what it has called."""

    pc: int
    entries: int
    passes: int
    cycles: int


@dataclass(frozen=True)
class Span:
    """A run or a call. pc: where it begins. begin, end: cycles over all runs."""

    node: int
    pc: int
    begin: int
    end: int


@dataclass(frozen=True)
class Share:
    """The cycles of a part of the time: issues, edges, stalls by cause."""

    issued: int
    edges: int
    stalls: tuple[int, ...]


@dataclass(frozen=True)
class Seen:
    """An instruction of the window. offset: what its cycles lack to be counted over all runs."""

    offset: int
    passage: Passage


@dataclass(frozen=True)
class Counts:
    """All that was gathered, of what has retired.

    shares: of `share_cycles` each. spans_left_out: those beyond the number that is kept.
    """

    rounds: int
    cycles: int
    nodes: tuple[Node, ...]
    waits: tuple[Wait, ...]
    repeats: tuple[Repeat, ...]
    spans: tuple[Span, ...]
    spans_left_out: int
    shares: tuple[Share, ...]
    share_cycles: int
    window: tuple[Seen, ...]


class Collector:
    """Counts what an engine does from now on, before its first start.

    Of a lock-step the core is counted; the simulator has retired the same. window_from, window: the cycle from which on
    instructions are kept one by one, and how many.
    """

    def __init__(self, engine: Engine, window_from: int = 0, window: int = WINDOW, spans: int = SPANS) -> None:
        self._rounds = engine.rounds
        self._machine = engine.machines[-1]
        self._profile = _profile.Profile(engine.rounds, window_from, window, spans)
        self._profile.watch(self._machine)

    def close(self) -> Counts:
        """Count no more; what was counted."""
        counted = self._profile
        counted.leave(self._machine)
        counted.finish()
        causes = [stall.name for stall in load().stalls]
        return Counts(
            self._rounds,
            counted.cycles,
            tuple(
                Node(parent, call, {pc: _cell(*numbers) for pc, numbers in cells.items()})
                for parent, call, cells in counted.nodes
            ),
            tuple(Wait(pc, causes[cause], on, cycles) for pc, cause, on, cycles in counted.waits),
            tuple(Repeat(*numbers) for numbers in counted.loops),
            tuple(Span(*numbers) for numbers in counted.spans),
            counted.spans_left_out,
            tuple(Share(issued, edges, tuple(stalls)) for issued, edges, stalls in counted.shares),
            counted.share_cycles,
            tuple(Seen(offset, passage(raw, causes)) for offset, raw in counted.window),
        )


def _cell(count: int, taken: int, edges: int, inside: int, stalls: list[int]) -> Cell:
    return Cell(count, taken, edges, inside, tuple(stalls))
