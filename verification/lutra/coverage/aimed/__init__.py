"""Random programs aimed at bins of the plan: what a bin is about is as it must be, all else is random.

Each coverpoint of `isagen.coverage` has a class here, with the same name.
"""

from __future__ import annotations

import random

from lutra.coverage.aimed import flow, hazards, instructions, memory, state
from lutra.coverage.aimed.pieces import CONSTANT_SPACE, CONSTANTS, Aim, Code, Pieces
from lutra.coverage.words import NoSuchWordError
from lutra.isa import load

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


class AimedPrograms:
    """Makes programs for a core with ROUNDS_PER_INSTR = rounds."""

    def __init__(self, rng: random.Random, rounds: int) -> None:
        self.rng = rng
        self.pieces = Pieces(load(), rng, rounds)
        self._aims = {point: aim(self.pieces) for point, aim in AIMS.items()}

    def program(self, point: str, label: str) -> Code | None:
        """Return a program for a bin of a coverpoint; None where no legal program was found."""
        for _ in range(ATTEMPTS):
            try:
                return [*self._aims[point].code(label.split("/")), *[self.pieces.halt] * HALTS]
            except NoSuchWordError:
                continue  # what was drawn does not fit together
        return None
