"""Jobs whose loops go over the message one after the other, each from its first unit on.

The words of the specification's state after so many units have names by that number, in whatever loop. So what a loop
has left is known to be what the next one finds, once both have come to the same number.
"""

from __future__ import annotations

from typing import Any

from lutra.prove.affine import Affine
from lutra.prove.atoms import Bit, current
from lutra.prove.bits import Bits
from lutra.prove.machine import Machine
from lutra.prove.places import State, everything, put
from lutra.prove.renaming import Renaming

AFTER = "after"  # so many units


def renamed(machine: Machine, state: State, begun: Machine, name: str, value: Affine) -> State:
    """Let a symbol have a value in the names of words of the state, and of bytes that were in memories before the
    program. Returns the state. begun: the machine at the beginning, which has no such names."""

    def unknown(of: Any) -> Bit | None:
        new: Any
        match of:
            case ((kind, (Affine() as done, word)), int(place)) if kind == AFTER:
                new = kind, (done.with_(name, value), word)
            case ((memory, int(age), tuple(terms), int(at)), int(place)) if name in dict(terms):
                moved = Affine(at, terms).with_(name, value)
                new = memory, age, moved.terms, moved.constant
            case _:
                return None
        return current().unknown((new, place))

    other = Renaming(current(), unknown)
    before = everything(begun)
    for place, word in everything(machine).items():
        if before.get(place) is not word:
            put(machine, place, Bits(other(word)))
    for memory in machine.memories:
        memory.rename(name, lambda byte: Bits(other(byte)))
    return {key: Bits(other(word)) for key, word in state.items()}
