"""Execution of a program on the symbolic machine: one path after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lutra.prove import control
from lutra.prove.errors import Refuted, Unprovable
from lutra.prove.machine import Machine
from lutra.prove.words import decode


def step(machine: Machine, program: Sequence[int]) -> bool:
    """Execute a word; whether the program goes on."""
    if not 0 <= machine.pc < len(program):
        raise Refuted(f"the program counter leaves the program: {machine.pc:#06x}")
    word = decode(program[machine.pc])
    if not word.insn.vector:
        return control.execute(machine, word)
    machine.execute(word)
    machine.pc = control.after(machine)
    return True


def run(machine: Machine, program: Sequence[int]) -> Iterator[Machine]:
    """Execute from the machine's program counter; yield the machine as it halts, once for each path."""
    while step(machine, program):
        pass
    yield machine


__all__ = ["Unprovable", "run", "step"]
