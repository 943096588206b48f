"""`python -m injection.memories`: flipped bits of memories, in lock-step on a core of the build.

A short program reads rows, looks up in a table and stores. Bits of what it uses are flipped in some cycle of it; the
simulator and the core have to agree on what becomes of that.
"""

from __future__ import annotations

import argparse
import json
import random
import struct
import sys
from collections import Counter

from lutra.asm import assemble_text
from lutra.isa import load
from lutra.iss.engine import Engine, make
from lutra.iss.fault import Fault

# m0[0] and m2[0] are read, a look-up is done in t0, and the results are stored.
TEXT = """
        repeat  3, .Lend
        mov     v0, m0[0]
        tbl0    v1, v0
        xor     v2, v1, m2[0]
.Lend:
        mov     m3[0], v2
        xor     v3, v2, m2[16]
        mov     m3[16], v3
        halt
"""
ROWS = bytes(range(32))
BANK = bytes((3 * i + 1) % 256 for i in range(4096))
WORDS = 8
LIMIT = 1000  # cycles, far more than the program takes


def prepare(engine: Engine) -> Engine:
    """The program, its table and its rows."""
    program = assemble_text(TEXT, warnings=["no-all"]).program
    engine.write("pm", 0, struct.pack(f"<{len(program)}Q", *program))
    engine.write("t0", 0, BANK)
    for memory in ("m0", "m2"):
        engine.write(memory, 0, ROWS)
    return engine


def run(engine: Engine, *faults: Fault) -> tuple[str, bytes]:
    """Run with faults: the state after it, and the two rows of results."""
    engine.reset()
    engine.write("m3", 0, bytes(32))
    for fault in faults:
        engine.inject(fault)
    state = engine.run(0, LIMIT).state
    return state, engine.read("m3", 0, 32)


def drawn(rng: random.Random, cycles: int, protect: bool) -> Fault:
    """A bit of what the program uses, or of its check bits, in some cycle."""
    memory = rng.choice(("pm", "m0", "m2", "m3", "t0"))
    shadow = protect and rng.random() < 0.25
    if memory == "pm":
        place, bits = rng.randrange(WORDS), 8 if shadow else 64
    else:
        lane = rng.randrange(16)
        place, bits = (16 * ROWS[lane] + lane if memory == "t0" else rng.randrange(32)), 1 if shadow else 8
    return Fault(rng.randrange(cycles + 2), memory, str(place), 1 << rng.randrange(bits), shadow)


def main() -> int:
    """Return 0; where the two differ, the engine raises Divergence."""
    parser = argparse.ArgumentParser(prog="python -m injection.memories", description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=500, metavar="N", help="runs of each ROUNDS_PER_INSTR (500)")
    parser.add_argument("--seed", type=int, default=0, help="of the faults (0)")
    options = parser.parse_args()
    configuration = load().configuration
    found: Counter[str] = Counter()
    for rounds in configuration.rounds:
        rng = random.Random(f"{options.seed} {rounds}")
        engine = make("cosim", rounds)
        _, right = run(prepare(engine))
        cycles = engine.stop().cycles
        for _ in range(options.count):
            state, got = run(prepare(engine), drawn(rng, cycles, configuration.protect))
            rows = [(got[i : i + 16], right[i : i + 16]) for i in (0, 16)]
            silent = state == "halted" and any(one not in (bytes(16), other) for one, other in rows)
            found["silent" if silent else state] += 1
    print(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
