"""Random verification programs, made from the ISA tables alone; they end by construction."""

from lutra.random.forms import WeightsError
from lutra.random.modes import MODES, STRUCTURED, defaults, structured
from lutra.random.programs import RETIRED, Generator, Program, Start, Target

__all__ = [
    "MODES",
    "RETIRED",
    "STRUCTURED",
    "Generator",
    "Program",
    "Start",
    "Target",
    "WeightsError",
    "defaults",
    "structured",
]
