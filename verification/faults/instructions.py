"""The instruction in ID in each cycle of a job, by its mnemonic."""

from __future__ import annotations

from collections.abc import Sequence

from lutra.asm import disassemble
from lutra.isa import load

HOST = "(the host)"


def mnemonics(program: Sequence[int], pcs: Sequence[int], states: Sequence[int]) -> list[str]:
    """Return one name per cycle: of the instruction at the pc, or of the host where no program runs."""
    running = next(state.code for state in load().states if state.name == "running")
    names = {pc: disassemble(program[pc]).split()[0] for pc in set(pcs) if pc < len(program)}
    return [names.get(pc, HOST) if state == running else HOST for pc, state in zip(pcs, states, strict=True)]
