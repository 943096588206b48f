"""Breakpoints and watchpoints of every kind, forward and back, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from lutra.debug import DebugError, Session
from support.debugging import PROGRAM, open_session


@pytest.mark.parametrize(
    ("text", "kind", "addresses", "line"),
    [
        ("program.s:13", "line", (2,), 13),
        ("14", "line", (3,), 14),
        ("round.inc:2", "line", (4, 6), 2),
        ("round.inc:6", "line", (4,), 6),
        ("program.s:15", "line", (4,), 15),
        ("main", "label", (0,), 11),
        ("main+2", "label", (2,), 13),
        ("double_round", "macro", (4,), 2),
        ("round", "macro", (4, 6), 2),
        ("*0x3", "address", (3,), 14),
        ("0x3", "address", (3,), 14),
        ("*3", "address", (3,), 14),
        ("trap", "trap", (), None),
        ("notify", "notify", (), None),
    ],
)
def test_a_breakpoint_is_where_its_text_says(
    session: Session, text: str, kind: str, addresses: tuple[int, ...], line: int | None
) -> None:
    found = session.breakpoints.add(text)
    assert (found.kind, found.addresses, found.verified) == (kind, addresses, True)
    assert (found.place and found.place.line) == line


def test_a_line_without_an_instruction_takes_the_next_one(session: Session) -> None:
    found = session.breakpoints.add("program.s:8")
    assert (found.addresses, found.message) == ((0,), "line 8 has no instruction; moved to line 11")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "break where? write FILE:LINE"),
        ("program.s:99", "program.s has no instruction from line 99 on"),
        ("program.s:x", "'x' is not a number"),
        ("progrom.s:1", "no instruction comes from a file progrom.s; did you mean 'program.s'?"),
        ("nowhere", "the image has no program label nowhere"),
        ("mian", "did you mean 'main'?"),
        ("*0x400", "the program ends at 0x12"),
        ("main+99", "main+99: the program ends at 0x12"),
    ],
)
def test_a_place_that_is_none_is_refused(session: Session, text: str, message: str) -> None:
    with pytest.raises(DebugError) as error:
        session.breakpoints.add(text)
    assert message in str(error.value)
    assert not len(session.breakpoints)


def test_a_front_end_learns_what_is_wrong_with_a_line(session: Session) -> None:
    found = session.breakpoints.add_line("other.s", 3)
    assert (found.verified, found.addresses) == (False, ())
    assert found.message.startswith("no instruction comes from a file other.s")
    absolute = session.breakpoints.add_line(str(Path("program.s").resolve()), 13)
    assert (absolute.verified, absolute.addresses) == (True, (2,))


def test_a_file_that_several_paths_end_with_is_refused() -> None:
    for folder in ("a", "b"):
        Path(folder).mkdir()
        Path(folder, "same.inc").write_text("        nop\n")
    session = open_session('        .include "a/same.inc"\n        .include "b/same.inc"\n        halt\n')
    with pytest.raises(DebugError, match=r"same.inc is several files: a/same.inc, b/same.inc; name more of the path"):
        session.breakpoints.add("same.inc:1")
    assert session.breakpoints.add("b/same.inc:1").addresses == (1,)


def test_a_line_of_the_present_file_needs_one() -> None:
    from dataclasses import replace

    from lutra.iss.job import Job

    image = open_session().image
    bare = Session.open(Job(replace(image, lines={}, written={}, expansions=()), (image.entry,)))
    with pytest.raises(DebugError, match="line 3 of which file"):
        bare.breakpoints.add("3")


def times(session: Session, move: str) -> list[int]:
    found = []
    while getattr(session.moves, move)().kind not in ("halt", "start"):
        found.append(session.inspect.where().time)
    return found


def test_a_breakpoint_in_a_macro_stops_at_each_of_its_uses_forward_and_back(session: Session) -> None:
    point = session.breakpoints.add("round.inc:3")
    assert times(session, "go") == [5, 7, 9, 11, 13, 15, 17, 19]
    assert session.breakpoints[point.id].hits == 8
    assert times(session, "back") == [19, 17, 15, 13, 11, 9, 7, 5]
    assert session.breakpoints[point.id].hits == 8


def test_a_condition_stops_only_where_it_holds_forward_and_back(session: Session) -> None:
    point = session.breakpoints.add("round.inc:3", condition="loop0.remaining == 2")
    assert times(session, "go") == [13, 15]
    assert session.breakpoints[point.id].hits == 2
    assert times(session, "back") == [15, 13]


def test_ignored_passes_do_not_stop(session: Session) -> None:
    point = session.breakpoints.add("round.inc:3", ignore=6)
    assert times(session, "go") == [17, 19]
    session.moves.restart()
    session.breakpoints.ignore(point.id, 7)
    assert times(session, "go") == [19]


def test_a_disabled_breakpoint_does_not_stop(session: Session) -> None:
    point = session.breakpoints.add("done")
    watch = session.watchpoints.add("m3[0x20]")
    session.breakpoints.enable(point.id, False)
    session.watchpoints.enable(watch.id, False)
    assert times(session, "go") == []
    session.breakpoints.enable(point.id)
    session.watchpoints.enable(watch.id)
    assert times(session, "back") == [20]


def test_a_temporary_breakpoint_stops_once(session: Session) -> None:
    session.breakpoints.add("round.inc:3", temporary=True)
    assert times(session, "go") == [5]
    assert not len(session.breakpoints)


def test_a_condition_that_is_none_makes_no_breakpoint(session: Session) -> None:
    for add in (session.breakpoints.add, session.watchpoints.add):
        with pytest.raises(DebugError, match="no register or symbol 'v9'"):
            add("main" if add == session.breakpoints.add else "v0", "v9 == 1")
    point = session.breakpoints.add("main")
    with pytest.raises(DebugError, match="column 3: expected"):
        session.breakpoints.condition(point.id, "1+")
    assert (len(session.breakpoints), len(session.watchpoints)) == (1, 0)


def test_numbers_are_never_used_twice(session: Session) -> None:
    first = session.breakpoints.add("main")
    second = session.watchpoints.add("v0")
    session.breakpoints.remove(first.id)
    third = session.breakpoints.add("main")
    assert (first.id, second.id, third.id) == (1, 2, 3)
    assert session.breakpoints.at(0) == third
    assert session.breakpoints.at(1) is None
    with pytest.raises(DebugError, match="no breakpoint 1; `info breakpoints` shows all"):
        session.breakpoints.remove(1)
    with pytest.raises(DebugError, match="no watchpoint 3; `info watchpoints` shows all"):
        session.watchpoints.enable(3)


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("v1", [2]),
        ("v1[15]", [2]),
        ("v1[0]", []),
        ("v1.w[3]", [2]),
        ("ar1", [23, 25, 28]),
        ("ar0", [3, 21]),
        ("m3[0x20]", [21]),
        ("m3[0x20:4]", [21]),
        ("m3[0x28:0x40]", [21]),
        ("m3[0x30]", []),
        ("m1.row[4]", [24]),
        ("loops", [4, 20]),
        ("flag", []),
        ("t0.row[3]", []),
        ("key", []),
    ],
)
def test_a_watchpoint_stops_at_changes_of_its_place_alone(session: Session, text: str, changes: list[int]) -> None:
    session.watchpoints.add(text)
    assert times(session, "go") == changes
    assert times(session, "back") == [time - 1 for time in reversed(changes)]


def test_a_watched_value_is_told_before_and_after(session: Session) -> None:
    session.watchpoints.add("v1")
    stop = session.moves.go()
    assert (stop.kind, stop.old, stop.new) == (
        "watchpoint",
        "00000000 00000000 00000000 00000000",
        "00000000 00000000 00000000 00000001",
    )
    assert stop.text == f"watchpoint 1, v1: {stop.old} -> {stop.new}"


def test_a_watchpoint_has_a_condition_and_ignored_passes(session: Session) -> None:
    point = session.watchpoints.add("ar1", "ar1 < 2")
    assert times(session, "go") == [25, 28]
    assert times(session, "back") == [27, 24]
    session.moves.restart()
    session.watchpoints.condition(point.id, "")
    session.watchpoints.ignore(point.id, 2)
    assert times(session, "go") == [28]


def test_a_watched_table_entry_stops_at_a_table_write() -> None:
    session = open_session(
        'main: arset ar0, 0x50\n mov v0, m0[k]\n mov t0[ar0++], v0\n halt\n .section m0\nk: .row "' + "11" * 16 + '"\n'
    )
    session.watchpoints.add("t0.row[5][3]")
    assert session.moves.go().text == "watchpoint 1, t0.row[5][3]: 00 -> 11"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("v0 + 1", "v0 + 1: is not a place"),
        ("3", "3: is not a place"),
        ("pm[3]", "no instruction writes pm; only the host does"),
        ("v9", "no register or symbol 'v9'"),
        ("main", "main: is not a place"),
    ],
)
def test_what_is_no_place_cannot_be_watched(session: Session, text: str, message: str) -> None:
    with pytest.raises(DebugError, match=message.replace("+", r"\+")):
        session.watchpoints.add(text)


def test_breakpoints_stop_between_the_steps_of_a_line(session: Session) -> None:
    session.watchpoints.add("v1")
    session.moves.next_line()
    assert session.moves.next_line().kind == "watchpoint"


def test_a_watchpoint_of_a_loop_entry_follows_the_stack() -> None:
    session = open_session(PROGRAM)
    session.moves.step(4)
    session.watchpoints.add("loop0.remaining", "loops")
    assert session.moves.go().text == "watchpoint 1, loop0.remaining: 4 -> 3"


def test_a_condition_without_a_value_stops_and_says_so(session: Session) -> None:
    session.breakpoints.add("done", "m2[ar0 * 0x1000] == 1")
    stop = session.moves.go()
    assert stop.kind == "breakpoint"
    assert stop.detail.startswith("its condition has no value: m2[ar0 * 0x1000] == 1: column 1: m2 ends at 0x1000")


def test_two_watchpoints_stop_at_the_newer_change_going_back(session: Session) -> None:
    session.watchpoints.add("ar1")
    session.watchpoints.add("v1")
    session.watchpoints.add("m3[0x20]")
    assert times(session, "go") == [2, 21, 23, 25, 28]
    assert times(session, "back") == [27, 24, 22, 20, 1]


def test_a_search_back_for_a_change_can_be_ended(session: Session) -> None:
    session.moves.go()
    session.watchpoints.add("v0", "v0 == 1")
    assert session.moves.back(lambda time, cycle: time > 5).kind == "interrupt"
    assert session.inspect.where().time == 33
    assert session.moves.back(lambda time, cycle: True).kind == "start"
