"""Directed modes: each is a few factors on the weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from lutra.isa import Isa
from lutra.random.pickers import WeightsError
from lutra.random.shapes import SHAPES
from lutra.random.weights import Weights, of_isa, tuned


@dataclass(frozen=True)
class Mode:
    """Factors on weights by shell pattern, the longest body of a loop, and whether the first start ends in a trap.

    structured: programs end by construction.
    """

    text: str
    factors: Mapping[str, float] = field(default_factory=dict)
    body: int = 24
    trap: bool = False
    structured: bool = True


MODES = {
    "mixed": Mode("everything"),
    "bypass": Mode(
        "few registers, each read soon after it is written",
        {"source:v[3-7]": 0, "destination:v[4-7]": 0, "near": 2, "destination:row": 0.2, "shape:branch": 0.3},
    ),
    "memory": Mode(
        "stores and reads that meet at the memories' ports",
        {"destination:row": 6, "destination:both": 6, "source:row": 6, "row": 3, "pattern:row": 0.5, "space:t*": 0.1},
    ),
    "tables": Mode(
        "table writes close to look-ups",
        {"space:t*": 8, "destination:row": 3, "destination:both": 3, "block:T*": 4, "block:ST": 4},
    ),
    "loops": Mode(
        "short bodies, nested as deep as possible, transfers at their ends",
        {"shape:repeat*": 5, "shape:counted": 3, "shape:plain": 0.5},
        body=5,
    ),
    "windows": Mode(
        "address registers going round in their windows",
        {
            "pattern:*%": 12,
            "pattern:row": 0.1,
            "does:AuSetWindow": 3,
            "does:AuSetStep": 2,
            "source:row": 3,
            "destination:row": 2,
        },
    ),
    "streams": Mode("both contexts of the stream unit", {"block:ST": 12, "space:t*": 2}),
    "pairs": Mode("pairs of registers and moves next to the path", {"kind:dst_pair": 8, "kind:move": 6, "near": 1.5}),
    "calls": Mode(
        "subroutines within subroutines, branches on the flag and on counters",
        {"shape:call": 6, "shape:branch": 5, "does:SetFlag": 4, "shape:counted": 2},
        body=8,
    ),
    "traps": Mode("programs that end in a trap", body=12, trap=True),
    "hazards": Mode("accesses that wait for each other, at every distance", {"shape:pair": 12}),
    "words": Mode("words without structure, from any of them on", {"does:AuSet": 2}, structured=False),
}


# Modes whose programs end by construction.
STRUCTURED = tuple(name for name, mode in MODES.items() if mode.structured)


def defaults(isa: Isa) -> dict[str, float]:
    """Return every weight there is."""
    modes = {f"mode:{name}": 1.0 for name in MODES}
    shapes = {f"shape:{name}": shape.weight for name, shape in SHAPES.items()}
    return modes | of_isa(isa) | shapes | tuned()


def structured(isa: Isa) -> dict[str, float]:
    """Return the default weights without the programs that may go on for ever."""
    return defaults(isa) | {f"mode:{name}": 0.0 for name in MODES if name not in STRUCTURED}


def weights_of(mode: Mode, weights: Weights) -> dict[str, float]:
    """Return the weights with a mode's factors."""
    found = dict(weights)
    for pattern, factor in mode.factors.items():
        for name in found:
            if fnmatchcase(name, pattern):
                found[name] *= factor
    return found


def mode_of(seed: int, weights: Weights) -> str:
    """Return the mode of a seed: neighbouring seeds are spread evenly over the modes, by their weights."""
    total = sum(weights[f"mode:{name}"] for name in MODES)
    # Multiples of the golden section fill [0, 1) evenly (Weyl).
    point = (seed * 0.6180339887498949) % 1.0 * total
    for name in MODES:
        point -= weights[f"mode:{name}"]
        if point < 0:
            return name
    raise WeightsError("every mode has the weight 0")
