"""Closing holes: programs aimed at what nothing has hit yet, on an engine that is counted."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterable

from lutra.coverage.aimed import CONSTANT_SPACE, Aim, constants
from lutra.coverage.report import Hole
from lutra.engine import Engine

# More than any aimed program needs; one that is meant to run on is stopped here.
LIMIT = 70_000
RUNNING = 200


def close(
    engine: Engine, holes: Iterable[Hole], seed: int, progress: Callable[[int], None] = lambda _: None
) -> list[Hole]:
    """Run a program for each hole, of the engine's ROUNDS_PER_INSTR. Returns those for which no program was found.

    engine: counted (`Engine.cover`) and never started. Divergence where simulator and core disagree.
    """
    rng = random.Random(seed)
    aim = Aim(rng, engine.rounds)
    for space in engine.isa.spaces:
        if not space.is_program:
            engine.write(space.name, 0, rng.randbytes(engine.size(space.name)))
    engine.write(CONSTANT_SPACE, 0, constants())
    failed: list[Hole] = []
    for n, hole in enumerate(holes):
        if hole.rounds != engine.rounds:
            continue
        code = aim.program(hole.point, hole.bin)
        if code is None:
            failed.append(hole)
            continue
        _run(engine, code, hole)
        progress(n + 1)
    return failed


def _run(engine: Engine, code: list[int], hole: Hole) -> None:
    engine.write("pm", 0, struct.pack(f"<{len(code)}Q", *code))
    control = hole.point == "host.control"
    if control and hole.labels[1] == "idle":
        engine.reset()
    else:
        stop = engine.run(0, RUNNING if control else LIMIT)
        while stop.state == "waiting" and not control:
            stop = engine.resume(LIMIT)
    if control and hole.labels[0] == "start":
        engine.run(engine.size("pm") // 8 - 1, RUNNING)
    if engine.stop().state == "running" or (control and hole.labels[0] == "reset"):
        engine.reset()
