"""The coverpoints and their bins, from the generated `coverage.json` next to the ISA's tables."""

from __future__ import annotations

import json
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property, lru_cache

from lutra.isa import generated


@dataclass(frozen=True)
class Coverpoint:
    """A coverpoint. offset: of its counters in the collector's table; bins: the possible ones, by rounds."""

    name: str
    text: str
    dimensions: tuple[tuple[str, tuple[str, ...]], ...]
    offset: int
    bins: dict[int, tuple[int, ...]]

    @property
    def size(self) -> int:
        """Counters, those of impossible bins included."""
        size = 1
        for _, labels in self.dimensions:
            size *= len(labels)
        return size

    def label(self, index: int) -> str:
        """Name of a bin within its coverpoint, as `AESENC2/key/row`."""
        parts = []
        for _, labels in reversed(self.dimensions):
            index, at = divmod(index, len(labels))
            parts.append(labels[at])
        return "/".join(reversed(parts))


@dataclass(frozen=True, eq=False)
class Plan:
    """All coverpoints, in the order of the collector's table."""

    points: tuple[Coverpoint, ...]

    @cached_property
    def _offsets(self) -> list[int]:
        return [p.offset for p in self.points]

    @cached_property
    def by_name(self) -> dict[str, Coverpoint]:
        return {p.name: p for p in self.points}

    def place(self, place: int) -> tuple[Coverpoint, int]:
        """Coverpoint and bin of a place in the collector's table."""
        point = self.points[bisect_right(self._offsets, place) - 1]
        return point, place - point.offset

    @lru_cache(maxsize=4)  # noqa: B019 - there is one plan in a process
    def bins(self, rounds: int) -> dict[str, frozenset[str]]:
        """Names of the possible bins by coverpoint, with ROUNDS_PER_INSTR = rounds."""
        return {p.name: frozenset(map(p.label, p.bins[rounds])) for p in self.points}


@lru_cache(maxsize=1)
def plan() -> Plan:
    """The plan of this installation's instruction set."""
    raw = json.loads(generated("coverage.json").read_text(encoding="utf-8"))
    points: list[Coverpoint] = []
    offset = 0
    for row in raw["points"]:
        dimensions = tuple((d["name"], tuple(d["labels"])) for d in row["dimensions"])
        bins = {int(rounds): tuple(places) for rounds, places in row["bins"].items()}
        points.append(Coverpoint(row["name"], row["text"], dimensions, offset, bins))
        offset += points[-1].size
    return Plan(tuple(points))
