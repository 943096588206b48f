"""Classes of faults, and the files that keep the class of each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from faults.errors import FaultsError

# By their value in a class file (engine/results.hpp).
NAMES = {
    1: "no effect",
    2: "no effect, something differs at the end",
    3: "detected by an alert before any output",
    4: "detected by the host before any output",
    5: "detected late",
    6: "silent wrong output",
    7: "hang",
}
# As a report counts them.
GROUPS = {
    "no effect": (1, 2),
    "detected before any output": (3, 4),
    "detected late": (5,),
    "silent wrong output": (6,),
    "hang": (7,),
}
INEFFECTIVE = GROUPS["no effect"]
WRONG = 6


@dataclass(frozen=True)
class Tried:
    """Faults of one kind that were tried together: `flip` of a cycle, `stuck-at-0`, `stuck-at-1`, or `memory` of a read
    by its first bit.

    classes: one byte per site or bit, 0 where it was not tried. weight: faults that each of them stands for.
    """

    kind: str
    cycle: int
    classes: bytes
    weight: int = 1
    place: str = ""


@dataclass(frozen=True)
class Shard:
    """A class file: a line of JSON, then the classes (docs/fault-campaign.md, The class files)."""

    path: Path

    @cached_property
    def _parts(self) -> tuple[dict[str, Any], bytes]:
        with self.path.open("rb") as file:
            try:
                head = json.loads(file.readline())
            except ValueError as error:
                raise FaultsError(f"{self.path} is not a class file; remove it") from error
            return head, file.read()

    def pairs(self) -> Counter[int]:
        """Return how many pairs of flips are of each class."""
        return Counter({value: found for value, found in enumerate(self.head["pairs"]["classes"]) if found})

    @property
    def head(self) -> dict[str, Any]:
        """Return what the engine says of the shard."""
        return self._parts[0]

    def tried(self) -> Iterator[Tried]:
        """Yield the faults in the order of the file."""
        head, classes = self._parts
        sites, at = head["sites"], 0
        groups: list[tuple[str, int, int, int, str]] = []
        if head["flips"]:
            groups += [("flip", cycle, sites, 1, "") for cycle in range(head["first"], head["last"])]
        if head["stuck"]:
            groups += [(kind, 0, sites, 1, "") for kind in ("stuck-at-0", "stuck-at-1")]
        groups += [
            ("memory", cycle, width, cycles, f"{memory}:{row}") for memory, row, cycle, cycles, width in head["reads"]
        ]
        if sum(size for _, _, size, _, _ in groups) != len(classes):
            raise FaultsError(f"{self.path} is not complete; remove it")
        for kind, cycle, size, weight, place in groups:
            yield Tried(kind, cycle, classes[at : at + size], weight, place)
            at += size


def count(classes: bytes) -> Counter[int]:
    """Return how often each class occurs, without what was not tried."""
    return Counter({value: found for value in NAMES if (found := classes.count(value))})
