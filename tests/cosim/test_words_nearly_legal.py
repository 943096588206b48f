"""Decoders agree at the edge of what is legal: every instruction with a bit changed, a field at random or zero.

Most of these words are illegal. Simulator and core run each from reset on; what both do with it is compared.
"""

from __future__ import annotations

import random
import struct
from functools import cache

import pytest

import lutra
from lutra.isa import Insn, load
from lutra.random.unstructured import random_word

LEGAL = 1  # words of an instruction that the changes start from
FIELDS = 12  # words with one field at random


@cache
def words(mnemonic: str) -> list[int]:
    """Words around those of the instructions of a mnemonic."""
    rng = random.Random(mnemonic)
    return [w for insn in load().instructions if insn.mnemonic == mnemonic for w in around(rng, insn)]


def around(rng: random.Random, insn: Insn) -> list[int]:
    legal: list[int] = []
    while len(legal) < LEGAL:
        word = random_word(load(), rng, insn, 0)
        if "n" in insn.fields and rng.random() < 0.5:  # where few numbers are legal, small ones are
            word &= ~(0xFFF << insn.fields["n"][1] + 2) | insn.mask
        if not lutra.disassemble(word, pc=0).startswith(".insn"):
            legal.append(word)
    flipped = [word ^ 1 << bit for word in legal for bit in range(64)]
    changed = []
    for _ in range(FIELDS if insn.fields else 0):
        msb, lsb = rng.choice(list(insn.fields.values()))
        mask = (2 << msb) - (1 << lsb)
        changed.append(rng.choice(legal) & ~mask | rng.getrandbits(64) & mask)
    cleared = [legal[0] & ~((2 << msb) - (1 << lsb)) for msb, lsb in insn.fields.values()]
    return legal + flipped + changed + cleared


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("mnemonic", sorted({i.mnemonic for i in load().instructions}))
def test_simulator_and_core_decode_alike(mnemonic: str, rounds: int) -> None:
    engine = lutra.make_engine("cosim", rounds)
    halt = lutra.assemble_text("halt").program[0]
    for word in words(mnemonic):
        engine.reset()
        engine.write("pm", 0, struct.pack("<2Q", word, halt))
        engine.run(0, 100)
