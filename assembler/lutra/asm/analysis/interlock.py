"""Compute when instructions issue: the interlock of isa/hazards.td on program words, without a machine.

The tables contain what a word reads and writes and the required distances; nothing here knows a particular hazard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from functools import lru_cache
from typing import NamedTuple

from lutra.asm.analysis.decoded import decode
from lutra.asm.analysis.uses import legal
from lutra.isa import Insn, Isa, load

# A cell that a hazard can affect: number of the hazard, resource, number of the cell.
Place = tuple[int, str, int]


class Wait(NamedTuple):
    """Cycles that an instruction waits in ID for one cause and one earlier instruction.

    cause: name of the stall in the tables. producer: identifier of the earlier instruction, as given to
    `Interlock.issue`, usually its program address. ago: number of instructions since then, 1 for the previous one.
    cell: the awaited register or memory in assembly (`v3`, `m2`, `ar5`); `loop` for the entry into a loop, empty for a
    taken transfer.
    """

    cause: str
    cycles: int
    producer: int
    ago: int
    cell: str


class Issue(NamedTuple):
    """The issue of an instruction: its cycle, and its waits before that, in order of cycles."""

    cycle: int
    waits: tuple[Wait, ...] = ()

    @property
    def stall(self) -> int:
        """Total of cycles waited."""
        return sum(wait.cycles for wait in self.waits)


class Touched(NamedTuple):
    """Places where a word can wait, and places that others can wait for, with the distances for one and two rounds per
    instruction. two_rounds: not an instruction on a core with one round. loop_end: last word of the body that the word
    begins; -1 if none."""

    reads: tuple[Place, ...]
    writes: tuple[tuple[Place, tuple[int, int]], ...]
    two_rounds: bool
    loop_end: int


@lru_cache(maxsize=1 << 14)
def touched(word: int) -> Touched:
    """Return what a word reads and writes, in terms of the hazards; nothing if it is not an instruction."""
    isa = load()
    insn = isa.decode(word)
    if insn is None or not legal(word):
        return Touched((), (), False, -1)
    cells = {name: tuple(made(word)) for name, made in _accesses(insn.name).items()}
    resources = {access.name: access.resource for access in isa.accesses}
    reads, writes = [], []
    for number, stall in enumerate(isa.stalls):
        for name in stall.reads:
            reads += [(number, resources[name], cell) for cell in cells.get(name, ())]
        for name in stall.writes:
            writes += [((number, resources[name], cell), stall.distance) for cell in cells.get(name, ())]
    flow = decode(isa, word)
    loop_end = flow.target if flow is not None and flow.is_loop else -1
    return Touched(tuple(reads), tuple(writes), insn.facts.two_rounds, loop_end)


@lru_cache
def _accesses(name: str) -> dict[str, Callable[[int], Iterable[int]]]:
    """Return, by access, the functions that find the accessed cells in a word of an instruction."""
    isa = load()
    insn = next(i for i in isa.instructions if i.name == name)
    accesses = {access.name: access for access in isa.accesses}
    return {
        access: _finder(insn, [(cell, way.fields, way.slots) for cell in cells for way in accesses[access].ways[cell]])
        for access, cells in insn.accesses.items()
    }


def _finder(insn: Insn, ways: list[tuple[int, Mapping[str, int], tuple[str, ...]]]) -> Callable[[int], Iterable[int]]:
    """Return a function that finds the cells in a word: an access happens if the fields have the values of a way.

    A field that the instruction does not have is fixed in its encoding, which decides in advance.
    """
    tests = [
        (
            cell,
            [(insn.fields[f], value) for f, value in fields.items() if f in insn.fields],
            [insn.fields[s] for s in slots if s in insn.fields],
        )
        for cell, fields, slots in ways
    ]

    def found(word: int) -> Iterator[int]:
        for cell, fields, slots in tests:
            if all(bits.of(word) == value for bits, value in fields) and all(bits.of(word) for bits in slots):
                yield cell

    return lambda word: dict.fromkeys(found(word))


class Interlock:
    """Issues instructions one after another, as `iss/src/timing.hpp` does, and reports what each waits for.

    Cycles count from the start: the first instruction issues in cycle 1 at the earliest, its fetch being cycle 0.
    """

    def __init__(self, rounds: int = 2) -> None:
        """rounds: ROUNDS_PER_INSTR, 1 or 2; others raise ValueError."""
        if rounds not in (1, 2):
            raise ValueError(f"rounds per instruction must be 1 or 2, not {rounds}")
        self._isa = load()
        self._rounds = rounds
        self._bubbles = self._isa.stalls[-1].distance[rounds - 1]
        self._earliest = 1
        self._issued = 0
        self._count = 0
        self._last = 0
        self._loop_end = -1  # of the loop that the last instruction has entered
        self._transfer: Wait | None = None
        self._ready: dict[Place, tuple[int, int, int]] = {}  # cycle, producer, its number

    @property
    def cycles(self) -> int:
        """Cycles from the start until the last issued instruction has retired, as a machine counts when it halts."""
        return self._issued + self.depth + 1 if self._count else 0

    @property
    def depth(self) -> int:
        """Cycles from an instruction's issue to its retirement."""
        return retire_stage(self._isa, self._rounds)

    def issue(self, word: int, at: int = 0) -> Issue:
        """Issue the next instruction; `at`, its program address, identifies it in waits.

        A word that is not an instruction waits only for the entry of a loop of which it is the body.
        """
        reads, writes, two_rounds, loop_end = touched(word)
        if two_rounds and self._rounds == 1:
            reads, writes = (), ()
        entry = self._enter(at, loop_end)
        held = [(place, self._ready[place]) for place in reads if place in self._ready]
        need = max([self._earliest, *(ready for _, (ready, _, _) in held)])
        waits = (*entry, *self._waits(held, need)) if need > self._earliest else entry
        if self._transfer is not None:
            waits, self._transfer = (self._transfer, *waits), None
        self._issued, self._earliest, self._last, self._loop_end = need, need + 1, at, loop_end
        self._count += 1
        for place, distance in writes:
            self._ready[place] = (need + distance[self._rounds - 1], at, self._count)
        return Issue(need, waits)

    def taken(self) -> None:
        """The last instruction has transferred control: the next one is fetched later."""
        self._earliest += self._bubbles
        self._loop_end = -1
        self._transfer = Wait(self._isa.stalls[-1].name, self._bubbles, self._last, 1, "")

    def resume(self) -> None:
        """The host resumes the program after a wait: fetch restarts when everything has retired."""
        self._earliest = self.cycles + 1

    @property
    def earliest(self) -> int:
        """The cycle in which the next instruction issues if it waits for nothing."""
        return self._earliest

    def copy(self) -> Interlock:
        """Return an independent copy."""
        other = copy(self)
        other._ready = dict(self._ready)
        return other

    def state(self) -> tuple[tuple[Place, int, int], ...]:
        """Return what later instructions can still wait for: place, cycles from now on, and producer.

        Two equal states have the same future.
        """
        waiting = ((place, ready - self._earliest, at) for place, (ready, at, _) in self._ready.items())
        return tuple(sorted(row for row in waiting if row[1] > 0))

    def _enter(self, at: int, loop_end: int) -> tuple[Wait, ...]:
        """A loop is active one cycle late for a body of one word, and for another `repeat` right after it."""
        if self._loop_end < 0 or (self._loop_end != at and loop_end < 0):
            return ()
        self._earliest += self._isa.loop_entry
        return (Wait(self._isa.stalls[-1].name, self._isa.loop_entry, self._last, 1, "loop"),)

    def _waits(self, held: list[tuple[Place, tuple[int, int, int]]], until: int) -> Iterator[Wait]:
        """Assign every stall cycle to the first cause that applies, and to the last producer of that cause."""
        waits: list[Wait] = []
        for cycle in range(self._earliest, until):
            open_ = [(place[0], -ready, place, at, number) for place, (ready, at, number) in held if ready > cycle]
            cause, _, place, at, number = min(open_)
            wait = Wait(
                self._isa.stalls[cause].name,
                1,
                at,
                self._count + 1 - number,
                self._isa.resource_by_record[place[1]].cells[place[2]],
            )
            if waits and waits[-1]._replace(cycles=1) == wait:
                waits[-1] = wait._replace(cycles=waits[-1].cycles + 1)
            else:
                waits.append(wait)
        return iter(waits)


def retire_stage(isa: Isa, rounds: int) -> int:
    """Return the number of the last stage: cycles from issue to retirement."""
    return max(stage.two_rounds if rounds == 2 else stage.one_round for stage in isa.stages)
