"""Report of a campaign, for programs and for people."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

from power_loss.runner import Result
from power_loss.scenarios import SCENARIOS


def total(results: Iterable[Result], name: str) -> int:
    """The number of cuts of one kind: `single` or `double`."""
    return sum(sum(getattr(result, name).values()) for result in results)


def summary(results: Sequence[Result]) -> str:
    """The results in one line."""
    failures = sum(len(result.failures) for result in results)
    lives = sum(result.lives for result in results)
    counts = f"{total(results, 'single'):,} single and {total(results, 'double'):,} double cuts"
    return f"power-loss: {counts}, {lives:,} processes, {failures or 'no'} failure{'' if failures == 1 else 's'}"


def as_json(results: Iterable[Result]) -> str:
    return json.dumps([asdict(result) for result in results], indent=1) + "\n"


def as_page(results: Sequence[Result]) -> str:
    """Counts by scenario, and by the access that was cut and what it left."""
    out = f"# Power loss\n\n{summary(results).removeprefix('power-loss: ')}\n\n"
    out += "| scenario | | single | double | booted after the first cut |\n" + "| --- " * 5 + "|\n"
    for result in results:
        outcomes = ", ".join(f"{name} {count:,}" for name, count in sorted(result.outcomes.items()))
        singles, doubles = (total([result], name) for name in ("single", "double"))
        out += f"| {result.scenario} | {SCENARIOS[result.scenario].text} | {singles:,} | {doubles:,} | {outcomes} |\n"
    for name, of in (("single", "Single cuts"), ("double", "Second cuts")):
        out += (
            f"\n## {of}\n\n| scenario | what was cut | "
            + " | ".join(TEARS)
            + " |\n"
            + "| --- " * (2 + len(TEARS))
            + "|\n"
        )
        for result in results:
            for what, counts in _by_access(getattr(result, name)).items():
                row = " | ".join(f"{counts[tear]:,}" if tear in counts else "" for tear in TEARS)
                out += f"| {result.scenario} | {what} | {row} |\n"
    for result in results:
        out += "".join(f"\n- {result.scenario}:{place}: {what}" for place, what in result.failures)
    return out


TEARS = ("old", "bits", "random", "unit", "subset")


def _by_access(counts: Mapping[str, int]) -> dict[str, Counter[str]]:
    """Counts by the access that was cut, then by what it left."""
    table: dict[str, Counter[str]] = {}
    for key, count in counts.items():
        what, _, tear = key.rpartition(", ")
        table.setdefault(what, Counter())[tear] += count
    return table
