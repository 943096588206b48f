"""The assumptions about the passes of a loop, as it begins and as fewer and fewer hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lutra.isa import load
from lutra.prove import echoes
from lutra.prove.affine import Affine
from lutra.prove.control import Induction
from lutra.prove.echoes import Key
from lutra.prove.passes import move
from lutra.prove.places import ROW, Place, Source
from lutra.prove.track import OUTPUT, Track
from lutra.prove.words import decode


@dataclass
class Pattern:
    """The things that are not assumed of a pass, which grow until the pass preserves all that is.

    changed: places that a pass changes. forgotten: memory blocks that it writes at addresses that move. refuted:
    sources that a byte does not have after all. lost: address registers that move otherwise. swept: ranges of addresses
    of forgotten memories outside of which nothing is written by an address that moves; of all others, everywhere.
    unequal: bytes that are not equal wherever a pass begins. echoes: the next pass reads the output. unread: vector
    registers that a pass does not read before it writes them, whose values are not looked for among those of a later
    input.
    """

    changed: set[Place] = field(default_factory=set)
    forgotten: set[int] = field(default_factory=lambda: {OUTPUT})
    refuted: set[tuple[Key, Source]] = field(default_factory=set)
    lost: set[int] = field(default_factory=set)
    swept: dict[int, set[tuple[int, int]]] = field(default_factory=dict)
    unequal: set[tuple[Key, Key]] = field(default_factory=set)
    echoes: bool = False
    unread: frozenset[int] = frozenset()

    @property
    def size(self) -> int:
        """Number of things that are not assumed."""
        swept = sum(high - low + 1 for ranges in self.swept.values() for low, high in ranges)
        lost = len(self.refuted) + len(self.lost) + len(self.unequal)
        return len(self.changed) + len(self.forgotten) + lost + swept

    def remembers(self, place: Place) -> bool:
        """Whether it is not in a forgotten memory, or where nothing is written by an address that moves."""
        if place[0] != "memory" or place[1] not in self.forgotten:
            return True
        return not place[2] and not self.sweeps(place[1], place[3])

    def sweeps(self, block: int, at: int) -> bool:
        """Whether a byte of a forgotten memory may be overwritten by an address that moves."""
        return block not in self.swept or any(low <= at <= high for low, high in self.swept[block])

    def sweep(self, block: int, low: int, high: int) -> None:
        """Add a range to those that it meets."""
        ranges = self.swept.setdefault(block, set())
        met = {(a, b) for a, b in ranges if a <= high + 1 and low <= b + 1}
        low, high = min([low, *(a for a, _ in met)]), max([high, *(b for _, b in met)])
        self.swept[block] = (ranges - met) | {(low, high)}


def swept(track: Track, first: Track, induction: Induction, turns: Affine, program: Sequence[int]) -> Pattern:
    """The pattern before the first attempt: stores of the loop's body, by which the state may move through memory."""
    pattern = Pattern(echoes=not track.apart and echoes.read(track.machine, induction, program))
    _, passes = turns.range(track.machine.ranges)
    if (pattern.echoes or track.sweeps is not None) and (start := track.place()).known:
        # Rows after the output are scratch, and other loops may read those before.
        pattern.swept[OUTPUT] = set()
        if track.job.outputs and not track.outputs:
            pattern.forgotten.remove(OUTPUT)  # unless it is found to be written
        elif track.outputs:
            size = track.job.unit_bytes * track.total.range(track.machine.ranges)[1]
            low = min(start.constant, 0) if pattern.echoes else track.place(track.seen).constant
            pattern.sweep(OUTPUT, low, size - 1)
    if not (track.moving or track.apart):
        return pattern
    for pc in range(track.machine.pc + 1, induction.end + 1):
        word = decode(program[pc])
        if not word.insn.vector or not word.insn.facts.store or word.store is None or word.store.pattern is None:
            continue
        register = word.store.register
        by, begin = move(track.machine, first.machine, register), track.machine.address[register]
        for block in next(s.blocks for s in load().spaces if s.code == word["sb"]):
            if by and begin is not None and begin.known and block != OUTPUT:
                # Bytes that are written one pass earlier move, too.
                ends = [begin.constant + by * times for times in (0 if track.apart else -1, 1, passes)]
                pattern.forgotten.add(block)
                pattern.sweep(block, min(ends), max(ends) + ROW - 1)
    return pattern
