"""Simulator and core in lock-step: the engine `cosim`, and campaigns of random programs on it, shrinking, reports."""

from pkgutil import extend_path

# In a checkout the compiled module is built outside the source tree.
__path__ = extend_path(__path__, __name__)

from lutra.cosim.campaign import Failed, Result, Work, work
from lutra.cosim.engine import CosimEngine, Divergence
from lutra.cosim.runner import Failure, run
from lutra.iss.engine import register

__all__ = ["CosimEngine", "Divergence", "Failed", "Failure", "Result", "Work", "run", "work"]

register("cosim", CosimEngine)
