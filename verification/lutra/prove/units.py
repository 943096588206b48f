"""Bits that units of the specification make, of a job whose loops do a part of every unit, one loop after the other."""

from __future__ import annotations

from dataclasses import dataclass, field

from lutra.prove.affine import Affine
from lutra.prove.layers import Layered, Origin
from lutra.prove.machine import Machine, valued
from lutra.prove.places import State
from lutra.prove.values import Bit


@dataclass
class Units:
    """Progress of a job.

    known: bits that units make, as sums of bits of the input and of the output. ahead: places in a byte of the output
    that are known beyond the last unit. loops: that have been done. last: the last unit, if it is known.
    """

    known: dict[Bit, tuple[Origin, ...]] = field(default_factory=dict)
    ahead: frozenset[int] = frozenset()
    loops: int = 0
    last: Affine | None = None

    def restrict(self, machine: Machine, state: State, name: str, value: Affine) -> State:
        """A symbol has a value, by which it may turn out that bytes are those at a known address, which has the bits of
        the specification's state. Returns the state."""
        self.last = None
        self.known = {
            bit: tuple((n, at.with_(name, value), place) for n, at, place in parts) for bit, parts in self.known.items()
        }
        for memory in machine.memories:
            if isinstance(memory, Layered) and memory.renamed:
                values, memory.renamed = memory.renamed, {}
                machine.vectors = {n: valued(word, values) for n, word in machine.vectors.items()}
                for other in machine.memories:
                    for terms, parts in other.written().items():
                        for at, byte in parts.items():
                            other.replace(terms, at, valued(byte, values))
                state = {key: valued(word, values) for key, word in state.items()}
        return state
