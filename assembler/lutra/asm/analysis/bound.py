"""How fast instructions could be at best: in any order and with any registers, but with the results they have.

Two things bound it. An instruction issues in each cycle, at most. And who needs a result issues as long after it as the
hazards say, so the longest chain of results takes its time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lutra.asm.analysis.dependences import VECTORS, cells
from lutra.asm.analysis.interlock import touched
from lutra.isa import load

# An access: the memory block, and the address of the first byte.
Row = tuple[str, int]


@lru_cache(maxsize=1 << 14)
def _gaps(first: int, second: int, cell: str, rounds: int) -> int:
    """The least number of cycles from a word that sets a cell to one that uses it."""
    isa = load()
    reads = {
        (hazard, resource, number)
        for hazard, resource, number in touched(second).reads
        if isa.resource_by_record[resource].cells[number] == cell or resource != VECTORS
    }
    return max([1, *(gap[rounds - 1] for place, gap in touched(first).writes if place in reads)])


class Chain:
    """The longest chain of results among words that run one after another."""

    def __init__(self, rounds: int = 2) -> None:
        self._rounds = rounds
        self._set: dict[str | tuple[str, int], tuple[int, int]] = {}  # the word that set a cell or row, and when
        self.length = 0
        self.count = 0

    def add(self, word: int, rows: Iterable[Row] = (), store: Row | None = None) -> int:
        """Add the next word; rows, store: where it accesses memories. Return when it can issue."""
        used, at = cells(word), 0
        for cell in used.reads:
            known = self._set.get(cell)
            if known is not None:
                at = max(at, known[1] + _gaps(known[0], word, cell, self._rounds))
        size = load().machine["VectorBytes"]
        for block, address in rows:
            for row in {address // size, (address + size - 1) // size}:
                known = self._set.get((block, row))
                if known is not None:
                    at = max(at, known[1] + _gaps(known[0], word, block, self._rounds))
        for cell in used.writes:
            self._set[cell] = word, at
        if store is not None:
            for row in {store[1] // size, (store[1] + size - 1) // size}:
                self._set[store[0], row] = word, at
        self.count += 1
        self.length = max(self.length, at + 1)
        return at


@dataclass(frozen=True)
class Use:
    """How many of a loop's instructions use a unit."""

    unit: str
    instructions: int


@dataclass(frozen=True)
class Best:
    """The bound of a loop's pass. chain: cycles that a pass adds to the longest chain, through these addresses."""

    instructions: int
    chain: int
    through: tuple[int, ...]
    uses: tuple[Use, ...]

    @property
    def cycles(self) -> int:
        """Cycles per pass below which no order is possible."""
        return max(self.instructions, self.chain)


# Passes of a loop after which its chain grows by the same in each.
_SETTLED, _MEASURED = 4, 4


def of_loop(words: Sequence[int], first: int, rounds: int = 2) -> Best:
    """Return the bound of a loop's body without transfers, from its words and the address of the first.

    Rows are taken as different wherever the words do not say that they are the same.
    """
    grown = -(-_growth(words, rounds) // _MEASURED)
    through = _needed(words, rounds) if grown > 1 else ()
    return Best(len(words), grown, tuple(first + i for i in through), tuple(_uses(words)))


def _fixed(word: int) -> tuple[list[Row], Row | None]:
    found = cells(word)
    rows = [(block, r.address) for r in found.rows if not r.register for block in r.space.split(":")]
    store = found.store
    return rows, (store.space, store.address) if store is not None and not store.register else None


def _needed(words: Sequence[int], rounds: int) -> tuple[int, ...]:
    """Return which words the chain goes through: without one of these it is shorter."""
    full = _growth(words, rounds)
    rest = ([*words[:i], *words[i + 1 :]] for i in range(len(words)))
    return tuple(i for i, others in enumerate(rest) if _growth(others, rounds) < full)


def _growth(words: Sequence[int], rounds: int) -> int:
    """Cycles that some passes add to the longest chain, after the first ones."""
    chain, at = Chain(rounds), []
    for _ in range(_SETTLED + _MEASURED):
        for word in words:
            chain.add(word, *_fixed(word))
        at.append(chain.length)
    return at[-1] - at[_SETTLED - 1]


def _uses(words: Sequence[int]) -> Iterator[Use]:
    """The blocks of the datapath and the memories that a loop's instructions use, the busiest first."""
    isa = load()
    counts: dict[str, int] = {}
    for word in words:
        insn = isa.decode(word)
        units = [step.block for step in insn.path] if insn is not None else []
        found = cells(word)
        units += [block for row in found.rows for block in row.space.split(":")]
        units += [found.store.space] if found.store is not None else []
        for unit in dict.fromkeys(units):
            counts[unit] = counts.get(unit, 0) + 1
    yield from (Use(unit, n) for unit, n in sorted(counts.items(), key=lambda item: (-item[1], item[0])))
