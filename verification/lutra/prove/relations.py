"""Which bytes of the machine are those of a specification's state, between jobs."""

from __future__ import annotations

from collections.abc import Mapping

from lutra.prove.machine import Machine
from lutra.prove.places import Moment, Place, Source, State, lasting, value_of

ROW = 16
Relation = Mapping[tuple[Place, int], Source]
Broken = set[tuple[Place, int]]  # bytes of a relation that do not hold


def shared(machine: Machine, state: State, *, known: bool = False) -> dict[tuple[Place, int], set[Source]]:
    """Find what a machine has of a specification's state, or of its complement: bytes that are constants, or the
    others."""
    moment = Moment(state, [], complements=True)
    found = {
        (place, i): moment.sources(byte, i)
        for place, value in lasting(machine).items()
        for i, byte in enumerate(value.bytes)
        if byte.known == known
    }
    return {key: sources for key, sources in found.items() if sources}


def row(place: Place) -> Place:
    """The row of a byte of memory; any other place is one by itself."""
    *about, at = place
    return (*about, at // ROW) if place[0] == "memory" else place


def broken(machine: Machine, state: State, relation: Relation) -> Broken:
    """Which bytes are not those of the specification's state."""
    moment = Moment(state, [])
    return {
        (place, i)
        for (place, i), source in relation.items()
        if value_of(machine, place).bytes[i] != moment.value(source)
    }
