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
