"""Report of a campaign, for programs and for people."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from faults.classes import GROUPS, INEFFECTIVE, WRONG, Shard, count

PAIRS = "two flips"


@dataclass
class Summary:
    """Counts of a job: by kind of fault, by instruction, and the effort of the engine.

    tried: faults as a person counts them, a flip of a memory's bit in each cycle of its live interval.
    """

    job: str
    classes: dict[str, Counter[int]] = field(default_factory=dict)
    instructions: dict[str, Counter[int]] = field(default_factory=dict)
    seconds: float = 0.0
    simulated: int = 0

    @property
    def total(self) -> Counter[int]:
        """Return the counts of all kinds."""
        return sum(self.classes.values(), Counter[int]())


def summarize(job: str, shards: Iterable[Shard], names: Sequence[str] = ()) -> Summary:
    """Count what shards found. names: the instruction of each cycle."""
    classes: defaultdict[str, Counter[int]] = defaultdict(Counter)
    instructions: defaultdict[str, Counter[int]] = defaultdict(Counter)
    out = Summary(job)
    for shard in shards:
        out.seconds += shard.head["seconds"]
        out.simulated += shard.head["tried"]
        for tried in shard.tried():
            found = count(tried.classes)
            classes[tried.kind] += Counter({value: tried.weight * n for value, n in found.items()})
            if names and found and tried.kind == "flip":
                instructions[names[tried.cycle]] += found
        if pairs := shard.pairs():
            classes[PAIRS] += pairs
    out.classes, out.instructions = dict(classes), dict(instructions)
    return out


def bound(found: Mapping[int, int]) -> float:
    """Return the share of silent wrong outputs that the whole has at most, with a confidence of 95 %.

    Clopper and Pearson's where there is none among those that were drawn, else Wilson's.
    """
    drawn, silent = sum(found.values()), found.get(WRONG, 0)
    if not silent:
        return float(1 - 0.05 ** (1 / drawn))
    z, part = 1.645, silent / drawn
    middle, half = part + z * z / (2 * drawn), z * math.sqrt(part * (1 - part) / drawn + (z / (2 * drawn)) ** 2)
    return (middle + half) / (1 + z * z / drawn)


def grouped(found: Mapping[int, int]) -> dict[str, int]:
    """Return the counts by the names of a report."""
    return {name: sum(found.get(value, 0) for value in values) for name, values in GROUPS.items()}


def as_json(summaries: Iterable[Summary]) -> list[dict[str, object]]:
    """Return what `--json` prints."""
    return [
        {
            "job": s.job,
            "tried": s.total.total(),
            "simulated": s.simulated,
            "seconds": round(s.seconds, 2),
            "classes": grouped(s.total),
            "kinds": {kind: grouped(found) for kind, found in s.classes.items()},
            "pairs_silent_at_most": bound(s.classes[PAIRS]) if PAIRS in s.classes else None,
            "instructions": {name: grouped(found) for name, found in s.instructions.items()},
        }
        for s in summaries
    ]


def as_page(summaries: Sequence[Summary]) -> str:
    """Return tables by job and by instruction."""
    rows = [[s.job, *_numbers(s.total), f"{s.simulated / s.seconds:,.0f}" if s.seconds else ""] for s in summaries]
    out = _table(["job", "faults", *GROUPS, "per second"], rows)
    for s in summaries:
        kinds = [[kind, *_numbers(found)] for kind, found in s.classes.items()]
        out += f"\n{s.job}, by kind\n\n" + _table(["kind", "faults", *GROUPS], kinds)
        if found := s.classes.get(PAIRS):
            out += f"\nTwo flips: at most {bound(found):.2g} of all pairs are silent wrong outputs (95 %)\n"
        if s.instructions:
            out += f"\n{s.job}, flips by the instruction in ID\n\n" + _instructions(s.instructions)
    return out


def _instructions(found: Mapping[str, Counter[int]]) -> str:
    """Those with the most ineffective faults first."""
    rows = []
    for name, counts in sorted(found.items(), key=lambda item: -_ineffective(item[1])):
        rows.append([name, *_numbers(counts), f"{100 * _ineffective(counts) / counts.total():.1f} %"])
    return _table(["instruction", "faults", *GROUPS, "ineffective"], rows)


def _ineffective(counts: Counter[int]) -> int:
    return sum(counts[value] for value in INEFFECTIVE)


def _numbers(found: Counter[int]) -> list[str]:
    return [f"{n:,}" for n in (found.total(), *grouped(found).values())]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
