"""Random verification programs, made from the ISA tables alone; they end by construction."""

from lutra.random.generator import Generator
from lutra.random.modes import MODES, STRUCTURED, defaults, structured
from lutra.random.pickers import WeightsError
from lutra.random.program import Program, Start, Target
from lutra.random.weights import RETIRED

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
