"""Every source of every vector instruction after a result of the second half, and after ctr and wk, in lock-step.

The cycle of each retirement is compared, so an instruction that does not wait for one of its sources is found.
"""

from __future__ import annotations

import random
import struct
from itertools import islice

import pytest

import lutra
from lutra.isa import Insn, load
from lutra.random.unstructured import random_word
from support.only import only

ISA = load()
SOURCES = ("ra", "rb", "rc")  # fields that hold a register that is read
WRITTEN = 3
TRIES = 60  # most words with a register are legal
VECTOR = only(ISA.instructions, lambda i: i.vector)
SPECIAL = only(ISA.vectors, lambda r: r.name in ("ctr", "wk"))
PRODUCER = next(i for i in VECTOR if any(p.block == "L2" for p in i.path) and "rd" in i.fields)


def legal(rng: random.Random, insn: Insn, **fields: int) -> list[int]:
    """Some legal words of the instruction with fields as given; none where they cannot be."""
    words = (insn.insert(random_word(ISA, rng, insn, 0), **fields) for _ in range(TRIES))
    return list(islice((w for w in words if not lutra.disassemble(w, pc=0).startswith(".insn")), 3))


@pytest.mark.parametrize("insn", VECTOR, ids=lambda i: i.name)
def test_every_source_waits_for_a_late_result(insn: Insn) -> None:
    rng = random.Random(insn.name)
    engine = lutra.make_engine("cosim")
    for space in ("m0", "m1", "m2", "m3", "t0", "t1"):
        engine.write(space, 0, rng.randbytes(engine.size(space)))
    before = [
        (WRITTEN, legal(rng, PRODUCER, rd=WRITTEN)[0]),
        *(
            (r.code, lutra.assemble_text(f"mov {r.name}, v1").program[0])
            for r in ISA.vectors
            if r.name in ("ctr", "wk")
        ),
    ]
    halt = lutra.assemble_text("halt").program[0]
    for field in (f for f in SOURCES if f in insn.fields):
        for register, producer in ((r, p) for r, p in before if r <= insn.fields[field].top):
            for word in legal(rng, insn, **{field: register}):
                engine.reset()
                engine.write("pm", 0, struct.pack("<3Q", producer, word, halt))
                engine.run(0, 1000)
