"""Random programs on simulator and core in lock-step: campaigns, shrinking, reports."""

from lutra.cosim.campaign import Result, Work, work
from lutra.cosim.runner import Failure, run
from lutra.cosim.shrink import shrink

__all__ = ["Failure", "Result", "Work", "run", "shrink", "work"]
