"""Looks for a difference in the installation that PYTHONPATH names; started by `python -m seeded_bugs`.

Prints one JSON object: `by` what found it ("lock-step", "known answers" or ""), where and after how much work.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import lutra
from lutra.cosim.runner import run
from lutra.cosim.shrink import shrink
from lutra.cosim.source import text
from lutra.firmware import kat
from lutra.firmware.manifest import catalogue
from lutra.firmware.session import Session
from lutra.random import Generator, Program

SEEDS = 400
SHRINK_TESTS = 1000
EXAMPLES = Path(__file__).parents[1] / "vectors"


def lock_step() -> dict[str, object] | None:
    """Random programs until simulator and core differ; then the shortest program that shows it."""
    begin = time.perf_counter()
    generator, instructions = Generator({}, "", 0), 0
    engines = {rounds: lutra.make_engine("cosim", rounds) for rounds in (1, 2)}
    for seed in range(SEEDS):
        program = generator.program(seed)
        engine = engines[program.rounds]
        stop, failure = run(engine, program)
        instructions += stop.instructions
        if failure is None or not failure.divergence:
            continue
        seconds, limit = time.perf_counter() - begin, 2 * stop.cycles + 1000

        def fails(candidate: Program, engine: lutra.Engine = engine, limit: int = limit) -> bool:
            failed = run(engine, candidate, limit)[1]
            return failed is not None and failed.divergence

        program = shrink(program, fails, SHRINK_TESTS)
        shortest = run(engine, program, limit)[1]
        assert shortest is not None
        return {
            "by": "lock-step",
            "where": f"seed {seed}",
            "instructions": instructions,
            "seconds": seconds,
            "rounds": program.rounds,
            "words": len(program.words),
            "source": text(program, shortest.report),
            "report": shortest.report,
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
    found = lock_step() or known_answers() or {"by": ""}
    json.dump(found, sys.stdout)
