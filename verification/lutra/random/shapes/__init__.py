"""The structures of a program: a new one is a function `(writer, room, budget) -> retired at most` and a row here."""

from __future__ import annotations

from dataclasses import dataclass

from lutra.random.shapes import flow, loops, meeting
from lutra.random.writer import Write


@dataclass(frozen=True)
class Shape:
    """A structure with its weight."""

    write: Write
    weight: float
    text: str


SHAPES = {
    "plain": Shape(lambda writer, room, budget: writer.plain(), 24.0, "one instruction without a transfer"),
    "repeat": Shape(loops.repeat, 1.4, "a loop of the loop stack with a number as its count"),
    "repeat_ar": Shape(loops.repeat_ar, 0.5, "the same with an address register, which may be zero"),
    "counted": Shape(loops.counted, 0.6, "a loop closed by a branch on a counter"),
    "branch": Shape(flow.branch, 1.2, "a branch or jump forward, around some instructions"),
    "call": Shape(flow.call, 1.0, "a call of a subroutine"),
    "derived": Shape(flow.derived, 0.6, "an address out of a vector lane, brought into range"),
    "pair": Shape(meeting.pair, 2.0, "a write and another access of its cell, at a distance around the critical one"),
}
