"""A program with macros, an include, a call, both kinds of loop and most kinds of stall, and its profile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import lutra
from lutra.iss.job import Job
from lutra.profile import Profile, of_job

MAIN = """\
        .include "macros.inc"
        .section text
        .entry main
        .global main, rows
main:   arset   ar0, 3
.L_again:
        both    v0, v1
        call    rows
        aradd   ar0, ar0, 0xffff
        bnz     ar0, .L_again
        vtoar   ar1, v0, 0
        mov     v1, m3[ar1]
        bz      ar0, .L_end
        nop
.L_end: halt
rows:   arset   ar2, 0x100
        repeat  5, .L_row
        round   v2
        mov     m2[ar2++], v2
.L_row: ret
"""
MACROS = """\
        .macro round x
        tbl1    \\x, \\x
        tbl1    \\x, \\x
        .endm
        .macro both x, y
        round   \\x
        round   \\y
        .endm
"""


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program, in the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("main.s").write_text(MAIN)
    Path("macros.inc").write_text(MACROS)
    return Path("main.s")


Profiled = Callable[..., Profile]


@pytest.fixture
def profiled(source: Path) -> Profiled:
    """Profiles the program."""

    def run(engine: str = "iss", rounds: int = 2, max_cycles: int | None = None) -> Profile:
        image = lutra.assemble([source], warnings=["no-all"])
        machine = lutra.make_engine(engine, rounds)
        return of_job(machine, Job(image, (image.entry,), max_cycles=max_cycles))[0]

    return run
