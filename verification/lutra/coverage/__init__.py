"""Functional coverage: the plan made from the ISA, counts of runs, and what they leave open.

with lutra.coverage.recording() as recorder:
    ...                                    # every engine made here is counted
report = lutra.coverage.report(recorder.counts)
print(report.percent, report.holes)
"""

from pkgutil import extend_path

# In a checkout the compiled module is built outside the source tree.
__path__ = extend_path(__path__, __name__)

from lutra.coverage.collector import Collector
from lutra.coverage.counts import ROUNDS, Counts, CoverageError, read, write
from lutra.coverage.plan import Coverpoint, Plan, plan
from lutra.coverage.recorder import Recorder, active, recording
from lutra.coverage.report import CoverageReport, Hole, PointReport, report

__all__ = [
    "ROUNDS",
    "Collector",
    "Counts",
    "CoverageError",
    "CoverageReport",
    "Coverpoint",
    "Hole",
    "Plan",
    "PointReport",
    "Recorder",
    "active",
    "plan",
    "read",
    "recording",
    "report",
    "write",
]
