"""Bytes of the output that the next pass of a loop reads, and bytes that are equal wherever a pass begins.

Firmware that computes twice compares a row of the output with what it has kept in a register, a pass later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lutra.prove.bits import Bits
from lutra.prove.control import Induction
from lutra.prove.machine import Machine
from lutra.prove.places import ROW, Place, View
from lutra.prove.track import OUTPUT, Track
from lutra.prove.words import decode

Key = tuple[Place | str, int]  # a byte of a place, or of a name of the specification's state


def read(machine: Machine, induction: Induction, program: Sequence[int]) -> bool:
    """Whether the body of a loop reads the memory of the output."""
    words = (decode(program[pc]) for pc in range(machine.pc + 1, induction.end + 1))
    return any(word.insn.vector and word.insn.facts.data and word.data and word["db"] == OUTPUT for word in words)


def moving(old: View, new: View, places: range, by: set[int]) -> Iterator[tuple[Place, Bits, Bits]]:
    """Yield bytes of the output that were written before a pass, each as it is and as it is one pass on. by: how far
    address registers move."""
    for distance in sorted(by):
        for at in places:
            x, y = old.get(("memory", OUTPUT, (), at)), new.get(("memory", OUTPUT, (), at + distance))
            if x is not None and y is not None:
                yield ("moving", OUTPUT, distance, at), x, y


def places(track: Track, *, echoes: bool) -> range:
    """Where the output has been written before a pass: units of which rows are missing, and, where the next pass reads
    it, the last row and units that are not done."""
    done, last, size = track.place(), track.place(track.seen), track.job.unit_bytes
    if not (track.outputs and done.known and last.known):
        return range(0)
    end = last.constant + (size if size > ROW else 0)
    return range(min(last.constant - ROW, done.constant) if echoes else last.constant, end)


@dataclass
class Equal:
    """Bytes that are equal before the first pass and after it, which are assumed to be equal before any.

    values: of those that have others. unequal: pairs that are not equal after all.
    """

    values: set[tuple[Bits, Bits]] = field(default_factory=set)
    unequal: set[tuple[Key, Key]] = field(default_factory=set)
    firsts: dict[tuple[Bits, Bits], list[tuple[Key, Bits]]] = field(default_factory=dict)
    pairs: list[tuple[Key, Key]] = field(default_factory=list)

    def assumed(self, key: Key, x: Bits, y: Bits, own: Bits) -> Bits:
        """The byte that one of them is, which was x and became y: that of the first one, or its own."""
        if (x, y) not in self.values:
            return own
        firsts = self.firsts.setdefault((x, y), [])
        for first, byte in firsts:
            if (key, first) not in self.unequal:
                self.pairs.append((key, first))
                return byte
        firsts.append((key, own))
        return own
