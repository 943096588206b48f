"""The values of a program by name: where each is set, used and alive.

A name has several values where nothing that is set at one place is used at the other; each gets a register of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from lutra.asm.analysis.decoded import HALT, RETURN
from lutra.asm.analysis.graph import Graph


@dataclass(eq=False)
class Value:
    """A value that a name holds: the words that set it and those that use it.

    after: words after which it is alive. unset: words at which it may be used before it is set.
    """

    name: str
    sets: set[int] = field(default_factory=set)
    uses: set[int] = field(default_factory=set)
    after: set[int] = field(default_factory=set)
    unset: set[int] = field(default_factory=set)

    @property
    def first(self) -> int:
        """The first word that names it."""
        return min(self.sets | self.uses)


class Steps:
    """The steps of control between words, through calls and returns; a halt may be followed by any entry."""

    def __init__(self, graph: Graph, entries: Iterable[int]) -> None:
        self.entries = {pc for pc in entries if pc in graph.words}
        returns: dict[int, set[int]] = {}  # a return -> the words after its calls
        for pc in graph.words:
            called = graph.called(pc)
            if called is None or called not in graph.words:
                continue
            for inside in graph.words_of(graph.follow([called], calls=False)):
                if graph.words[inside].does == RETURN:
                    returns.setdefault(inside, set()).update(edge.to for edge in graph.next(pc))
        self.next: dict[int, set[int]] = {}
        self.before: dict[int, set[int]] = {pc: set() for pc in graph.words}
        for pc, word in graph.words.items():
            called = graph.called(pc)
            if called is not None and called in graph.words:
                to = {called}
            elif word.does == RETURN:
                to = returns.get(pc, set())
            elif word.does == HALT:
                to = self.entries
            else:
                to = {edge.to for edge in graph.next(pc)}
            self.next[pc] = to
            for other in to:
                self.before[other].add(pc)


def values_of(name: str, sets: Iterable[int], uses: Iterable[int], steps: Steps) -> list[Value]:
    """Return the values of a name, from the words that set it and those that use it before they set it."""
    setting = {pc: Value(name, {pc}) for pc in sets}
    same: dict[Value, Value] = {}

    def whole(value: Value) -> Value:
        while value in same:
            value = same[value]
        return value

    found = []
    for use in sorted(uses):
        value = Value(name, set(), {use})
        reached, todo = {use}, [use]
        while todo:
            pc = todo.pop()
            if pc in steps.entries:
                value.unset.add(use)
            for before in steps.before[pc]:
                value.after.add(before)
                if before in setting:
                    value.sets.add(before)
                elif before not in reached:
                    reached.add(before)
                    todo.append(before)
        if not value.sets:
            value.unset.add(use)
        for pc in sorted(value.sets):
            other = whole(setting[pc])
            if other is not value:
                _join(value, other)
                same[other] = value
        found.append(value)
    return [value for value in (*setting.values(), *found) if value not in same]


def _join(into: Value, other: Value) -> None:
    into.sets |= other.sets
    into.uses |= other.uses
    into.after |= other.after
    into.unset |= other.unset


Named = Mapping[int, tuple[frozenset[str], frozenset[str]]]  # by word: names that it reads, and that it writes


def all_values(named: Named, steps: Steps) -> list[Value]:
    """Return the values of all names."""
    sets: dict[str, list[int]] = {}
    uses: dict[str, list[int]] = {}
    for pc, (read, written) in named.items():
        for name in read:
            uses.setdefault(name, []).append(pc)
        for name in written:
            sets.setdefault(name, []).append(pc)
    names = dict.fromkeys((*uses, *sets))
    return [v for name in names for v in values_of(name, sets.get(name, ()), uses.get(name, ()), steps)]
