"""Counts of bins by name, and the files that keep them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from lutra.asm.files import read_json
from lutra.coverage.plan import plan

FORMAT = "lutra functional coverage 1"
ROUNDS = (1, 2)


class CoverageError(Exception):
    """A defect of a file of counts, or of the counts, in one line."""


def _empty() -> dict[int, dict[str, Counter[str]]]:
    return {rounds: {} for rounds in ROUNDS}


@dataclass
class Counts:
    """How often each bin was hit: by ROUNDS_PER_INSTR, coverpoint and bin."""

    rounds: dict[int, dict[str, Counter[str]]] = field(default_factory=_empty)

    def add_places(self, rounds: int, places: Mapping[int, int]) -> None:
        """Add what a collector has counted, by place in its table."""
        for place, count in places.items():
            point, index = plan().place(place)
            self.rounds[rounds].setdefault(point.name, Counter())[point.label(index)] += count

    def add(self, other: Counts) -> None:
        """Add the counts of another run."""
        for rounds, points in other.rounds.items():
            for point, bins in points.items():
                self.rounds[rounds].setdefault(point, Counter()).update(bins)

    def unexpected(self) -> list[str]:
        """Bins that were hit though the plan calls them impossible or does not know them."""
        return [
            f"{point}:{name} (ROUNDS_PER_INSTR {rounds})"
            for rounds, points in self.rounds.items()
            for point, bins in points.items()
            for name in sorted(bins.keys() - plan().bins(rounds).get(point, frozenset()))
        ]


def write(file: BinaryIO, counts: Counts) -> None:
    """Write counts as JSON."""
    rounds = {
        str(r): {point: dict(sorted(bins.items())) for point, bins in sorted(points.items())}
        for r, points in counts.rounds.items()
    }
    file.write((json.dumps({"format": FORMAT, "rounds": rounds}, indent=1) + "\n").encode())


def read(paths: Iterable[Path]) -> Counts:
    """The sum of files of counts. CoverageError if one has no counts or belongs to another instruction set."""
    total = Counts()
    for path in paths:
        total.add(_read(path))
    return total


def _read(path: Path) -> Counts:
    try:
        raw = read_json(path, "a file of functional coverage")
        if raw["format"] != FORMAT:
            raise KeyError("format")
        counts = Counts({r: {p: Counter(b) for p, b in raw["rounds"][str(r)].items()} for r in ROUNDS})
    except OSError as error:
        raise CoverageError(f"{path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CoverageError(f"{path}: not a file of functional coverage; make one with --coverage") from error
    stray = counts.unexpected()
    if stray:
        raise CoverageError(
            f"{path}: {stray[0]} is not a possible bin; the file was made with another instruction set, "
            "or plan and collector disagree: collect it anew"
        )
    return counts
