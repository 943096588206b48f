"""Faults in the stream contexts while a random program runs. The program is that of its seed without them."""

from __future__ import annotations

import math
import random
from dataclasses import replace

from lutra.isa import Isa
from lutra.iss.fault import WORDS, Fault
from lutra.random.program import Program
from lutra.random.weights import FAULT_CYCLES, FAULTS, ONE_BIT, SHADOWS


def struck(program: Program, isa: Isa, chance: float) -> Program:
    """The program with faults in its starts; chance: how likely each start has some."""
    contexts = isa.configuration.contexts
    if not chance or not contexts:
        return program
    rng = random.Random(f"faults of {program.seed}")
    starts = [
        replace(start, faults=tuple(_fault(rng, isa) for _ in range(rng.randint(*FAULTS) * (rng.random() < chance))))
        for start in program.starts
    ]
    return replace(program, starts=tuple(starts))


def _fault(rng: random.Random, isa: Isa) -> Fault:
    """Draw one; early cycles are as likely as late ones, by their orders of magnitude."""
    first, last = map(math.log, FAULT_CYCLES)
    word = rng.randrange(len(WORDS))
    mask = 1 << rng.randrange(32) if rng.random() < ONE_BIT else rng.randrange(1, 2**32)
    return Fault(
        cycle=round(math.exp(rng.uniform(first, last))),
        context=isa.stream_contexts[rng.randrange(isa.configuration.contexts)],
        word=WORDS[word],
        mask=mask,
        shadow=word < isa.configuration.shadow_words and rng.random() < SHADOWS,
    )
