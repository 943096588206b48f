"""A program with macros, an include, loops, a call and a notify, and sessions with it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import lutra
from lutra.debug import Session
from lutra.iss.job import Job

ROUNDS = """\
        .macro round state, word
        add32   \\state, \\state, \\word
        rotx    \\state, \\state, zero, 8
        .endm
        .macro double_round state, word
        round   \\state, \\word
        round   \\state, \\word
        .endm
"""
PROGRAM = """\
        .include "round.inc"
// view: v0 state 4x4
// view: key parts w:4*4
// view: * pair a:8 b:8
        .section m0
key:    .row    "000102030405060708090a0b0c0d0e0f"
one:    .row    "00000000000000000000000000000001"
        .section text
        .global main, twice
        .entry  main
main:   mov     v0, m0[key]
        mov     v1, m0[one]
        arset   ar0, 0x20
        repeat  4, done
        double_round v0, v1             // two rounds in each pass
done:   mov     m3[ar0++], v0
        call    twice
        notify  3
        mov     v2, m2[0]
        halt
twice:  arset   ar1, 2
again:  mov     m1[0x40], v0
        aradd   ar1, ar1, -1
        bnz     ar1, again
        ret
"""


@cache
def _image(program: str) -> lutra.Image:
    return lutra.assemble([Path("program.s")], warnings=["no-all"])


def open_session(program: str = PROGRAM, engine: str = "iss", *entries: str, **rest: object) -> Session:
    """A session with a program, whose source is written to the current folder."""
    Path("round.inc").write_text(ROUNDS)
    Path("program.s").write_text(program)
    image = _image(program)
    starts = tuple(image.symbol(name).value for name in entries) or (image.entry,)
    return Session.open(Job(image, starts, **rest), engine)  # type: ignore[arg-type]


class Plain:
    """Effects of the program, from retirement records alone: the state at every time, without a debugger."""

    def __init__(self, program: str = PROGRAM) -> None:
        open_session(program)
        self.engine = lutra.make_engine("iss")
        self.engine.load(_image(program))
        self.engine.start(_image(program).entry)
        self.states = [self._state()]
        self.records = []
        while (record := self.engine.step()) is not None:
            self.records.append(record)
            self.states.append(self._state())
        self.end = len(self.records)
        # The address of the instruction that comes, at every time before the end.
        self.coming = [record.pc for record in self.records]

    def _state(self) -> dict[str, int | bytes]:
        memories = {name: self.engine.read(name, 0, self.engine.size(name)) for name in ("m0", "m1", "m2", "m3")}
        return {name: register.value for name, register in self.engine.registers().items()} | memories

    def after(self, now: int, addresses: set[int]) -> int:
        """The first time after now at which an instruction at one of the addresses comes; else the end."""
        return next((time for time in range(now + 1, self.end) if self.coming[time] in addresses), self.end)

    def before(self, now: int, addresses: set[int]) -> int:
        """The last such time before now; else 0."""
        return next((time for time in range(now - 1, -1, -1) if self.coming[time] in addresses), 0)

    def writers(self, cell: str, now: int) -> list[int]:
        """The times up to now at which an instruction has changed a register or the bytes of a memory, newest first."""
        return [time for time in range(now, 0, -1) if self.states[time][cell] != self.states[time - 1][cell]]


def state(session: Session) -> dict[str, int | bytes]:
    """The same of a session."""
    memories = {name: session.inspect.read(name, 0, session.inspect.size(name)) for name in ("m0", "m1", "m2", "m3")}
    return {name: register.value for name, register in session.inspect.registers().items()} | memories
