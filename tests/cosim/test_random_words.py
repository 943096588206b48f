"""Random words in lock-step, most of them legal: no structure, so that traps and endless loops are as likely as not.

Programs run for a number of cycles from several places. Words come from the ISA tables alone.
"""

from __future__ import annotations

import random
from functools import cache

import pytest

import lutra
from lutra.isa import Insn, load

LENGTH = 120
CYCLES = 3000
PROGRAMS = 40
RUNS = 8
SPACES = ("m0", "m1", "m2", "m3", "t0", "t1")


def random_word(rng: random.Random, insn: Insn, pc: int) -> int:
    """A word of the instruction with random fields; mostly legal ones, address registers and rows small."""
    word = insn.match
    pair = any(o.kind == "dst_pair" for o in insn.operands)
    # What a move (field mv) leaves free and what it needs; without one any slot may be there.
    move = rng.getrandbits(2) if "mv" in insn.fields else None
    free = {0: "ds ss rc", 1: "ss rc", 2: "ds ss rc"}.get(move or 0, "").split() if move is not None else []
    need = {1: "ds", 3: "ss"}.get(move or 0)
    empty: set[str] = set()
    for name in sorted(insn.fields, key=("ds", "ss").__contains__, reverse=True):
        msb, lsb = insn.fields[name]
        width = msb - lsb + 1
        value = rng.getrandbits(width)
        if name in free:
            value = 0
        elif name in ("ks", "ds", "ss"):  # a row, or a pattern on a register
            value = rng.choice([0, 0x100 | rng.getrandbits(8), rng.getrandbits(7) << 2])
            if name == need and value == 0:
                value = 0x100
        elif name == "mv" and move is not None:
            value = move
        elif name == "rd" and pair:
            value &= 6
        elif name in ("ra", "rb") and (pair or rng.random() < 0.3):  # a register
            value &= 7
        elif name in ("db", "sb") and f"{name[0]}s" in empty:
            value = 0
        elif name == "e":
            value = min(LENGTH, pc + rng.randint(1, 12))
        elif name == "n" and insn.mnemonic in ("arset", "repeat"):
            value = rng.choice([rng.getrandbits(3), rng.getrandbits(11)])
        elif name == "n" and insn.mnemonic in ("arstep", "arwin"):
            value = rng.getrandbits(6)
        if value == 0:
            empty.add(name)
        word |= value << lsb
    return word


def random_program(rng: random.Random) -> list[int]:
    """LENGTH words, all legal but for one in a while."""
    insns = [i for i in load().instructions if i.mnemonic not in ("halt", "wait")]
    # Address registers drift out of range; setting them often keeps programs alive.
    weights = [6 if i.mnemonic == "arset" else 1 if not i.vector else 3 for i in insns]
    program: list[int] = []
    while len(program) < LENGTH:
        word = random_word(rng, rng.choices(insns, weights)[0], len(program))
        legal = not lutra.disassemble(word, pc=len(program)).startswith(".insn")
        if legal or rng.random() < 0.0005:
            program.append(word)
    return program


@cache
def program(seed: int) -> list[int]:
    """The program of a seed; `tests/mutation` runs each for thousands of mutants."""
    return random_program(random.Random(seed))


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_simulator_and_core_agree_on_random_words(seed: int, rounds: int) -> None:
    rng = random.Random(seed)
    engine = lutra.make_engine("cosim", rounds)
    for space in SPACES:
        engine.write(space, 0, rng.randbytes(engine.size(space)))
    engine.load(lutra.Image(program=program(seed)))
    for _ in range(RUNS):  # a trap ends a program early: go on elsewhere
        if engine.run(rng.randrange(LENGTH), CYCLES).state == "running":
            engine.reset()
    for space in SPACES:
        engine.read(space, 0, engine.size(space))
