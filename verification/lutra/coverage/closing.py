"""Closing holes: programs aimed at what nothing has hit yet, on an engine that is counted."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable

from lutra.coverage.aimed import CONSTANT_SPACE, Aimed, AimedPrograms, constants
from lutra.coverage.collector import Collector
from lutra.coverage.counts import Counts
from lutra.coverage.report import Hole, report
from lutra.iss.engine import Engine

# More than any aimed program needs; one that is meant to run on is stopped here.
LIMIT = 70_000
RUNNING = 200
# What chance has spoiled once, it may do better the next time.
PASSES = 6
# States that only a reset ends.
LASTING = ("running", "faulted", "locked")


def close(
    engine: Engine, collector: Collector, before: Counts, seed: int, progress: Callable[[int], None] = lambda _: None
) -> tuple[Hole, ...]:
    """Run a program for each hole that counts leave with the engine's ROUNDS_PER_INSTR; returns what stays open.

    engine: never started. collector: the one that counts it. Divergence where simulator and core disagree.
    """
    aim = AimedPrograms(random.Random(seed), engine.rounds)
    done = 0
    for _ in range(PASSES):
        holes = _holes(collector, before, engine.rounds)
        if not holes:
            break
        for space in engine.isa.spaces:
            if not space.is_program:
                engine.write(space.name, 0, aim.rng.randbytes(engine.size(space.name)))
        for hole in holes:
            program = aim.program(hole.point, hole.bin)
            if program is not None:
                _run(engine, program, hole)
            done += 1
            progress(done)
    return _holes(collector, before, engine.rounds)


def _holes(collector: Collector, before: Counts, rounds: int) -> tuple[Hole, ...]:
    total = Counts()
    total.add(before)
    total.add(collector.counts())
    return report(total, (rounds,)).holes


def _run(engine: Engine, program: Aimed, hole: Hole) -> None:
    if engine.closed:
        engine.wipe()
    engine.write("pm", 0, struct.pack(f"<{len(program.code)}Q", *program.code))
    engine.write(CONSTANT_SPACE, 0, constants())
    control = hole.point == "host.control"
    event, state = hole.labels[:2] if control else ("", "")
    if state == "idle":
        engine.reset()
    elif state == "locked":
        engine.escalate()
    else:
        for fault in program.faults:
            engine.inject(fault)
        stop = engine.run(0, RUNNING if control else LIMIT)
        while stop.state == "waiting" and not control:
            stop = engine.resume(LIMIT)
    if event == "start":
        engine.run(engine.size("pm") // 8 - 1, RUNNING)
    elif event == "wipe":
        engine.wipe()
    elif event == "escalate":
        engine.escalate()
    if engine.stop().state in LASTING or event == "reset":
        engine.reset()
