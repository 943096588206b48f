"""One program in lock-step, from reset to its end."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from lutra.cosim.engine import Divergence
from lutra.iss.engine import Engine, Stop
from lutra.random import RETIRED, Program

# Far beyond what a program takes: one that reaches it does not end.
LIMIT_CYCLES = 100 * RETIRED


@dataclass(frozen=True)
class Failure:
    """Why a program failed: simulator and core differ, or it did not end as it was built to.

    state: only the comparison of the state after a stop has found the difference.
    """

    divergence: bool
    report: str
    state: bool = False


def prepare(engine: Engine, program: Program) -> None:
    """Reset the machine and write program and memories; what surrounds the program traps."""
    engine.reset()
    for space, data in program.memory.items():
        engine.write(space, 0, data)
    code = struct.pack(f"<{len(program.words)}Q", *program.code())
    engine.write("pm", 0, (bytes(8 * program.base) + code).ljust(engine.size("pm"), b"\0"))


def run(engine: Engine, program: Program, limit: int = LIMIT_CYCLES) -> tuple[Stop, Failure | None]:
    """Run a program and compare all memories at its end."""
    try:
        prepare(engine, program)
        stop = engine.run(program.base, limit)
        while stop.state == "waiting":
            stop = engine.resume(limit)
        for space in program.memory if stop.state != "running" else ():
            engine.read(space, 0, engine.size(space))
    except Divergence as error:
        return engine.stop(), Failure(True, str(error), error.state)
    ended = stop.trap or stop.state
    if ended == program.ends:
        return stop, None
    text = f"the program ended in {ended} at pc {stop.pc:#06x}, it was built to end in {program.ends}"
    return stop, Failure(False, text)
