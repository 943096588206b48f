"""Random programs aimed at bins of the plan: what a bin is about is as it must be, all else is random.

Each coverpoint of `isagen.coverage` has a class here, with the same name.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from lutra.coverage.aimed import flow, hazards, instructions, memory, state
from lutra.coverage.aimed.pieces import CONSTANT_SPACE, CONSTANTS, Aim, Code, Pieces
from lutra.coverage.words import NoSuchWordError
from lutra.isa import load
from lutra.iss.fault import Fault

__all__ = ["AIMS", "CONSTANT_SPACE", "AimedPrograms", "constants"]

# Programs drawn for a bin before it is given up.
ATTEMPTS = 20
# A program that does not end by itself runs into so many halts.
HALTS = 4

# The classes of the modules, by coverpoint.
AIMS: dict[str, type[Aim]] = {
    aim.point: aim
    for module in (flow, hazards, instructions, memory, state)
    for aim in vars(module).values()
    if isinstance(aim, type) and issubclass(aim, Aim) and aim is not Aim
}


def constants() -> bytes:
    """Return the first rows of the memory of constants."""
    return b"".join(CONSTANTS.values())


class Aimed(NamedTuple):
    """A program, and the faults that are injected into it."""

    code: Code
    faults: Sequence[Fault]


class AimedPrograms:
    """Makes programs for a core with ROUNDS_PER_INSTR = rounds."""

    def __init__(self, rng: random.Random, rounds: int) -> None:
        self.rng = rng
        self.pieces = Pieces(load(), rng, rounds)
        self._aims = {point: aim(self.pieces) for point, aim in AIMS.items()}

    def program(self, point: str, label: str) -> Aimed | None:
        """Return a program for a bin of a coverpoint; None where no legal program was found."""
        aim, labels = self._aims[point], label.split("/")
        for _ in range(ATTEMPTS):
            try:
                code = aim.code(labels)
            except NoSuchWordError:
                continue  # what was drawn does not fit together
            return Aimed([*code, *[self.pieces.halt] * HALTS], aim.faults(labels, code))
        return None
