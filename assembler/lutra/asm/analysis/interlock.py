"""When instructions issue: the interlock of isa/hazards.td over program words, without a machine.

What a word reads and writes, and how far one must be from the other, is in the tables; nothing here knows a hazard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from functools import lru_cache
from typing import NamedTuple

from lutra.asm.analysis.decoded import decode
from lutra.asm.analysis.uses import legal
from lutra.isa import Insn, Isa, load

# A cell of a resource in which a hazard can hold: number of the hazard, resource, number of the cell.
Place = tuple[int, str, int]


class Wait(NamedTuple):
    """Cycles that an instruction waits in ID for one cause and one earlier instruction.

    cause: the stall's name in the tables. producer: what `Interlock.issue` was told of the earlier instruction, its
    program address as a rule. ago: how many instructions ago that was issued, 1 for the one before. cell: what is
    waited for, as assembly names it (`v3`, `m2`, `ar5`); `loop` for the entry into one, empty for a taken transfer.
    """

    cause: str
    cycles: int
    producer: int
    ago: int
    cell: str


class Issue(NamedTuple):
    """An instruction issues: its cycle, and for what it waited before that, in the order of the cycles."""

    cycle: int
    waits: tuple[Wait, ...] = ()

    @property
    def stall(self) -> int:
        """Cycles that it waited."""
        return sum(wait.cycles for wait in self.waits)


class Touched(NamedTuple):
    """The places in which a word can wait, and those that others can wait for, with the distances for one and two
    rounds an instruction. two_rounds: with one round it is no instruction. loop_end: the last word of the body that it
    begins; -1 where it begins none."""

    reads: tuple[Place, ...]
    writes: tuple[tuple[Place, tuple[int, int]], ...]
    two_rounds: bool
    loop_end: int


@lru_cache(maxsize=1 << 14)
def touched(word: int) -> Touched:
    """What a word reads and writes, as the hazards see it; nothing for what is no instruction."""
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
    """By access, what finds in a word of an instruction the cells to which it makes the access."""
    isa = load()
    insn = next(i for i in isa.instructions if i.name == name)
    accesses = {access.name: access for access in isa.accesses}
    return {
        access: _finder(insn, [(cell, way.fields, way.slots) for cell in cells for way in accesses[access].ways[cell]])
        for access, cells in insn.accesses.items()
    }


def _finder(insn: Insn, ways: list[tuple[int, Mapping[str, int], tuple[str, ...]]]) -> Callable[[int], Iterable[int]]:
    """What tells the cells by a word: it makes the access where the fields of a way hold what it says.

    A field that the instruction does not have is fixed in its encoding, and so is what it says.
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
    """Issues instructions one after the other, as `iss/src/timing.hpp` does, and says what each waits for.

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
        """Cycles from the start until the last instruction issued has retired: what a machine counts when it halts."""
        return self._issued + self.depth + 1 if self._count else 0

    @property
    def depth(self) -> int:
        """Cycles from an instruction's issue to its retirement."""
        return retire_stage(self._isa, self._rounds)

    def issue(self, word: int, at: int = 0) -> Issue:
        """Issue the next instruction; `at`, its program address, stands for it in waits.

        What is no instruction waits for nothing but the entry of a loop of which it is the body.
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
        """The host lets the program go on after a wait: it is fetched anew once all has retired."""
        self._earliest = self.cycles + 1

    @property
    def earliest(self) -> int:
        """The cycle in which the next instruction issues if it waits for nothing."""
        return self._earliest

    def copy(self) -> Interlock:
        """One that goes on from here by itself."""
        other = copy(self)
        other._ready = dict(self._ready)
        return other

    def state(self) -> tuple[tuple[Place, int, int], ...]:
        """What later instructions can still wait for: where, how many cycles from now on, and for whom.

        Two equal states have the same future.
        """
        waiting = ((place, ready - self._earliest, at) for place, (ready, at, _) in self._ready.items())
        return tuple(sorted(row for row in waiting if row[1] > 0))

    def _enter(self, at: int, loop_end: int) -> tuple[Wait, ...]:
        """The loop that the last instruction has entered is there a cycle late for its only word, and for another."""
        if self._loop_end < 0 or (self._loop_end != at and loop_end < 0):
            return ()
        self._earliest += self._isa.loop_entry
        return (Wait(self._isa.stalls[-1].name, self._isa.loop_entry, self._last, 1, "loop"),)

    def _waits(self, held: list[tuple[Place, tuple[int, int, int]]], until: int) -> Iterator[Wait]:
        """Every stall cycle counts under the first cause that holds in it, and of that the last producer."""
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
    """Number of the last stage: cycles from issue to retirement."""
    return max(stage.two_rounds if rounds == 2 else stage.one_round for stage in isa.stages)
