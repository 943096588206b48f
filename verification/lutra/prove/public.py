"""A word of a specification's state that is public, such as the number of a unit modulo 8: each value is a case.

Firmware has it in its own way, perhaps as addresses. Which bytes these are is read off jobs of so many units.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lutra.prove.bits import Bits
from lutra.prove.errors import Unprovable
from lutra.prove.machine import Machine
from lutra.prove.places import Place, State, View, put, value_of


class Public:
    """The public words of a state, and the bytes that the machine has for each value.

    values: how many values a word has, by its name; there is one word at most.
    """

    def __init__(self, values: Mapping[str, int]) -> None:
        if len(values) > 1:
            raise Unprovable("a state has several public words")
        self.values = values
        self.bytes: Sequence[Mapping[Place, Bits]] = [{}]

    @property
    def places(self) -> set[Place]:
        """The places of these bytes."""
        return set(self.bytes[0])

    def general(self, state: State) -> State:
        """Any state with the same public words."""
        return {
            name: word if name in self.values else Bits.unknown(("state", name), len(word))
            for name, word in state.items()
        }

    def private(self, state: State) -> State:
        """The state without public words."""
        return {name: word for name, word in state.items() if name not in self.values}

    def cases(self, state: State) -> Iterator[State]:
        """Yield the state with each value."""
        for name, count in self.values.items():
            yield from ({**state, name: Bits.number(value, len(state[name]))} for value in range(count))
        if not self.values:
            yield state

    def find(self, views: Sequence[View | None]) -> None:
        """Take the bytes that are known and depend on the value. views: what there is where it has each."""
        known = [{place: byte for place, byte in (view or {}).items() if byte.known} for view in views]
        places = set.intersection(*map(set, known))
        moving = {place for place in places if len({view[place] for view in known}) > 1}
        self.bytes = [{place: view[place] for place in moving} for view in known]

    def _of(self, state: State) -> Mapping[Place, Bits]:
        for name in self.values:
            if not state[name].known:
                raise Unprovable(f"{name} is public, and not known")
            return self.bytes[state[name].value]
        return {}

    def assume(self, machine: Machine, state: State) -> None:
        """Let the machine have what belongs to a state."""
        for place, byte in self._of(state).items():
            put(machine, place, byte)

    def broken(self, machine: Machine, state: State) -> bool:
        """Whether some of it does not hold; less is assumed from here on."""
        wrong = {place for place, byte in self._of(state).items() if value_of(machine, place) != byte}
        self.bytes = [{place: byte for place, byte in of.items() if place not in wrong} for of in self.bytes]
        return bool(wrong)
