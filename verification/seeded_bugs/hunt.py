"""Looks for a difference in the installation that PYTHONPATH names; started by `python -m seeded_bugs`.

Prints one JSON object: `by` what found it ("lock-step", "assertion in the RTL", "known answers" or nothing), where, and
after how much work.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import lutra
from lutra.cosim.runner import LIMIT_CYCLES
from lutra.cosim.shrink import shrink
from lutra.cosim.source import text
from lutra.firmware import kat
from lutra.firmware.manifest import catalogue
from lutra.firmware.session import Session
from lutra.random import Generator, Program
from seeded_bugs.attempt import attempt

SEEDS = 400
SHRINK_TESTS = 1000
EXAMPLES = Path(__file__).parents[2] / "tests" / "vectors"


def random_programs() -> dict[str, object] | None:
    """Random programs until one shows something; then the shortest program that shows the same."""
    begin = time.perf_counter()
    generator, instructions = Generator({}, "", 0), 0
    engines = {rounds: lutra.make_engine("cosim", rounds) for rounds in (1, 2)}
    for seed in range(SEEDS):
        program = generator.program(seed)
        engine = engines[program.rounds]
        first = attempt(engine, program)
        instructions += first.instructions
        if not first.by:
            continue
        seconds = time.perf_counter() - begin
        limit = 2 * first.cycles + 1000 if first.cycles else LIMIT_CYCLES

        def fails(candidate: Program, engine: lutra.Engine = engine, limit: int = limit, by: str = first.by) -> bool:
            return attempt(engine, candidate, limit).by == by

        program = shrink(program, fails, SHRINK_TESTS)
        report = attempt(engine, program, limit).report
        return {
            "by": first.by,
            "where": f"seed {seed}",
            "instructions": instructions,
            "seconds": seconds,
            "rounds": program.rounds,
            "words": len(program.words),
            "source": text(program, report),
            "report": report,
        }
    return None


def known_answers() -> dict[str, object] | None:
    """The standards' examples in lock-step, until one fails."""
    begin = time.perf_counter()
    session = Session(lutra.make_engine("cosim"))
    done = 0
    for path in sorted(EXAMPLES.glob("*.json")):
        tests = kat.read(path, catalogue())
        report = kat.run(session, catalogue(), tests)
        done += report.passed
        if report.failures:
            first = report.failures[0]
            return {
                "by": "known answers",
                "where": f"{path.name}, {first.id}, {first.direction}, {done} vectors passed before",
                "seconds": time.perf_counter() - begin,
            }
    return None


if __name__ == "__main__":
    found = random_programs() or known_answers() or {"by": ""}
    json.dump(found, sys.stdout)
