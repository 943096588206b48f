"""Find unused results: registers and rows that are overwritten on every path before they are read.

The host may read everything when the program halts, waits or notifies it, and the caller may read everything when a
routine returns.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from lutra.asm.analysis.decoded import CALL, NOTIFY, WAIT
from lutra.asm.analysis.graph import Graph
from lutra.asm.analysis.name_sets import NameSets
from lutra.asm.analysis.uses import Access, Effects
from lutra.isa import load

Cells = frozenset[str]
_LEAVING = frozenset({CALL, WAIT, NOTIFY})


class _Use(NamedTuple):
    """Cells that a word writes completely and reads; results: those it writes if it does nothing else."""

    writes: int
    reads: int
    results: int


def _row(name: str, access: Access) -> str:
    """A row with a fixed address, as assembly writes it."""
    return f"{name}[{access.address:#x}]" if access.address else f"{name}[0]"


class Overwritten:
    """Finds unused results among the words at some addresses."""

    def __init__(self, graph: Graph, reached: set[int]) -> None:
        self._graph = graph
        self._reached = reached
        self._effects = {pc: graph.effects[pc] for pc in reached}
        self._kinds = {id(effect): effect for effect in self._effects.values()}
        self._spaces = {space.name: space for space in load().spaces}
        self._rows = self._fixed_rows()
        self._sets = NameSets()
        self._uses = {key: self._use(effect) for key, effect in self._kinds.items()}
        self._all = self._sets.bits(cell for cells in self._rows.values() for cell in cells)
        for effect in self._kinds.values():
            self._all |= self._sets.bits(effect.reads | effect.writes)

    def _use(self, effect: Effects) -> _Use:
        bits = self._sets.bits
        results = (effect.writes - effect.moved) | self._stored(effect)
        alone = not (effect.transfer or effect.contexts or effect.moved or self._lasts(effect))
        return _Use(bits(effect.writes | self._stored(effect)), bits(self._read(effect)), bits(results) if alone else 0)

    def _fixed_rows(self) -> dict[str, set[str]]:
        """Return, by memory or table, the rows that are stored to at fixed addresses."""
        found: dict[str, set[str]] = {}
        for effect in self._kinds.values():
            if effect.store is not None and not effect.store.register:
                for name in self._memories(effect.store.space):
                    found.setdefault(name, set()).add(_row(name, effect.store))
        return found

    def _memories(self, space: str) -> list[str]:
        """Return the memories and tables of a space."""
        isa, found = load(), self._spaces[space]
        return [isa.memory_by_block[b].name for b in found.blocks] + [isa.bank_by_number[b].name for b in found.banks]

    def find(self) -> Iterator[tuple[int, Cells]]:
        """Yield (address, results) of each word whose results are all overwritten and that does nothing else."""
        found = []
        for block, live in self._live().items():
            for pc in reversed(block):
                use = self._uses[id(self._effects[pc])]
                live = self._all if pc in self._leaving else live
                if use.results and not use.results & live:
                    found.append((pc, self._sets.names(use.results)))
                live = live & ~use.writes | use.reads
        return iter(sorted(found, key=itemgetter(0)))

    def overwriting(self, pc: int, cells: Cells) -> list[int]:
        """Return the first words after a word that overwrite some of its results."""
        found, seen, todo = set(), {pc}, [pc]
        while todo:
            for edge in self._graph.next(todo.pop()):
                effect = self._effects.get(edge.to)
                if effect is None or edge.to in seen:
                    continue
                seen.add(edge.to)
                if cells & (effect.writes | self._stored(effect)):
                    found.add(edge.to)
                else:
                    todo.append(edge.to)
        return sorted(found)

    def _lasts(self, effect: Effects) -> bool:
        """Whether a word stores to an unknown address, or only a part of a row."""
        return effect.store is not None and (bool(effect.store.register) or not effect.whole)

    def _stored(self, effect: Effects) -> Cells:
        """Return the rows that a word writes completely, as far as they are known."""
        if effect.store is None or self._lasts(effect):
            return frozenset()
        return frozenset(_row(name, effect.store) for name in self._memories(effect.store.space))

    def _read(self, effect: Effects) -> Cells:
        found = set(effect.reads)
        for row in effect.rows:
            for name in row.space.split(":"):
                found |= self._rows.get(name, set()) if row.register else {_row(name, row)}
        for bank in effect.tables:
            found |= self._rows.get(bank, set())
        return frozenset(found)

    def _live(self) -> dict[range, int]:
        """Return, by block of reached words, what can still be read after it."""
        graph, reached = self._graph, self._reached
        blocks = {last: range(first, last + 1) for first, last in self._blocks()}
        before: dict[int, list[int]] = {last: [] for last in blocks}  # blocks from which control comes, by last words
        for last in blocks:
            for edge in graph.next(last):
                if edge.to in reached:
                    before[graph.last(edge.to)].append(last)
        through = {last: self._through(block) for last, block in blocks.items()}
        after = dict.fromkeys(blocks, 0)
        done: dict[int, int] = {}
        todo = list(blocks)
        while todo:
            last = todo.pop()
            kept, read = through[last]
            here = after[last] & kept | read
            if done.get(last) == here:
                continue
            done[last] = here
            for other in before[last]:
                if here & ~after[other]:
                    after[other] |= here
                    todo.append(other)
        return {block: after[last] for last, block in blocks.items()}

    def _blocks(self) -> Iterator[tuple[int, int]]:
        """Yield first and last word of each block of which words are reached."""
        return ((first, last) for first, last in self._graph.blocks.items() if first in self._reached)

    def _through(self, block: range) -> tuple[int, int]:
        """Return what of all that is read after a block counts before it, and what the block reads itself."""
        kept, read = ~0, 0
        for pc in reversed(block):
            use = self._uses[id(self._effects[pc])]
            if pc in self._leaving:
                kept, read = 0, self._all
            kept, read = kept & ~use.writes, read & ~use.writes | use.reads
        return kept, read

    @cached_property
    def _leaving(self) -> frozenset[int]:
        """The words from which control leaves the known ones, so that everything is read: to the host, another routine,
        or out of the program."""
        words = self._graph.words
        ends = (last for last in self._graph.blocks.values() if not self._graph.next(last))
        return frozenset(ends) | {pc for pc in self._reached if words[pc].does in _LEAVING}
