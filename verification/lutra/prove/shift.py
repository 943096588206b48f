"""Values of a loop that works ahead: as before its first pass, but of units of the input that come later."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from lutra.prove.affine import Affine
from lutra.prove.atoms import Bit, current
from lutra.prove.bits import Bits
from lutra.prove.places import State
from lutra.prove.renaming import Renaming
from lutra.prove.track import INPUT, Track


class Shift:
    """Values as they become if the input is so many bytes later, and the specification in another state.

    A substitution of unknowns: of the input's bytes, and of the bits of the state before, as far as these are unknowns,
    or sums of an unknown word and a constant, as a counter is.
    """

    def __init__(self, track: Track, state: State, by: Affine) -> None:
        self._memory, self._by = track.machine.memories[INPUT], by
        atoms = current().atoms
        self._state: dict[Hashable, Bit] = {}
        for name, word in track.state.items():
            counted, more = current().counter(word)
            for old, new in zip(counted, state[name] - more if more else state[name], strict=True):
                atom = atoms[min(old)] if len(old) == 1 else None
                if atom is not None and atom.kind == "unknown":
                    self._state[atom.name] = new
        self._renamed = Renaming(current(), self._unknown)

    def _unknown(self, name: Any) -> Bit | None:
        if name in self._state:
            return self._state[name]
        match name:
            case (memory, 0, terms, at), int(place) if memory == self._memory.name:
                byte = self._memory.first(Affine(at, terms) + self._by, 1)
                return tuple.__getitem__(byte, place)
        return None

    def __call__(self, value: Bits) -> Bits:
        """The value later."""
        return Bits(self._renamed(value))
