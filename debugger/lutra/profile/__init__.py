"""Profile firmware: its cycles by line, routine and loop, and by cause.

    profile, stops = lutra.profile.of_job(engine, job)
    print(lutra.profile.text.report(profile, top=10))
    for line in profile.lines.values():
        print(line.site, line.own.cycles, line.own.by_cause)

Each cycle is counted once; the sums are the machine's own counters. Each other module writes one form: `text`,
`annotate`, `document` (JSON), `html`, `flame`, `speedscope`, `perfetto`, `konata`, `lcov`.
"""

from pkgutil import extend_path

# In a checkout the compiled module is built outside the source tree.
__path__ = extend_path(__path__, __name__)

from lutra.profile.collector import Collector, Counts
from lutra.profile.cost import Cost
from lutra.profile.gather import of_cipher, of_job
from lutra.profile.lcov import Coverage, covering
from lutra.profile.profile import Profile

__all__ = ["Collector", "Cost", "Counts", "Coverage", "Profile", "covering", "of_cipher", "of_job"]
