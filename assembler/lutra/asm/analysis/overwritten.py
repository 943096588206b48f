"""Find unused results: registers and rows that are overwritten on every path before they are read.

The host may read everything when the program halts, waits or notifies it, and the caller may read everything when a
routine returns.
"""

from __future__ import annotations

from collections.abc import Iterator

from lutra.asm.analysis.decoded import CALL, NOTIFY, WAIT
from lutra.asm.analysis.graph import Graph
from lutra.asm.analysis.uses import Access, Effects, effects
from lutra.isa import load

Cells = frozenset[str]


def _row(name: str, access: Access) -> str:
    """A row with a fixed address, as assembly writes it."""
    return f"{name}[{access.address:#x}]" if access.address else f"{name}[0]"


class Overwritten:
    """Finds unused results among the words at some addresses."""

    def __init__(self, graph: Graph, reached: set[int]) -> None:
        self._graph = graph
        self._reached = reached
        self._effects = {pc: effects(graph.program[pc]) for pc in reached}
        self._spaces = {space.name: space for space in load().spaces}
        self._rows = self._fixed_rows()
        self._all: Cells = frozenset().union(
            *(e.reads | e.writes for e in self._effects.values()), *(cells for cells in self._rows.values())
        )

    def _fixed_rows(self) -> dict[str, set[str]]:
        """Return, by memory or table, the rows that are stored to at fixed addresses."""
        found: dict[str, set[str]] = {}
        for effect in self._effects.values():
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
        after = self._live()
        for pc in sorted(self._reached):
            effect = self._effects[pc]
            results = (effect.writes - effect.moved) | self._stored(effect)
            alone = not (effect.transfer or effect.contexts or effect.moved or self._lasts(effect))
            if results and alone and not results & after[pc]:
                yield pc, results

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

    def _live(self) -> dict[int, Cells]:
        """Return, by address, what can still be read after the word there."""
        graph = self._graph
        live: dict[int, Cells] = {}
        after: dict[int, Cells] = {pc: self._at_end(pc) for pc in self._reached}
        todo = sorted(self._reached)
        while todo:
            pc = todo.pop()
            effect = self._effects[pc]
            here = (after[pc] - effect.writes - self._stored(effect)) | self._read(effect)
            if live.get(pc) == here:
                continue
            live[pc] = here
            for before, _ in graph.before.get(pc, ()):
                if before in self._reached and not here <= after[before]:
                    after[before] |= here
                    todo.append(before)
        return after

    def _at_end(self, pc: int) -> Cells:
        """Return everything if control leaves the known words: to the host, another routine, or out of the program."""
        word = self._graph.words.get(pc)
        leaves = word is None or word.does in (CALL, WAIT, NOTIFY) or not self._graph.next(pc)
        return self._all if leaves else frozenset()
