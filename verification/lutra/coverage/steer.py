"""Holes as weights of the random generator: what the holes name is chosen more often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from lutra.coverage.plan import plan
from lutra.coverage.report import Hole
from lutra.isa import load

# What the holes name most is chosen so many times as often.
MOST = 8.0


def _names(dimension: str, label: str) -> list[str]:
    """Weights that a label of a dimension can stand for (`lutra.random.weights`)."""
    isa = load()
    if dimension == "instruction":
        return [f"insn:{i.mnemonic}" for i in isa.instructions if i.name == label]
    if dimension == "addressing":
        return [f"pattern:{'row' if label == 'row' else label.removeprefix('ar')}"]
    if dimension == "move":
        return [f"move:{m.record}" for m in isa.moves if m.name == label.removesuffix("_sum")]
    kinds = {"source": "source", "second": "source", "destination": "destination", "trap": "trap"}
    spaces = ("space", "data", "key", "producer")
    return [f"{'space' if dimension in spaces else kinds.get(dimension, dimension)}:{label}"]


def weights(holes: Iterable[Hole], known: Mapping[str, float]) -> dict[str, float]:
    """The weights `known` with factors from 1 to MOST on those that the holes name."""
    named: Counter[str] = Counter()
    for hole in holes:
        for (dimension, _), label in zip(plan().by_name[hole.point].dimensions, hole.labels, strict=True):
            named.update(name for name in _names(dimension, label) if name in known)
    most = max(named.values(), default=1)
    return {name: weight * (1 + (MOST - 1) * named[name] / most) for name, weight in known.items()}
