"""Memories into which a loop has copied the outputs of a job, for a loop that goes over these again.

Decryption that computes twice copies its text to where the input was, and the MAC reads it there, some rows ahead. An
output is known by the number of its unit, as words of the specification's state are.
"""

from __future__ import annotations

from lutra.prove.affine import Affine
from lutra.prove.arrays import Copy
from lutra.prove.bits import join
from lutra.prove.machine import Machine
from lutra.prove.splits import Split
from lutra.prove.track import OUTPUT, Track

MOST_AHEAD = 2  # units that a pass reads for the next ones; so many passes at the end are not like the others


def have(machine: Machine) -> bool:
    """Whether there are copies."""
    return any(isinstance(array, Copy) for memory in machine.memories for array in memory.arrays)


def found(before: Track, end: Track, index: str, units: int) -> bool:
    """Find what a loop has copied: all that a pass writes to a memory are outputs of its units, each at its place.

    before: in front of the loop. end: after a representative pass, in front of which everything in that memory was
    forgotten. index: the symbol for the number of the pass.
    """
    place, size = end.place(), units * end.job.unit_bytes
    if end.sweeps is None or end.outputs or not before.done.known or dict(place.terms).get(index) != size:
        return False
    outputs = {place.terms: dict(enumerate(join(end.ahead(units)[1]).bytes, place.constant))}
    copied = [m for n, m in enumerate(end.machine.memories) if n != OUTPUT and m.written() == outputs]
    for memory in copied:
        memory.arrays += (Copy.of(before.place(), size, Affine.symbol(index) + 1),)
    return bool(copied)


def begin(before: Track, end: Track, index: str, turns: Affine) -> None:
    """Let the program find the first units, which it may read in front of the next loop. Split where there may be fewer
    of them. index: the symbol for the number of the last pass."""
    least, _ = turns.range(before.machine.ranges)
    if not turns.known:
        if least <= MOST_AHEAD:
            raise Split(turns.terms[0][0])
        end.machine.ranges[index] = least - 1, end.machine.ranges[index][1]
    put(before, before.done, Affine(1), end.machine)


def put(track: Track, begun: Affine, turns: Affine, machine: Machine | None = None) -> None:
    """Let the machine, or another one, have the units of a pass, and those that follow, as far as every pass has them
    there. begun: units that are done when the first of so many passes begins."""
    machine = machine or track.machine
    if track.sweeps is None or track.sweeps.loop is None or not have(machine):
        return
    units, size = track.sweeps.loop[1], track.job.unit_bytes
    outputs = track.ahead(units + MOST_AHEAD)[1]
    last = begun + (turns - 1) * units
    for memory in machine.memories:
        for copy in (array for array in memory.arrays if isinstance(array, Copy)):
            for n, output in enumerate(outputs):
                place = track.place(n)
                if copy.has(place, (last + n) * size, size, machine.ranges):
                    for i, byte in enumerate(output.bytes):
                        memory.know(place + i, byte)
