"""Scatter: an entry of each lane of t0 written where a vector says, and what comes before and after it."""

from __future__ import annotations

import random

import lutra
from lutra.asm.analysis.schedule import straight
from models import generic
from models.lanes import xor
from support.run import Run

RANDOM = random.Random(256)
ROW = 16
TABLE = RANDOM.randbytes(4096)
A, B, ENTRIES = (RANDOM.randbytes(ROW) for _ in range(3))
LANES = [TABLE[lane::ROW] for lane in range(ROW)]


def flat(lanes: list[bytes]) -> bytes:
    """A table by rows."""
    return bytes(lane[row] for row in range(256) for lane in lanes)


def test_each_lane_has_a_row_of_its_own(run: Run) -> None:
    ran = run("mov v0, m2[0]\nmov v1, m2[0x20]\ntbls v0, m2[0x10], v1\nhalt", t0=TABLE, t1=TABLE, m2=A + B + ENTRIES)
    assert ran.engine.read("t0", 0, 4096) == flat(generic.scatter(LANES, xor(A, B), ENTRIES))
    assert ran.engine.read("t1", 0, 4096) == TABLE


def test_a_look_up_and_a_second_scatter_see_the_first(run: Run) -> None:
    """The second is to the same rows in half of the lanes."""
    second = A[:8] + B[8:]
    ran = run(
        "mov v0, m2[0]\nmov v1, m2[0x10]\nmov v2, m2[0x20]\n"
        "tbls v0, zero, v2\ntbls v1, zero, v0\ntbl0 m3[0], v0\ntbl0 m3[0x10], v1\nhalt",
        t0=TABLE,
        m2=A + second + ENTRIES,
    )
    after = generic.scatter(generic.scatter(LANES, A, ENTRIES), second, A)
    assert ran.row("m3") == bytes(lane[row] for lane, row in zip(after, A, strict=True))
    assert ran.row("m3", 1) == A


def test_a_scatter_comes_after_the_write_of_a_row_and_before_the_next(run: Run) -> None:
    rows = bytes([7] * 8 + [9] * 8)
    ran = run(
        "mov v0, m2[0]\nmov v2, m2[0x10]\nmov v3, m2[0x20]\n"
        "mov t0[0x70], v3\ntbls v0, zero, v2\nmov t0[0x90], v3\nhalt",
        t0=TABLE,
        m2=rows + ENTRIES + B,
    )
    assert ran.engine.read("t0", 0x70, ROW) == ENTRIES[:8] + B[8:]
    assert ran.engine.read("t0", 0x90, ROW) == B


def test_the_record_says_where(run: Run) -> None:
    ran = run("mov v0, m2[0]\nmov v1, m2[0x10]\ntbls v0, zero, v1\nhalt", m2=A + ENTRIES)
    ran.engine.start(0)
    record = list(ran.engine.records())[2]
    assert (record.fields["scatter_rows"], record.fields["scatter_value"]) == (A, ENTRIES)
    assert record.effects() == [f"scatter:t0[{A.hex()}]={ENTRIES.hex()}"]


def test_a_scatter_to_a_row_that_a_look_up_needs_costs_three_cycles() -> None:
    words = lutra.assemble_text("tbls v0, zero, v1\ntbl0 v2, v0\nhalt").program
    assert [issue.cycle for issue in straight(words)] == [0, 4, 5]
    words = lutra.assemble_text("mov t0[0], v1\ntbls v0, zero, v1\nhalt").program
    assert [issue.cycle for issue in straight(words)] == [0, 3, 4]
