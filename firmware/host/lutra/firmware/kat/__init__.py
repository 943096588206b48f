"""Known answers: reads vector files and runs them through firmware.

    tests = kat.read(Path("aes.json"), catalogue())
    report = kat.run(Session(engine), catalogue(), tests)
    for outcome in report.outcomes: ...

A test whose algorithm and mode no firmware serves is skipped, with its reason; one that does not follow the schema
fails, so that nothing is left out silently. A test of bad input counts as rejected if the input is refused.
"""

from lutra.firmware.kat.answers import run, runs
from lutra.firmware.kat.reading import files, read
from lutra.firmware.kat.report import Outcome, Report, Verdict, total
from lutra.firmware.kat.vectors import Malformed, Result, Test, Unserved, Vector

__all__ = [
    "Malformed",
    "Outcome",
    "Report",
    "Result",
    "Test",
    "Unserved",
    "Vector",
    "Verdict",
    "files",
    "read",
    "run",
    "runs",
    "total",
]
