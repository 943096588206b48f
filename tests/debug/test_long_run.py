"""Any cycle of a long run is reached at once, and so is the last writer of anything."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import pytest

from support.debugging import open_session

# Nested loops of 10^8 cycles, with a store at the beginning of each outer pass.
PROGRAM = """\
        .section m0
one:    .row    "00000000000000000000000000000001"
        .section text
main:   mov     v1, m0[one]
        arset   ar1, 25
outer:  add32   v2, v2, v1
        mov     m3[0x20], v2
        repeat  2000, l1
        repeat  1000, l2
        nop
        add32   v0, v0, v1
l2:     nop
l1:     aradd   ar1, ar1, -1
        bnz     ar1, outer
        halt
"""
CYCLES = 10**8
MOST_SECONDS = 1.0


def seconds(action: Callable[[], object]) -> float:
    """Time of the processor, so that other work on the machine does not count."""
    begin = time.process_time()
    action()
    return time.process_time() - begin


@pytest.mark.nightly(
    "a run of 10^8 cycles of a session, a quarter of a minute; test_long_timelines.py has one of an engine"
)
def test_any_cycle_of_a_run_of_10_to_the_8_is_reached_in_a_second() -> None:
    session = open_session(PROGRAM)
    assert session.moves.go().kind == "halt"
    assert session.inspect.where().cycle > CYCLES
    for cycle in (CYCLES // 2, 7, CYCLES - 3, CYCLES // 3, 31_415_926):
        assert seconds(partial(session.moves.run_to_cycle, cycle)) < MOST_SECONDS
        assert session.inspect.where().cycle >= cycle
        assert seconds(session.moves.step_back) < MOST_SECONDS
        assert session.inspect.where().cycle < cycle
    session.moves.seek(session.inspect.latest)
    assert seconds(lambda: session.history.last_writer("m3[0x20]")) < MOST_SECONDS
    written = session.history.last_writer("m3[0x20]")
    assert written is not None
    assert written.after == "00000000 00000000 00000000 00000019"
    session.breakpoints.add("outer")
    assert seconds(session.moves.back) < MOST_SECONDS
    assert session.inspect.where().time < written.time
    session.watchpoints.add("v2")
    assert seconds(session.moves.back) < MOST_SECONDS
    assert session.inspect.evaluate("v2.w[3]").value == 0x17
