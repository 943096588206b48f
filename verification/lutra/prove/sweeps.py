"""Jobs whose loops go over the message one after the other, each from its first unit on.

The words of the specification's state after so many units have names by that number, in whatever loop. So what a loop
has left is known to be what the next one finds, once both have come to the same number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from lutra.prove.affine import Affine
from lutra.prove.atoms import Bit, current
from lutra.prove.bits import Bits
from lutra.prove.machine import Machine
from lutra.prove.places import State, everything, put, unknown
from lutra.prove.renaming import Renaming

AFTER = "after"  # so many units
Known = Callable[[Affine], State | None]


@dataclass
class Sweeps:
    """Progress of the loops of a job, and what they have in common.

    machine, state: at the beginning of the job. compared: state and units of the loop that has written the outputs,
    which have been compared so far. loop: units that were done before the first loop, and units of a pass. silent: a
    loop compares no outputs. symbols: those on which names depend that the loops have given, of all paths.
    """

    machine: Machine
    state: State
    compared: tuple[State, Affine] | None = None
    loop: tuple[int, int] | None = None
    silent: bool = False
    symbols: set[str] = field(default_factory=set)

    def after(self, done: Affine, name: str, like: Bits) -> list[Bits]:
        """The bytes of a word of the state after so many units."""
        self.symbols.update(symbol for symbol, _ in done.terms)
        return unknown(AFTER, (done, name), like)

    def renamed(self, machine: Machine, state: State, name: str, value: Affine, known: Known) -> State:
        """Let a symbol have a value in the names of words of the state, and of bytes that were in memories before the
        program. Returns the state. known: the state after so many units of the job, if it has a form of its own."""
        if self.compared is not None:
            self.compared = self.compared[0], self.compared[1].with_(name, value)
        if name not in self.symbols and not any(memory.depends(name) for memory in machine.memories):
            return state
        self.symbols.update(symbol for symbol, _ in value.terms)
        other = _renaming(name, value, known)
        before = everything(self.machine)
        for place, word in everything(machine).items():
            if before.get(place) is not word:
                put(machine, place, Bits(other(word)))
        for memory in machine.memories:
            memory.rename(name, lambda byte: Bits(other(byte)))
        if self.compared is not None:
            self.compared = _other(other, self.compared[0]), self.compared[1]
        return _other(other, state)


def _other(renaming: Renaming, state: State) -> State:
    return {key: Bits(renaming(word)) for key, word in state.items()}


def _renaming(name: str, value: Affine, known: Known) -> Renaming:
    known = cache(known)

    def unknown(of: Any) -> Bit | None:
        new: Any
        match of:
            case ((kind, (Affine() as done, word)), int(place)) if kind == AFTER:
                done = done.with_(name, value)
                if (state := known(done)) is not None:
                    return tuple.__getitem__(state[word], place)
                new = kind, (done, word)
            case ((memory, int(age), tuple(terms), int(at)), int(place)) if name in dict(terms):
                moved = Affine(at, terms).with_(name, value)
                new = memory, age, moved.terms, moved.constant
            case _:
                return None
        return current().unknown((new, place))

    return Renaming(current(), unknown)
