"""One program in lock-step, from reset to the end of its last start."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from lutra.cosim.engine import Divergence
from lutra.iss.engine import Engine, Stop
from lutra.random import RETIRED, Program

# Far more than a program takes: one that reaches it is taken as endless.
LIMIT_CYCLES = 100 * RETIRED
FAULTED = "faulted"


@dataclass(frozen=True)
class Failure:
    """Why a program failed: simulator and core differ, or it did not end as it was built to.

    state: only the comparison of the state after a stop found the difference.
    """

    divergence: bool
    report: str
    state: bool = False


def prepare(engine: Engine, program: Program) -> None:
    """Clear the machine and write program and memories; everything around the program traps."""
    engine.clear()
    for space, data in program.memory.items():
        engine.write(space, 0, data)
    code = struct.pack(f"<{len(program.words)}Q", *program.code())
    engine.write("pm", 0, (bytes(8 * program.base) + code).ljust(engine.size("pm"), b"\0"))


def run(engine: Engine, program: Program, limit: int = LIMIT_CYCLES) -> tuple[list[Stop], Failure | None]:
    """Run all starts of a program, without a reset between them, and compare all memories at its end.

    limit: cycles per start. Returns the stops of all starts, up to the first one that does not end, or meets a fault.
    """
    stops: list[Stop] = []
    try:
        prepare(engine, program)
        struck = wiped = False
        for number, start in enumerate(program.starts):
            # Only a wipe lets a core start again whose program has left its memories closed.
            if start.wiped or engine.closed:
                engine.wipe()
                wiped = True
            for fault in start.faults:
                engine.inject(fault)
            struck |= bool(start.faults)
            stop = _run(engine, program.base + start.at, min(limit, start.cycles or limit))
            stops.append(stop)
            ended = stop.trap or stop.state
            if struck and stop.state == FAULTED:
                engine.clear_alert()
                if not engine.isa.configuration.wipe:
                    break  # the address unit has gone on, which the simulator does not know
                wiped = True
            elif not wiped and start.ends not in ("", ended):
                text = f"start {number} ended in {ended} at pc {stop.pc:#06x}, it was built to end in {start.ends}"
                return stops, Failure(False, text)
            if stop.state == "running":
                return stops, None
        for space in program.memory:
            engine.read(space, 0, engine.size(space))
    except Divergence as error:
        return [*stops, engine.stop()], Failure(True, str(error), error.state)
    return stops, None


def _run(engine: Engine, entry: int, limit: int) -> Stop:
    """Run one start; the host resumes after every wait."""
    stop = engine.run(entry, limit)
    while stop.state == "waiting":
        stop = engine.resume(limit)
    return stop
