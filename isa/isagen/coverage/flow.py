"""Coverpoints of program flow, traps and the host."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from isagen.coverage.coverpoint import Coverpoint, Cross
from isagen.coverage.dimension import (
    BODY,
    COUNT,
    EFFECT,
    END,
    EVENT,
    INSIDE,
    NESTING,
    PLACE,
    REPORTED,
    SLOT,
    TAKEN,
    Bin,
)
from isagen.coverage.instructions import REPEATS
from isagen.coverage.view import View


class Depth(Coverpoint):
    name = "loop.depth"
    text = "depth of the loop stack and of the call stack after an instruction"

    def cross(self, view: View) -> Cross:
        return view.loops, view.calls


class Repeat(Coverpoint):
    name = "loop.repeat"
    text = "instruction, count, length of the body"

    def cross(self, view: View) -> Cross:
        return view.insn, COUNT, BODY

    def bins(self, rounds: int) -> Iterable[Bin]:
        insns = [i.record for i in self.view.legal(rounds) if self.view.facts(i).sq in REPEATS]
        return product(insns, COUNT.labels, BODY.labels)


class Branch(Coverpoint):
    name = "branch.taken"
    text = "transfer, taken or not, at a loop's end or elsewhere"

    def cross(self, view: View) -> Cross:
        return view.insn, TAKEN, END

    def bins(self, rounds: int) -> Iterator[Bin]:
        for i in self.view.legal(rounds):
            facts = self.view.facts(i)
            if facts.sq in REPEATS:
                yield from product([i.record], TAKEN.labels, END.labels[:1])
            elif facts.sq in ("SqJump", "SqCall", "SqReturn"):
                taken = TAKEN.labels if facts.conditional else TAKEN.labels[:1]
                yield from product([i.record], taken, END.labels)


class TrapCause(Coverpoint):
    name = "trap.cause"
    text = "cause, at a loop's end or elsewhere"

    def cross(self, view: View) -> Cross:
        return view.trap, PLACE


class TrapFault(Coverpoint):
    name = "trap.fault"
    text = "what found an injected fault, at a loop's end or elsewhere"

    def cross(self, view: View) -> Cross:
        return view.fault, PLACE

    def bins(self, rounds: int) -> Iterator[Bin]:
        return product(self.view.found_faults, PLACE.labels)


class TrapSlot(Coverpoint):
    name = "trap.slot"
    text = "slot whose access is out of range, space"

    def cross(self, view: View) -> Cross:
        return SLOT, view.space

    def bins(self, rounds: int) -> Iterator[Bin]:
        return ((slot, space.name) for slot, space in self.view.slot_spaces(rounds))


class TrapNesting(Coverpoint):
    name = "trap.nesting"
    text = "rule of nesting that a REPEAT breaks, whether overflow is reported instead"

    def cross(self, view: View) -> Cross:
        return NESTING, REPORTED


class TrapMeeting(Coverpoint):
    name = "trap.meeting"
    text = "two traps that apply to one instruction"

    def cross(self, view: View) -> Cross:
        return (view.meeting,)


class HostEffect(Coverpoint):
    name = "host.effect"
    text = "effect, within loops and calls or not"

    def cross(self, view: View) -> Cross:
        return EFFECT, INSIDE


class HostControl(Coverpoint):
    name = "host.control"
    text = "start, reset, wipe or escalation, state before it"

    def cross(self, view: View) -> Cross:
        return EVENT, view.state

    def bins(self, rounds: int) -> Iterator[Bin]:
        states = [s.name for s in self.view.isa.program_states]
        running = next(s.name for s in self.view.isa.states if s.record == "StateRunning")
        ended = [s for s in states if s != running]
        yield from product(["start"], ended)
        every = [*states, *self.view.faulted, *self.view.locked]
        yield from product(["reset"], every)
        if self.view.locked:  # a core with a wipe
            yield from product(["wipe"], [*ended, *self.view.faulted])
            yield from product(["escalate"], every)
