"""Random programs on simulator and core in lock-step: campaigns, shrinking, reports."""

from lutra.cosim.campaign import Failed, Result, Work, work
from lutra.cosim.runner import Failure, run

__all__ = ["Failed", "Failure", "Result", "Work", "run", "work"]
