"""Weights of what the generator chooses, and the directed modes: each is a few factors on them.

Weights are a plain mapping from a name to a number; what is absent has none. Names:

    mode:NAME           a directed mode
    insn:MNEMONIC       an instruction; block:NAME, does:FUNCTION and kind:NAME all those with that block or function on
                        their path, or that kind of operand
    source:NAME         a register as a source, `row` for a memory row; near: one of the last registers written
    destination:NAME    a register, `row`, `both` or `none`
    pattern:SUFFIX      how a slot is addressed, `row` for a fixed row; space:NAME what it reads or writes
    move:RECORD         what a parallel move does
    shape:NAME          the structures: plain instructions, loops, branches, calls
    trap:NAME           the trap that a program of mode traps ends in
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from lutra.isa import Isa
from lutra.random.forms import WeightsError, tags

Weights = Mapping[str, float]

# Structures of a program, with what each is.
SHAPES = {
    "plain": (24.0, "one instruction without a transfer"),
    "repeat": (1.4, "a loop of the loop stack with a number as its count"),
    "repeat_ar": (0.5, "the same with an address register, which may be zero"),
    "counted": (0.6, "a loop closed by a branch on a counter"),
    "branch": (1.2, "a branch or jump forward, around some instructions"),
    "call": (1.0, "a call of a subroutine"),
    "derived": (0.6, "an address out of a vector lane, brought into range"),
    "pair": (2.0, "a write and another access of its cell, at a distance around the critical one"),
}


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
    "pairs": Mode("pairs of registers and parallel moves", {"kind:dst_pair": 8, "kind:move": 6, "near": 1.5}),
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


def structured(isa: Isa) -> dict[str, float]:
    """The default weights without the programs that may go on for ever."""
    return defaults(isa) | {f"mode:{name}": 0.0 for name in MODES if name not in STRUCTURED}


def defaults(isa: Isa) -> dict[str, float]:
    """Every weight there is."""
    found = {f"mode:{name}": 1.0 for name in MODES} | {"mode:words": 0.5}
    for insn in isa.instructions:
        found |= dict.fromkeys(tags(insn), 1.0)
    # Address registers drift out of range; every wait costs the host a resume.
    found |= {"does:AuSet": 3.0, "does:SqWait": 0.2}
    for vector in isa.vectors:
        if vector.source:
            found[f"source:{vector.name or 'row'}"] = 1.0
        if vector.destination and vector.name:
            found[f"destination:{vector.name}"] = 1.0
    found |= {"source:row": 3.0, "destination:row": 3.0, "destination:both": 2.0, "destination:none": 0.01}
    found |= {"near": 0.4, "row": 0.5, "whitening": 0.3}
    found |= {f"pattern:{p.suffix}": 1.0 for p in isa.patterns} | {"pattern:row": 4.0}
    found |= {f"space:{s.name}": 1.0 if s.blocks else 0.3 for s in isa.spaces if not s.is_program}
    found |= {f"move:{m.record}": 1.0 for m in isa.moves}
    found |= {f"shape:{name}": weight for name, (weight, _) in SHAPES.items()}
    found |= {f"trap:{t.name}": 1.0 for t in isa.traps}
    return found


def weights_of(mode: Mode, weights: Weights) -> dict[str, float]:
    """The weights with a mode's factors."""
    found = dict(weights)
    for pattern, factor in mode.factors.items():
        for name in found:
            if fnmatchcase(name, pattern):
                found[name] *= factor
    return found


def mode_of(seed: int, weights: Weights) -> str:
    """The mode of a seed: neighbouring seeds are spread evenly over the modes, by their weights."""
    total = sum(weights[f"mode:{name}"] for name in MODES)
    # Multiples of the golden section fill [0, 1) evenly (Weyl).
    point = (seed * 0.6180339887498949) % 1.0 * total
    for name in MODES:
        point -= weights[f"mode:{name}"]
        if point < 0:
            return name
    raise WeightsError("every mode has the weight 0")
