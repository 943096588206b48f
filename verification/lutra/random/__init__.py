"""Random verification programs, made from the ISA tables alone; they end by construction."""

from lutra.random.forms import WeightsError
from lutra.random.modes import MODES, defaults
from lutra.random.programs import RETIRED, Generator, Program, Target

__all__ = ["MODES", "RETIRED", "Generator", "Program", "Target", "WeightsError", "defaults"]
