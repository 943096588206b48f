"""Routines of a program: the registers that they set on all paths, read without setting, and write."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from lutra.asm.analysis.decoded import RETURN
from lutra.asm.analysis.graph import Graph
from lutra.asm.analysis.uses import effects

Registers = frozenset[str]


class Routines:
    """The routines of a program: those where the host starts it, and those that are called."""

    def __init__(self, graph: Graph, entries: Iterable[int]) -> None:
        self.graph = graph
        self.reached = graph.reach(entries)
        self.called = {to for pc in self.reached if (to := graph.called(pc)) is not None and to in graph.words}
        self.entries = {pc for pc in entries if pc in graph.words}

    def body(self, start: int) -> set[int]:
        """Return the words of the routine at an address, without those of routines that it calls."""
        todo, seen = [start], {start}
        while todo:
            for edge in self.graph.next(todo.pop()):
                if edge.to not in seen:
                    seen.add(edge.to)
                    todo.append(edge.to)
        return seen

    def returns(self, start: int) -> bool:
        """Whether the routine has a return of its own."""
        return any(self.graph.words[pc].does == RETURN for pc in self.body(start))

    def whole(self, start: int) -> set[int]:
        """Return the words of the routine and of all routines that it calls."""
        return self.graph.reach([start])

    def written(self, start: int) -> Registers:
        """Return the registers and stream contexts that the routine and those that it calls can write.

        The flag, steps, windows and widths are left out.
        """
        found = [effects(self.graph.program[pc]) for pc in self.whole(start)]
        registers = frozenset().union(*(effect.writes | frozenset(effect.contexts) for effect in found))
        return frozenset(register for register in registers if "." not in register and register != "flag")

    # ---------------------------------------------------------------------------- set on all ways

    @cached_property
    def sets(self) -> dict[int, Registers]:
        """Return, by called routine, the registers that are set on every path from its start to a return."""
        everything = frozenset().union(*(effects(self.graph.program[pc]).writes for pc in self.reached))
        found = dict.fromkeys(self.called, everything)
        while True:
            new = {start: self._sets(start, found, everything) for start in self.called}
            if new == found:
                return found
            found = new

    def _sets(self, start: int, known: dict[int, Registers], everything: Registers) -> Registers:
        before = self._forward({start: frozenset()}, known)
        ends = [before[pc] for pc in before if self.graph.words[pc].does == RETURN]
        return frozenset.intersection(*ends) if ends else everything

    def before(self, at_entry: dict[int, Registers]) -> dict[int, Registers]:
        """Return, by address, the registers that are set on every path to it; at_entry: those set by the host.

        Called routines are followed from their calls; unreachable words are left out. A register that is read before it
        is set counts as set from there on, so that it is reported once.
        """
        return self._forward(at_entry, self.sets, into_calls=True)

    def _forward(
        self, begin: dict[int, Registers], sets: dict[int, Registers], into_calls: bool = False
    ) -> dict[int, Registers]:
        found = dict(begin)
        todo = list(begin)
        while todo:
            pc = todo.pop()
            effect = effects(self.graph.program[pc])
            after = found[pc] | effect.writes | (effect.reads if into_calls else frozenset())
            called = self.graph.called(pc)
            ways = [
                (edge.to, after | sets.get(called, frozenset()) if called is not None else after)
                for edge in self.graph.next(pc)
            ]
            if into_calls and called in self.graph.words:
                ways.append((called, after))
            for to, state in ways:
                old = found.get(to)
                new = state if old is None else old & state
                if new != old:
                    found[to] = new
                    todo.append(to)
        return found
