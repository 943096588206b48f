"""Simulator and core in lock-step: the engine `cosim`, and campaigns of random programs on it, shrinking, reports."""

from lutra.cosim.campaign import Failed, Result, Work, work
from lutra.cosim.engine import CosimEngine, Divergence
from lutra.cosim.runner import Failure, run
from lutra.engine import register

__all__ = ["CosimEngine", "Divergence", "Failed", "Failure", "Result", "Work", "run", "work"]

register("cosim", CosimEngine)
