"""Faults in stream contexts and memories while a random program runs, and wipes before its starts.

The program is that of its seed without them.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace

from lutra.isa import Isa
from lutra.iss.fault import WORDS, Fault
from lutra.random.program import Program
from lutra.random.weights import FAULT_CYCLES, FAULTS, MEMORIES, ONE_BIT, SHADOWS


def struck(program: Program, isa: Isa, chance: float) -> Program:
    """The program with faults in its starts; chance: how likely each start has some."""
    contexts = isa.configuration.contexts
    if not chance or not contexts:
        return program
    rng = random.Random(f"faults of {program.seed}")
    starts = [
        replace(
            start,
            faults=tuple(_fault(rng, isa, program) for _ in range(rng.randint(*FAULTS) * (rng.random() < chance))),
        )
        for start in program.starts
    ]
    return replace(program, starts=tuple(starts))


def wiped(program: Program, isa: Isa, chance: float) -> Program:
    """The program with wipes before some of its starts; chance: how likely each has one."""
    if not chance or not isa.configuration.wipe:
        return program
    rng = random.Random(f"wipes of {program.seed}")
    starts = [replace(start, wiped=rng.random() < chance) for start in program.starts]
    return replace(program, starts=tuple(starts))


def _fault(rng: random.Random, isa: Isa, program: Program) -> Fault:
    """Draw one; early cycles are as likely as late ones, by their orders of magnitude."""
    first, last = map(math.log, FAULT_CYCLES)
    if isa.configuration.protect and rng.random() < MEMORIES:
        return _of_memory(rng, program, round(math.exp(rng.uniform(first, last))))
    word = rng.randrange(len(WORDS))
    mask = 1 << rng.randrange(32) if rng.random() < ONE_BIT else rng.randrange(1, 2**32)
    return Fault(
        cycle=round(math.exp(rng.uniform(first, last))),
        context=isa.stream_contexts[rng.randrange(isa.configuration.contexts)],
        word=WORDS[word],
        mask=mask,
        shadow=word < isa.configuration.shadow_words and rng.random() < SHADOWS,
    )


def _of_memory(rng: random.Random, program: Program, cycle: int) -> Fault:
    """Draw a bit of the program, or of a data memory, or of the check bits there."""
    memories = [name for name in program.memory if name.startswith("m")]
    shadow = rng.random() < SHADOWS
    if rng.random() < 1 / (1 + len(memories)):
        place = program.base + rng.randrange(len(program.words))
        return Fault(cycle, "pm", str(place), 1 << rng.randrange(8 if shadow else 64), shadow)
    name = rng.choice(memories)
    place = rng.randrange(len(program.memory[name]))
    return Fault(cycle, name, str(place), 1 if shadow else 1 << rng.randrange(8), shadow)
