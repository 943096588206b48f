"""Routines of a program: the registers that they set on all paths, read without setting, and write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from lutra.asm.analysis.decoded import RETURN
from lutra.asm.analysis.graph import Graph
from lutra.asm.analysis.name_sets import NameSets
from lutra.asm.analysis.uses import Effects

Registers = frozenset[str]


class _Use(NamedTuple):
    """Registers that a word reads and writes, and stream contexts that it writes, as sets of a NameSets."""

    reads: int
    writes: int
    contexts: int


@dataclass(frozen=True)
class Before:
    """The registers that are set before each word; by the first word of each block, for the words that are reached."""

    routines: Routines
    states: Mapping[int, int]

    def __contains__(self, pc: int) -> bool:
        return self.routines.graph.first(pc) in self.states

    def at(self, pc: int) -> Registers:
        """Return the registers that are set before a word."""
        first = self.routines.graph.first(pc)
        state = self.states[first]
        for before in range(first, pc):
            use = self.routines.uses[before]
            state |= use.writes | use.reads
        return self.routines.sets_of_names.names(state)

    def unset(self) -> Iterator[tuple[int, Registers]]:
        """Yield the words that read registers which are not set there, with these registers."""
        uses, blocks = self.routines.uses, self.routines.graph.blocks
        for first in sorted(self.states):
            state = self.states[first]
            for pc in range(first, blocks[first] + 1):
                use = uses[pc]
                if use.reads & ~state:
                    yield pc, self.routines.sets_of_names.names(use.reads & ~state)
                state |= use.writes | use.reads


class Routines:
    """The routines of a program: those where the host starts it, and those that are called.

    Blocks of the graph begin at each of them.
    """

    def __init__(self, graph: Graph, entries: Iterable[int]) -> None:
        self.graph = graph
        self.sets_of_names = NameSets()
        self.entries = {pc for pc in entries if pc in graph.words}
        self.reached = graph.reach(self.entries)
        lasts = (graph.blocks[first] for first in graph.blocks if first in self.reached)
        self.called = {to for pc in lasts if (to := graph.called(pc)) is not None and to in graph.words}

    @cached_property
    def uses(self) -> Mapping[int, _Use]:
        """The registers and contexts that each word reads and writes."""
        sets = self.sets_of_names
        known: dict[int, tuple[Effects, _Use]] = {}  # by the identity of the effects, which the entry keeps alive
        found = {}
        for pc, effect in self.graph.effects.items():
            entry = known.get(id(effect))
            if entry is None:
                use = _Use(sets.bits(effect.reads), sets.bits(effect.writes), sets.bits(effect.contexts))
                entry = known[id(effect)] = effect, use
            found[pc] = entry[1]
        return found

    @cached_property
    def _block_uses(self) -> Mapping[int, _Use]:
        """The same for all words of a block together, by its first word."""
        found = {}
        uses = self.uses
        for first, last in self.graph.blocks.items():
            reads = writes = contexts = 0
            for pc in range(first, last + 1):
                use = uses[pc]
                reads |= use.reads
                writes |= use.writes
                contexts |= use.contexts
            found[first] = _Use(reads, writes, contexts)
        return found

    def body(self, start: int) -> set[int]:
        """Return the words of the routine at an address, without those of routines that it calls."""
        return self.graph.words_of(self.graph.follow([start], calls=False))

    def returns(self, start: int) -> bool:
        """Whether the routine has a return of its own."""
        return any(self.graph.words[last].does == RETURN for _, last in self.graph.follow([start], calls=False))

    def written(self, start: int) -> Registers:
        """Return the registers and stream contexts that the routine and those that it calls can write.

        The flag, steps, windows and widths are left out.
        """
        written = 0
        for first, _ in self.graph.follow([start], calls=True):
            use = self._block_uses[first]
            written |= use.writes | use.contexts
        registers = self.sets_of_names.names(written)
        return frozenset(register for register in registers if "." not in register and register != "flag")

    # ---------------------------------------------------------------------------- set on all ways

    @cached_property
    def _sets(self) -> dict[int, int]:
        """Return, by called routine, the registers that are set on every path from its start to a return."""
        everything = 0
        for first, use in self._block_uses.items():
            everything |= use.writes if first in self.reached else 0
        found = dict.fromkeys(self.called, everything)
        while True:
            new = {start: self._set_by(start, found, everything) for start in self.called}
            if new == found:
                return found
            found = new

    def _set_by(self, start: int, known: dict[int, int], everything: int) -> int:
        before = self._forward({start: 0}, known)
        found = None
        for first, state in before.items():
            last = self.graph.blocks[first]
            if self.graph.words[last].does == RETURN:
                for pc in range(first, last):
                    state |= self.uses[pc].writes
                found = state if found is None else found & state
        return everything if found is None else found

    def before(self, at_entry: Mapping[int, Registers]) -> Before:
        """Return the registers that are set on every path to each word; at_entry: those set by the host.

        Called routines are followed from their calls; unreachable words are left out. A register that is read before it
        is set counts as set from there on, so that it is reported once.
        """
        begin = {start: self.sets_of_names.bits(registers) for start, registers in at_entry.items()}
        return Before(self, self._forward(begin, self._sets, into_calls=True))

    def _forward(self, begin: dict[int, int], sets: dict[int, int], into_calls: bool = False) -> dict[int, int]:
        """Return the registers that are set before each block; begin: those before some blocks."""
        graph = self.graph
        found = dict(begin)
        todo = list(begin)
        while todo:
            first = todo.pop()
            use = self._block_uses[first]
            after = found[first] | use.writes | (use.reads if into_calls else 0)
            last = graph.blocks[first]
            called = graph.called(last)
            returned = after if called is None else after | sets.get(called, 0)
            ways = [(edge.to, returned) for edge in graph.next(last)]
            if into_calls and called is not None and called in graph.words:
                ways.append((called, after))
            for to, state in ways:
                old = found.get(to)
                new = state if old is None else old & state
                if new != old:
                    found[to] = new
                    todo.append(to)
        return found
