"""A program in a separate process, since a failing assertion in the RTL ends the process."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from dataclasses import asdict, dataclass

from lutra.cosim.runner import LIMIT_CYCLES, run
from lutra.iss.engine import Engine
from lutra.iss.job import total
from lutra.random import Program

STATE = "state after a stop"


@dataclass(frozen=True)
class Trial:
    """Result of a program: nothing (`by` is empty), a difference in a retirement ("lock-step") or in the state after a
    stop, or an assertion.

    instructions: number until then; cycles: those of its longest start. For an assertion both are unknown, and 0.
    """

    by: str
    report: str
    instructions: int = 0
    cycles: int = 0


def try_program(engine: Engine, program: Program, limit: int = LIMIT_CYCLES) -> Trial:
    """Run a program in a copy of this process."""
    with tempfile.TemporaryFile() as output:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.dup2(output.fileno(), sys.stdout.fileno())
            os.dup2(output.fileno(), sys.stderr.fileno())
            stops, failure = run(engine, program, limit)
            by = ""
            if failure is not None and failure.divergence:
                by = STATE if failure.state else "lock-step"
            report = failure.report if failure else ""
            done = Trial(by, report, total(stops).instructions, max(stop.cycles for stop in stops))
            with os.fdopen(write, "w") as pipe:
                json.dump(asdict(done), pipe)
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as pipe:
            answer = pipe.read()
        os.waitpid(child, 0)
        if answer:
            return Trial(**json.loads(answer))
        output.seek(0)
        said = output.read().decode(errors="replace")
    error = next((line for line in said.splitlines() if "Assertion failed" in line), None)
    if error is None:
        raise RuntimeError(f"the program ended its process:\n{said}")
    return Trial("assertion in the RTL", error)
