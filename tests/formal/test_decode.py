"""The simulator's decoder against the specification that the SystemVerilog's is proven equal to.

For every instruction: words that meet all rules, and words that break one alone, for each rule.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator

import pytest
import z3

from formal.__main__ import description
from formal.decoder import CONFIGURATIONS
from formal.decoder_specification import Word
from lutra.iss._iss import Machine

ISA = description()
RANDOM = random.Random(8)
ILLEGAL = next(t.code for t in ISA.traps if t.record == "TrapIllegal")
PROGRAM = next(s.code for s in ISA.spaces if not s.blocks and not s.banks)
TRIES = 2
RANDOM_BITS = 8


def is_legal(machine: Machine, word: int) -> bool:
    """Whether the simulator takes a word for an instruction."""
    machine.reset()
    machine.write(PROGRAM, 0, struct.pack("<Q", word))
    machine.start(0)
    machine.step()
    return machine.trap != ILLEGAL


def solutions(word: z3.BitVecRef, claim: z3.BoolRef) -> Iterator[int]:
    """A few different words for which the claim holds, or none."""
    solver = z3.Solver()
    solver.set("random_seed", RANDOM.randrange(1 << 30))
    solver.add(claim)
    for _ in range(TRIES):
        # Some bits as chance has them, where the rules leave them free.
        if solver.check() != z3.sat:
            return
        solver.push()
        for i in RANDOM.sample(range(64), RANDOM_BITS):
            bit = z3.Extract(i, i, word) == RANDOM.getrandbits(1)
            if solver.check(bit) == z3.sat:
                solver.add(bit)
        assert solver.check() == z3.sat
        found = solver.model().eval(word, model_completion=True)
        assert z3.is_bv_value(found)
        solver.pop()
        solver.add(word != found)
        yield found.as_long()


# Instructions by day: the rules of the others are of the same operands.
EVERY = 8
ALL = pytest.mark.nightly("all instructions, half a minute; the rules of one of eight are those of most operands")


@pytest.mark.parametrize(
    ("rounds", "contexts", "every"),
    [(*CONFIGURATIONS[0], EVERY), *(pytest.param(*CONFIGURATIONS[n], 1, marks=ALL) for n in (0, -1))],
)
def test_simulator_decodes_as_specified(rounds: int, contexts: int, every: int) -> None:
    machine = Machine(rounds, contexts)
    word = z3.BitVec("word", 64)
    seen = 0
    insns = list(ISA.insns)[::every]
    for insn in insns:
        rules = Word(ISA, insn, word, rounds, contexts).rules()
        opcode = z3.Extract(63, 56, word) == insn.opcode
        for found in solutions(word, z3.And(opcode, *(r for _, r in rules))):
            assert is_legal(machine, found), f"{insn.record}: {found:016x} is legal"
            seen += 1
        for name, rule in rules:
            others = [r for n, r in rules if n != name]
            for found in solutions(word, z3.And(opcode, z3.Not(rule), *others)):
                assert not is_legal(machine, found), f"{insn.record}: {found:016x} breaks only: {name}"
                seen += 1
    assert seen > 5 * len(insns)
