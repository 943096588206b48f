"""The costs of a program as numbers of cycles that add up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lutra.isa import load
from lutra.profile.collector import Cell


@dataclass(frozen=True)
class Cost:
    """Cycles: of instructions that issued, of stalls by cause, and of fetching first and emptying the pipeline."""

    issued: int = 0
    edges: int = 0
    stalls: tuple[int, ...] = ()

    @classmethod
    def of(cls, cells: Iterable[Cell]) -> Cost:
        """The sum of what instructions took."""
        issued = edges = 0
        stalls = [0] * len(load().stalls)
        for cell in cells:
            issued += cell.count
            edges += cell.edges
            for cause, cycles in enumerate(cell.stalls):
                stalls[cause] += cycles
        return cls(issued, edges, tuple(stalls))

    @property
    def stalled(self) -> int:
        """Cycles of all stalls."""
        return sum(self.stalls)

    @property
    def cycles(self) -> int:
        """All cycles."""
        return self.issued + self.edges + self.stalled

    @property
    def by_cause(self) -> Mapping[str, int]:
        """Cycles of the causes that there were, the largest first."""
        found = zip((stall.name for stall in load().stalls), self.stalls, strict=False)
        return dict(sorted(((name, n) for name, n in found if n), key=lambda row: -row[1]))

    def document(self) -> dict[str, Any]:
        """The same as what JSON can hold."""
        return {"cycles": self.cycles, "issued": self.issued, "edges": self.edges, "stalls": dict(self.by_cause)}
