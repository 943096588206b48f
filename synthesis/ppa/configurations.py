"""The cores that are measured, and the recipes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from isagen import configuration as isa
from isagen.configuration import File
from ppa.synthesis import Recipe

# As in silicon: two counters (docs/decisions/0037).
SILICON = {"PERF_STALLS": 0}


@dataclass(frozen=True)
class Configuration:
    """A core: what it is generated from, and its rounds and contexts."""

    name: str
    what: str
    file: File
    rounds: int
    contexts: int

    @property
    def parameters(self) -> Mapping[str, int]:
        """Parameters of the core's top module."""
        return {"ROUNDS_PER_INSTR": self.rounds, "STREAM_CONTEXTS": self.contexts} | SILICON


def _most(file: File, name: str = "", what: str = "") -> Configuration:
    """The most rounds and contexts of a file."""
    return Configuration(name or file.name, what or file.text, file, max(file.rounds), file.contexts)


# The core that `make build` makes, and the others that lie ready.
FULL, *_READY = (isa.read(isa.find(name)) for name in (isa.DEFAULT, *(n for n in isa.ready() if n != isa.DEFAULT)))
MULTIPLIER = "multiplier"
WITHOUT_MULTIPLIER = replace(FULL, extensions=tuple(name for name in FULL.extensions if name != MULTIPLIER))
PAPER = isa.read(isa.find("cp-asip"))

CONFIGURATIONS = {
    c.name: c
    for c in (
        Configuration("full", "what `make build` makes: two rounds, two contexts", FULL, 2, 2),
        Configuration("one-round", "full with one round", FULL, 1, 2),
        Configuration("one-context", "full with one context", FULL, 2, 1),
        Configuration("smallest", "full with one round and one context", FULL, 1, 1),
        Configuration("full-without-multiplier", "full without the multiplier", WITHOUT_MULTIPLIER, 2, 2),
        Configuration("one-round-without-multiplier", "the same with one round", WITHOUT_MULTIPLIER, 1, 2),
        *map(_most, _READY),
        # The configuration of the paper's throughput per gate.
        _most(replace(PAPER, rounds=(2,)), "five-ciphers", "the functions of cp-asip, with two rounds an instruction"),
    )
}
DEFAULT = FULL.name

# A run's result changes by some percent with any change of the code; the best of several is steadier.
PORTFOLIO = (
    Recipe("mix"),
    Recipe("plain"),
    Recipe("balanced"),
    Recipe("area", adder=""),
)
# Gates by module: nothing but constants goes across modules.
KEPT = Recipe("area", adder="", keep=True)
