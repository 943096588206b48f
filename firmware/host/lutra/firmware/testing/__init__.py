"""Test firmware in any folder, for `lutra test`.

from lutra.firmware import testing
report = testing.run(testing.find([Path("otter")]), testing.Options("cosim"))
assert report.good
"""

from lutra.firmware.testing.machines import best_engine
from lutra.firmware.testing.outcome import Check, Report, junit, summary
from lutra.firmware.testing.run import RUNS, Options, corrections, run
from lutra.firmware.testing.units import Unit, find

__all__ = [
    "RUNS",
    "Check",
    "Options",
    "Report",
    "Unit",
    "best_engine",
    "corrections",
    "find",
    "junit",
    "run",
    "summary",
]
