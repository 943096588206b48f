"""The plan compared with counts: percentages, holes, exclusions."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib import resources

from lutra.coverage.counts import ROUNDS, Counts, CoverageError
from lutra.coverage.plan import plan


@dataclass(frozen=True)
class Hole:
    """A bin that nothing has hit."""

    rounds: int
    point: str
    bin: str

    def __str__(self) -> str:
        return f"{self.point}:{self.bin}"

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(self.bin.split("/"))


@dataclass(frozen=True)
class Exclusion:
    """Bins that need not be hit. pattern: `coverpoint:bin` with wildcards; rounds: where it holds."""

    pattern: str
    rounds: tuple[int, ...]
    reason: str

    def matches(self, rounds: int, name: str) -> bool:
        return rounds in self.rounds and fnmatchcase(name, self.pattern)


@dataclass(frozen=True)
class PointReport:
    """A coverpoint with one ROUNDS_PER_INSTR: bins of the plan, those excluded, those of the rest that were hit."""

    rounds: int
    name: str
    bins: int
    excluded: int
    hit: int
    count: int

    @property
    def percent(self) -> float:
        return percent(self.hit, self.bins - self.excluded)


@dataclass(frozen=True)
class CoverageReport:
    """The whole plan. exclusions: with the number of bins that each takes out."""

    points: tuple[PointReport, ...]
    holes: tuple[Hole, ...]
    exclusions: tuple[tuple[Exclusion, int], ...]

    @property
    def bins(self) -> int:
        return sum(p.bins for p in self.points)

    @property
    def excluded(self) -> int:
        return sum(p.excluded for p in self.points)

    @property
    def hit(self) -> int:
        return sum(p.hit for p in self.points)

    @property
    def percent(self) -> float:
        """Percent of the bins that are not excluded."""
        return percent(self.hit, self.bins - self.excluded)


def percent(part: int, whole: int) -> float:
    """Percent with two decimals, rounded down: 100 means all."""
    return 100.0 if whole == 0 else part * 10000 // whole / 100


@lru_cache(maxsize=1)
def exclusions() -> tuple[Exclusion, ...]:
    """The project's list of exclusions."""
    raw = tomllib.loads(resources.files("lutra.coverage").joinpath("exclusions.toml").read_text(encoding="utf-8"))
    return tuple(Exclusion(e["bins"], tuple(e.get("rounds", ROUNDS)), e["reason"]) for e in raw.get("exclude", []))


def report(
    counts: Counts, rounds: Sequence[int] = ROUNDS, excluded: Sequence[Exclusion] | None = None
) -> CoverageReport:
    """Compare counts with the plan, for the given ROUNDS_PER_INSTR.

    CoverageError for an exclusion that takes nothing out, or whose bin was hit.
    """
    rules = exclusions() if excluded is None else excluded
    used = dict.fromkeys(rules, 0)
    points: list[PointReport] = []
    holes: list[Hole] = []
    for r in rounds:
        for name, bins in plan().bins(r).items():
            hit = counts.rounds[r].get(name, Counter[str]())
            out = 0
            for label in sorted(bins):
                full = f"{name}:{label}"
                rule = next((e for e in rules if e.matches(r, full)), None)
                if rule is None:
                    if label not in hit:
                        holes.append(Hole(r, name, label))
                    continue
                if label in hit:
                    raise CoverageError(
                        f"bin {full} (ROUNDS_PER_INSTR {r}) is excluded as {rule.pattern!r} and was hit: "
                        "take the exclusion back"
                    )
                used[rule] += 1
                out += 1
            open_holes = sum(1 for h in holes if h.rounds == r and h.point == name)
            points.append(PointReport(r, name, len(bins), out, len(bins) - out - open_holes, sum(hit.values())))
    for rule, taken in used.items():
        if not taken and set(rule.rounds) & set(rounds):
            raise CoverageError(f"exclusion {rule.pattern!r} matches no bin of the plan: remove or correct it")
    return CoverageReport(tuple(points), tuple(holes), tuple(used.items()))
