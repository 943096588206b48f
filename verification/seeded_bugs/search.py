"""Look for a difference in the installation that PYTHONPATH names; started by `python -m seeded_bugs`.

Prints one JSON object: `by` what found it ("lock-step", "state after a stop", "assertion in the RTL", "known answers"
or nothing), where, and after how much work.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from lutra.cosim.runner import LIMIT_CYCLES
from lutra.cosim.shrink import shrink
from lutra.cosim.source import text
from lutra.firmware import kat
from lutra.firmware.manifest import catalogue
from lutra.firmware.session import Session
from lutra.iss.engine import Engine, make
from lutra.random import Generator, Program
from seeded_bugs.trial import try_program

# Each kind of trap ends one program in eighty.
SEEDS = 800
SHRINK_TESTS = 1000
EXAMPLES = Path(__file__).parents[2] / "tests" / "vectors"


def lockstep(rounds: int, state: bool) -> Engine:
    """Simulator and core; state: whether their state is compared after every stop."""
    engine = make("cosim", rounds)
    engine.backend.compare_state = state
    return engine


def random_programs(state: bool) -> dict[str, object] | None:
    """Run random programs until one shows a difference; then find the shortest program that shows the same."""
    begin = time.perf_counter()
    generator, instructions = Generator({}, "", 0), 0
    engines = {rounds: lockstep(rounds, state) for rounds in (1, 2)}
    for seed in range(SEEDS):
        program = generator.program(seed)
        engine = engines[program.rounds]
        first = try_program(engine, program)
        instructions += first.instructions
        if not first.by:
            continue
        seconds = time.perf_counter() - begin
        limit = 2 * first.cycles + 1000 if first.cycles else LIMIT_CYCLES

        def fails(candidate: Program, engine: Engine = engine, limit: int = limit, by: str = first.by) -> bool:
            return try_program(engine, candidate, limit).by == by

        program = shrink(program, fails, SHRINK_TESTS)
        report = try_program(engine, program, limit).report
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


def known_answers(state: bool) -> dict[str, object] | None:
    """Run the standards' examples in lock-step until one fails."""
    begin = time.perf_counter()
    session, done = Session(lockstep(2, state)), 0
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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--without-state", action="store_true", help="compare retirements only")
    compared = not parser.parse_args().without_state
    found = random_programs(compared) or known_answers(compared) or {"by": ""}
    json.dump(found, sys.stdout)
