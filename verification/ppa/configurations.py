"""The cores that are measured, and the recipes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from isagen import configuration as isa
from ppa.synthesis import Recipe

# What silicon would have: two counters, and no reset where data is (docs/decisions/0037).
SILICON = {"PERF_STALLS": 0, "RESET_DATA": 0}


@dataclass(frozen=True)
class Configuration:
    """A core. core: what it is generated for, a name of isa/configurations/ or a file."""

    name: str
    what: str
    rounds: int
    contexts: int
    extensions: Sequence[str]
    core: str = isa.DEFAULT

    @property
    def parameters(self) -> Mapping[str, int]:
        """Of the core's top module."""
        return {"ROUNDS_PER_INSTR": self.rounds, "STREAM_CONTEXTS": self.contexts} | SILICON


# The functions that the paper's figure is of, at two rounds.
FIVE_CIPHERS = Path(__file__).parent / "five-ciphers.toml"


def _of_file(place: Path, core: str) -> Configuration:
    file = isa.read(place)
    return Configuration(place.stem, file.text, max(file.rounds), file.contexts, file.extensions, core)


CONFIGURATIONS = {
    c.name: c
    for c in (
        *(
            Configuration(name, what, rounds, contexts, isa.read(isa.find(isa.DEFAULT)).extensions)
            for name, what, rounds, contexts in (
                ("full", "two rounds, two contexts", 2, 2),
                ("one-round", "one round, two contexts", 1, 2),
                ("one-context", "two rounds, one context", 2, 1),
                ("smallest", "one round, one context", 1, 1),
            )
        ),
        *(_of_file(place, name) for name, place in isa.ready().items() if name != isa.DEFAULT),
        _of_file(FIVE_CIPHERS, str(FIVE_CIPHERS)),
    )
}
DEFAULT = "full"

# A run's result changes by some percent with any change of the code; the best of several is steadier.
PORTFOLIO = (
    Recipe("mix"),
    Recipe("mix", rest="paced"),
    Recipe("plain"),
    Recipe("balanced"),
    Recipe("area", adder=""),
)
# Gates by module: nothing is optimised across modules.
KEPT = Recipe("area", adder="", keep=True)
