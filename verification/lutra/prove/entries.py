"""The machine as a routine finds it when it begins."""

from __future__ import annotations

from lutra.prove.affine import Affine
from lutra.prove.bits import Bits, join
from lutra.prove.machine import Machine
from lutra.prove.memory import Memory
from lutra.prove.track import INPUT, OUTPUT


def lane(m: Machine, number: Affine, name: str) -> Bits:
    """A length as the host writes it."""
    if number.known:
        return Bits.number(number.constant, 16)
    size = number.range(m.ranges)[1].bit_length()
    lane = join((Bits.number(0, 16 - size), Bits.unknown(("length", name), size)))
    m.lengths[lane] = number
    return lane


def fresh(machine: Machine, entry: int) -> Machine:
    """The machine as a routine finds it: memories, tables and contexts, but no register has a known value."""
    made = Machine(
        memories=[m.copy() for m in machine.memories],
        banks=[bank.copy() for bank in machine.banks],
        contexts=[c.copy() for c in machine.contexts],
        pc=entry,
    )
    made.hash.gh, gx, gy = (Bits.unknown(("hash", name), 128) for name in ("gh", "gx", "gy"))
    made.hash.load(gx, gy)
    for n in (INPUT, OUTPUT):
        made.memories[n] = Memory(f"m{n}", made.memories[n].size)
    for memory in made.memories:
        memory.lenient = True
    return made
