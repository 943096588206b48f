"""The order of the words of `.interleave`: those of all streams in turn, as far as each may pass the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lutra.asm.analysis.dependences import Cells, meet, ordered


@dataclass(frozen=True)
class Member:
    """A word of a stream. sets, uses: the values that it sets and uses, by number."""

    stream: int
    cells: Cells
    sets: frozenset[int]
    uses: frozenset[int]

    def waits_for(self, other: Member, ignore: frozenset[str]) -> bool:
        """Whether it must stay after a word of an earlier stream; ignore: names whose values are compared."""
        if ordered(other.cells, self.cells, ignore):
            return True
        if other.sets & (self.sets | self.uses) or other.uses & self.sets:
            return True
        stores = [(other.cells.store, [*self.cells.rows, self.cells.store])]
        stores.append((self.cells.store, [*other.cells.rows]))
        return any(store and row and meet(store, row, None) for store, rows in stores for row in rows)


def merged(members: Sequence[Member], ignore: frozenset[str]) -> list[int]:
    """Return the words in their new order, by number. The words of each stream keep theirs."""
    streams: dict[int, list[int]] = {}
    for number, member in enumerate(members):
        streams.setdefault(member.stream, []).append(number)
    at = dict.fromkeys(streams, 0)
    out: list[int] = []
    while len(out) < len(members):
        behind = sorted((stream for stream in streams if at[stream] < len(streams[stream])), key=lambda s: (at[s], s))
        for stream in behind:
            member = members[streams[stream][at[stream]]]
            before = (n for other, words in streams.items() if other < stream for n in words[at[other] :])
            if not any(member.waits_for(members[n], ignore) for n in before):
                out.append(streams[stream][at[stream]])
                at[stream] += 1
                break
    return out
