"""Passes of a loop: executed one by one, and how many of them are as one."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, lcm

from lutra.isa import load
from lutra.prove.affine import Affine
from lutra.prove.control import Induction, Revealed
from lutra.prove.errors import Unprovable
from lutra.prove.executor import step
from lutra.prove.machine import ADDRESSES, Loop, Machine
from lutra.prove.splits import Split
from lutra.prove.unread import Unread
from lutra.prove.words import decode

# Passes that are executed as one, where address registers go around in a window.
MOST_PERIOD = 16


def period(machine: Machine, induction: Induction, program: Sequence[int]) -> int:
    """After how many passes the address registers that go around in windows are where they were; one where these are
    too many, or where it is not known."""
    windows: dict[int, int] = {}
    for pc in range(machine.pc + 1, induction.end + 1):
        word = decode(program[pc])
        facts = word.insn.facts
        used = (facts.key_blocks and word.key, facts.data and word.data, facts.store and word.store)
        for slot in used if word.insn.vector else ():
            if slot and slot.pattern is not None and load().wrap(slot.pattern).comparison:
                window = machine.window[slot.register]
                windows[slot.register] = abs(window[1] - window[0]) if window is not None else 0
    if not windows:
        return 1
    after = machine.copy()
    once(after, induction.end, program)
    moves = {n: move(machine, after, n) or 0 for n in windows}
    passes = lcm(*(size // gcd(size, moves[n]) for n, size in windows.items() if size))
    return passes if passes <= MOST_PERIOD else 1


def grouped(turns: Affine, of: int) -> tuple[Affine, int, int]:
    """Groups of passes, how many passes are one, at least so many, and how many are left. Split where that depends on a
    length."""
    for name, times in turns.terms:
        if times % of:
            raise Split(name, of // gcd(times, of), groups=True)
    if len(turns.terms) == 1 and turns.terms[0][1] <= MOST_PERIOD:
        of = turns.terms[0][1]
    terms = tuple((name, times // of) for name, times in turns.terms)
    return Affine(turns.constant // of, terms), of, turns.constant % of


def execute(
    machine: Machine, start: int, end: int, program: Sequence[int], count: int, unread: Unread | None = None
) -> None:
    """Execute the body of a loop so many times."""
    for _ in range(count):
        machine.pc = start
        once(machine, end, program, unread)


def once(machine: Machine, end: int, program: Sequence[int], unread: Unread | None = None) -> None:
    """Execute the body of a loop once, from its repeat to what follows the loop. unread: where registers that it reads
    are put down."""
    depth = len(machine.loops)
    machine.loops.append(Loop(machine.pc + 1, end, 1))
    machine.pc += 1
    try:
        while len(machine.loops) > depth or machine.pc != end + 1:
            if unread is not None:
                unread.execute(decode(program[machine.pc]))
            if not step(machine, program):
                raise Unprovable("a program halts within a loop")
    except Induction:
        raise Unprovable("a loop of any number of passes is within another") from None
    except Revealed:
        raise Unprovable("a branch of a loop depends on whether a tag is right") from None


def move(before: Machine, after: Machine, n: int) -> int | None:
    """How far a pass brings an address register, if that is a number."""
    a, b = before.address[n], after.address[n]
    return (b - a).constant if a is not None and b is not None and (b - a).known else None


def unlike(before: Machine, after: Machine) -> bool:
    """Whether a first pass is not like the others: an address register reaches the end of its window, or the product of
    the hash unit is begun otherwise."""
    for n, (window, by) in enumerate(zip(before.window, before.step, strict=True)):
        moves = move(before, after, n) or 0
        if window is not None and by and moves and (moves < 0) == (by < ADDRESSES // 2):
            return True
    return before.hash.steps != after.hash.steps


def set_up(machine: Machine) -> tuple[object, ...]:
    """Return what no pass changes."""
    return machine.step, machine.window, machine.counter_bytes, [bank.rows for bank in machine.banks]
