"""The sets of parameters that are measured, and the recipes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ppa.synthesis import Recipe


@dataclass(frozen=True)
class Configuration:
    """A core by its parameters."""

    name: str
    what: str
    parameters: Mapping[str, int]


# What silicon would have: two counters, and no reset where data is (docs/decisions/0037).
SILICON = {"PERF_STALLS": 0, "RESET_DATA": 0}
CONFIGURATIONS = {
    c.name: c
    for c in (
        Configuration("full", "two rounds, two contexts", {"ROUNDS_PER_INSTR": 2, "STREAM_CONTEXTS": 2} | SILICON),
        Configuration("one-round", "one round, two contexts", {"ROUNDS_PER_INSTR": 1, "STREAM_CONTEXTS": 2} | SILICON),
        Configuration(
            "one-context", "two rounds, one context", {"ROUNDS_PER_INSTR": 2, "STREAM_CONTEXTS": 1} | SILICON
        ),
        Configuration("smallest", "one round, one context", {"ROUNDS_PER_INSTR": 1, "STREAM_CONTEXTS": 1} | SILICON),
    )
}
DEFAULT = "full"

# A run's result changes by some percent with any change of the code; the best of several is steadier.
PORTFOLIO = (
    Recipe("mix"),
    Recipe("plain"),
    Recipe("balanced"),
    Recipe("area", adder=""),
)
# Gates by module: nothing is optimised across modules.
KEPT = Recipe("area", adder="", keep=True)
