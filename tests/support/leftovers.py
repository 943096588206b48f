"""A program that leaves something in every register, and data in every memory: what is to be gone after a wipe."""

from __future__ import annotations

import lutra
from lutra.isa import load
from lutra.iss.engine import Engine

ISA = load()
LOOPS, CALLS = ISA.machine["LoopDepth"], ISA.machine["CallDepth"]
VECTORS = [*(f"v{n}" for n in range(ISA.machine["VectorRegs"])), "wk", "ctr"]
MEMORIES = [space.name for space in ISA.spaces if not space.is_program and len(space.blocks) + len(space.banks) == 1]

# Only an instruction of two rounds also moves a row.
HOLD = {1: "", 2: "cam2 {v2, v3}, v2, v3, m0:m1[0], {hold, m2[144]}"}
# Leaves something else than after reset in every register, and waits with both stacks full.
FILL = "\n".join(
    [
        "",
        *(f"mov {name}, m2[{16 * n}]" for n, name in enumerate(VECTORS)),
        "ctrw 64",
        *(f"arset ar{n}, {n + 1}\narstep ar{n}, {n + 32}\narwin ar{n}, {n + 64}, {n + 96}" for n in range(8)),
        *(
            f"ctxld c{c}, {row.name}, m2[{256 + 16 * (6 * c + n)}]"
            for c in range(len(ISA.stream_contexts))
            for n, row in enumerate(ISA.stream_rows)
        ),
        # A product of one word: the sum's, and three words of the input are left. What the multiplier has above both is
        # of a product before it.
        "ghkey m2[16]\ngplast m2[32]\ngpstep\ngpstep\nghset m2[32]\nghstep",
        "cmp v0, v0",
        "notify 77",
        *(f"repeat {n + 2}, .L_end{n}" for n in range(LOOPS)),
        *(f"call .L_call{n}\n.L_call{n}:" for n in range(CALLS)),
        "wait",
        "halt",
        *(f".L_end{n}: nop" for n in reversed(range(LOOPS))),
    ]
)
DATA = bytes(range(1, 256)) * 2


def fill(engine: Engine, data: bytes = DATA) -> None:
    """Leave something everywhere; the machine waits, in loops and calls."""
    engine.load(lutra.assemble_text(HOLD[engine.rounds] + FILL))
    for space in MEMORIES:
        engine.write(space, 0, data)
    assert engine.run(0).state == "waiting"


def left(engine: Engine) -> list[str]:
    """What is left: registers and memories that are not as a wipe leaves them, zero but for the counter's width."""
    found = []
    for name, register in engine.registers().items():
        value = register.value
        if isinstance(value, bytes):
            value = int.from_bytes(value, "big")
        if value != (128 if name == "ctr.width" else 0):
            found.append(name)
    return found + [space for space in MEMORIES if any(engine.read(space, 0, engine.size(space)))]
