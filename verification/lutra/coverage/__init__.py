"""Functional coverage: the plan made from the ISA, counts of runs, and what they leave open.

with lutra.coverage.recording() as recorder:
    ...                                    # every engine made here is counted
report = lutra.coverage.report(recorder.counts)
print(report.percent, report.holes)
"""

from lutra.coverage.counts import ROUNDS, Counts, CoverageError, read, write
from lutra.coverage.plan import Plan, Point, plan
from lutra.coverage.recorder import Recorder, active, recording
from lutra.coverage.report import Hole, PointReport, Report, report

__all__ = [
    "ROUNDS",
    "Counts",
    "CoverageError",
    "Hole",
    "Plan",
    "Point",
    "PointReport",
    "Recorder",
    "Report",
    "active",
    "plan",
    "read",
    "recording",
    "report",
    "write",
]
