"""Leftovers of a wipe: nothing may depend on what was in the core before.

A program leaves something in every register, and there are data in every memory. Then the core is wiped, in each of the
ways in which that begins. No register and no memory may have anything in it, and no signal of the core may have another
value than after other data.

python -m injection.leftovers            of the configuration, which has to have a wipe
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pywellen

from lutra.asm import assemble_text
from lutra.isa import load
from lutra.iss.engine import Engine, make
from lutra.iss.fault import Fault

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
    engine.load(assemble_text(HOLD[engine.rounds] + FILL))
    for space in MEMORIES:
        engine.write(space, 0, data)
    assert engine.run(0).state == "waiting"


def left(engine: Engine) -> list[str]:
    """Return the registers and memories that are not as a wipe leaves them: zero, but for the counter's width."""
    found = []
    for name, register in engine.registers().items():
        value = register.value
        if isinstance(value, bytes):
            value = int.from_bytes(value, "big")
        if value != (128 if name == "ctr.width" else 0):
            found.append(name)
    return found + [space for space in MEMORIES if any(engine.read(space, 0, engine.size(space)))]


def _alert(engine: Engine) -> None:
    """A fault of a context that the program saves again and again."""
    engine.write("pm", 0, _words(_SAVES))
    engine.inject(Fault(20, "c0", "s0", 1))
    assert engine.run(0, 100).state == "faulted"


def _escalation(engine: Engine) -> None:
    engine.resume(2)
    engine.escalate()


def _none(_: Engine) -> None:
    """Leave all: the control of the comparison."""


_SAVES = "\n".join(["ctxst m3[0], c0, 0"] * 40 + ["halt"])
NONE = "no wipe"
WAYS: Mapping[str, Callable[[Engine], None]] = {
    "command": Engine.wipe,
    "reset": Engine.reset,
    "escalation": _escalation,
    "alert": _alert,
    NONE: _none,
}
LIMIT = 300  # cycles of a wipe


def _words(text: str) -> bytes:
    return b"".join(word.to_bytes(8, "little") for word in assemble_text(text).program)


def wiped(way: str, rounds: int, seed: int) -> tuple[Engine, int, Mapping[str, object]]:
    """A core after a wipe, the clocks of that, and the value of every signal after one more access of the host."""
    engine = make("rtl", rounds)
    fill(engine, random.Random(seed).randbytes(engine.size("m0")))
    for space in MEMORIES:
        engine.read(space, 16, 16)
    before = engine.backend.clocks
    WAYS[way](engine)
    clocks = engine.backend.clocks - before
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "waves.fst"
        engine.write("m1", 0, bytes(16))
        engine.trace(place)
        engine.write("m1", 0, bytes(16))
        engine.close()
        at = 2 * engine.backend.clocks
        values = {var.full_name: var.signal.value_at(at) for var in pywellen.Waveform(str(place)).all_vars()}
    return engine, clocks, values


def findings(way: str, rounds: int) -> Iterator[str]:
    """Yield the faults of a wipe that begins this way."""
    (one, clocks, values), (_, _, others) = (wiped(way, rounds, seed) for seed in (1, 2))
    yield from (f"{name} is not zero" for name in left(one))
    yield from (f"{name} depends on what was there" for name in values if values[name] != others[name])
    if way in ("command", "reset") and clocks > LIMIT:
        yield f"{clocks} cycles"


def main() -> int:
    """1 where something is left, or where the comparison finds nothing without a wipe."""
    parser = argparse.ArgumentParser(
        prog="python -m injection.leftovers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.parse_args()
    if not ISA.configuration.wipe:
        parser.error(f"configuration {ISA.configuration.name} has no wipe; choose one with lutra --configuration")
    failed = False
    for rounds in ISA.configuration.rounds:
        for way in WAYS:
            if way == "alert" and not ISA.configuration.shadow_words:
                continue
            found = list(findings(way, rounds))
            failed |= bool(found) != (way == NONE)
            print(
                f"rounds {rounds}, {way}: {len(found)} left"
                + "".join(f"\n  {line}" for line in found[:8] if way != NONE)
            )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
