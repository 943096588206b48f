"""Steps by lines: into and over macros, includes, loops and calls; frames."""

from __future__ import annotations

from pathlib import Path

import pytest

from lutra.debug import DebugError, Session
from lutra.debug.commands import CommandState, complete, execute
from support.debugging import open_session


def line(session: Session) -> str:
    """The innermost line, and the lines of the macros around it."""
    return " ".join(f"{place.file[0]}{place.line}" for place in session.inspect.where().chain)


def lines(session: Session, move: str, count: int) -> list[str]:
    found = []
    for _ in range(count):
        getattr(session.moves, move)()
        found.append(line(session))
    return found


def test_a_step_goes_into_macros_and_calls(session: Session) -> None:
    assert lines(session, "step_line", 6) == ["p12", "p13", "p14", "r2 r6 p15", "r3 r6 p15", "r2 r7 p15"]
    session.breakpoints.add("done")
    session.moves.go()
    assert lines(session, "step_line", 4) == ["p17", "p21", "p22", "p23"]
    assert lines(session, "step_line_back", 6) == ["p22", "p21", "p17", "p16", "r3 r7 p15", "r2 r7 p15"]


def test_next_goes_over_macros_and_calls(session: Session) -> None:
    passes = ["r2 r6 p15"] * 4
    assert lines(session, "next_line", 12) == ["p12", "p13", "p14", *passes, "p16", "p17", "p18", "p19", "p20"]
    assert lines(session, "next_line_back", 12) == ["p19", "p18", "p17", "p16", *passes, "p14", "p13", "p12", "p11"]


def test_next_within_a_macro_stays_there_to_its_end(session: Session) -> None:
    session.breakpoints.add("round.inc:2")
    session.moves.go()
    session.breakpoints.clear()
    assert lines(session, "next_line", 3) == ["r3 r6 p15", "r2 r7 p15", "r2 r6 p15"]


def test_next_stops_at_a_breakpoint_within_what_it_goes_over(session: Session) -> None:
    session.breakpoints.add("again")
    session.moves.seek(session.inspect.where().time)
    for _ in range(9):
        session.moves.next_line()
    assert session.moves.next_line().kind == "breakpoint"
    assert line(session) == "p22"


def test_finish_ends_macro_loop_and_call(session: Session) -> None:
    session.breakpoints.add("round.inc:3")
    session.moves.go()
    session.breakpoints.clear()
    places = []
    for _ in range(4):
        session.moves.finish()
        places.append((line(session), session.inspect.frames()[0].kind))
    assert places[0] == ("r2 r7 p15", "macro")
    session.moves.seek(5)
    session.breakpoints.add("again")
    session.moves.go()
    session.breakpoints.clear()
    session.moves.finish()
    assert line(session) == "p18"


def test_finish_ends_a_call_whose_return_touches_what_is_watched(session: Session) -> None:
    session.breakpoints.add("again")
    session.moves.go()
    session.breakpoints.clear()
    session.watchpoints.add("calls", "ar0 == 1")
    session.moves.finish()
    assert line(session) == "p18"


def test_finish_back_begins_macro_loop_and_call(session: Session) -> None:
    session.breakpoints.add("round.inc:3")
    for _ in range(4):
        session.moves.go()
    session.breakpoints.clear()
    places = []
    for _ in range(3):
        session.moves.finish_back()
        places.append((line(session), session.inspect.frames()[0].kind))
    # The second round of the second pass, the pair of rounds, and the loop around them.
    assert places[0] == ("r2 r7 p15", "macro")
    assert places[1] == ("r2 r6 p15", "macro")
    assert places[2] == ("p14", "entry")
    session.breakpoints.add("again")
    session.moves.go()
    session.breakpoints.clear()
    assert session.inspect.frames()[0].kind == "call"
    session.moves.finish_back()
    assert (line(session), session.inspect.frames()[0].kind) == ("p17", "entry")
    with pytest.raises(DebugError, match=r"^main is the outermost level; `reverse-continue` goes back to its start$"):
        session.moves.finish_back()


def test_finish_back_goes_over_calls_from_a_macro_and_stops_at_a_breakpoint() -> None:
    text = (
        "        .macro  twice\n        call    sub\n        nop\n        nop\n        .endm\n"
        "main:   nop\n        twice\n        halt\nsub:    nop\n        ret\n"
    )
    session = open_session(text)
    session.breakpoints.add("4")
    session.moves.go()
    session.breakpoints.clear()
    session.moves.finish_back()
    assert line(session) == "p2 p7"
    session.moves.step(4)
    session.breakpoints.add("sub")
    assert session.moves.finish_back().kind == "breakpoint"
    assert session.inspect.where().label == "sub"


def test_frames_are_macros_loops_and_calls_with_passes(session: Session) -> None:
    session.breakpoints.add("round.inc:3")
    for _ in range(4):
        session.moves.go()
    assert [str(frame) for frame in session.inspect.frames()] == [
        "macro round at round.inc:3",
        "macro double_round at round.inc:7",
        "loop repeat 4, done at program.s:14: 1 pass done, 2 left after this one",
        "entry main at program.s:15",
    ]
    session.breakpoints.add("again")
    session.breakpoints.remove(1)
    session.moves.go()
    assert [str(frame) for frame in session.inspect.frames()] == [
        "call twice at program.s:22",
        "entry main at program.s:17",
    ]


def test_a_file_is_named_without_the_way_that_its_inclusion_took() -> None:
    Path("own").mkdir()
    commands = CommandState(open_session('        .include "own/../round.inc"\nmain:   round   v0, v1\n        halt\n'))
    execute(commands, "break round")
    for command in ("list", "where", "info files", "info breakpoints", "backtrace"):
        said = execute(commands, command)
        assert "round.inc" in said
        assert ".." not in said
    assert complete(commands, "break round.") == ["round.inc:"]
    with pytest.raises(DebugError, match=r"^round.inc has no instruction from line 90 on$"):
        execute(commands, "break round.inc:90")


def test_a_loop_with_a_count_in_a_register_knows_its_passes() -> None:
    session = open_session("main: arset ar2, 5\n repeat ar2, l\n nop\n nop\nl: halt\n")
    session.moves.step(5)
    (loop, entry) = session.inspect.frames()
    assert (loop.kind, loop.done, loop.left, entry.kind) == ("loop", 1, 3, "entry")


def test_two_uses_of_a_macro_in_one_line_are_two_lines() -> None:
    program = "        .macro one\n nop\n nop\n .endm\nmain:\n .rept 2\n one\n .endr\n halt\n"
    session = open_session(program)
    assert session.breakpoints.add("program.s:7").addresses == (0, 2)
    assert session.breakpoints.add("one").addresses == (0, 2)
    assert len(session.breakpoints.add("program.s:2").addresses) == 2


def test_a_program_without_lines_steps_by_instructions() -> None:
    from dataclasses import replace

    from lutra.iss.job import Job

    image = open_session().image
    bare = Session.open(Job(replace(image, lines={}, written={}, expansions=()), (image.entry,)))
    for move in (bare.moves.step_line, bare.moves.next_line):
        before = bare.inspect.where().time
        assert move().kind == "step"
        assert bare.inspect.where().time == before + 1
    assert execute(CommandState(bare), "where") == "cycle 9, main+2\n=> 0x0002  arset ar0, 0x20  main+2"
