"""Moves forward and back end where plain records say, in the state that they say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lutra
from lutra.debug import DebugError, Session
from lutra.debug.plan import Plan, Run
from lutra.iss.places import Place
from support.debugging import PROGRAM, Plain, open_session, state

QUICK = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60, derandomize=True
)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Plain:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("plain"))
        return Plain()


MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("step"), st.integers(1, 12)),
        st.tuples(st.just("step_back"), st.integers(1, 12)),
        st.tuples(st.just("seek"), st.integers(0, 40)),
        st.tuples(st.just("go"), st.just(0)),
        st.tuples(st.just("back"), st.just(0)),
    ),
    max_size=10,
)


def place(plain: Plain, move: str, count: int, now: int, addresses: set[int]) -> int:
    """Where a move ends."""
    ends: dict[str, Callable[[], int]] = {
        "step": lambda: min(now + count, plain.end),
        "step_back": lambda: max(now - count, 0),
        "seek": lambda: min(count, plain.end),
        "go": lambda: plain.after(now, addresses),
        "back": lambda: plain.before(now, addresses),
    }
    return ends[move]()


@QUICK
@given(moves=MOVES, addresses=st.sets(st.integers(0, 17), max_size=3))
def test_any_moves_come_to_the_state_of_plain_records(
    plain: Plain, moves: list[tuple[str, int]], addresses: set[int]
) -> None:
    session = open_session()
    for address in addresses:
        session.breakpoints.add_address(address)
    now = 0
    for move, count in moves:
        getattr(session.moves, move)(*([count] if count or move == "seek" else []))
        now = place(plain, move, count, now, addresses)
        assert session.inspect.where().time == now
        assert state(session) == plain.states[now]
        if now < plain.end:
            assert session.inspect.where().pc == plain.coming[now]


@QUICK
@given(now=st.integers(0, 33), cell=st.sampled_from(["v0", "v1", "ar1", "m1[0x40]"]))
def test_a_watchpoint_stops_at_every_change_forward_and_back(plain: Plain, now: int, cell: str) -> None:
    changes = sorted(plain.writers(cell.partition("[")[0], plain.end))
    session = open_session()
    session.watchpoints.add(cell)
    session.moves.seek(now)
    for change in [time for time in changes if time > now]:
        assert session.moves.go().kind == "watchpoint"
        assert session.inspect.where().time == change
    assert session.moves.go().kind == "halt"
    session.moves.seek(now)
    for change in [time for time in reversed(changes) if time <= now]:
        assert session.moves.back().kind == "watchpoint"
        assert session.inspect.where().time == change - 1
    assert session.moves.back().kind == "start"


def test_the_ends_of_a_program_stop_every_move(session: Session) -> None:
    for back in (
        session.moves.step_back,
        session.moves.step_line_back,
        session.moves.next_line_back,
        session.moves.back,
    ):
        assert (back().kind, session.inspect.where().time) == ("start", 0)
    assert session.moves.go().kind == "halt"
    for on in (session.moves.step, session.moves.step_line, session.moves.next_line, session.moves.go):
        assert (on().kind, session.inspect.where().state) == ("halt", "halted")
    assert session.moves.step_back().kind == "step"
    assert session.inspect.where().instruction == "halt"


def test_a_cycle_is_reached_from_before_and_after(session: Session) -> None:
    for cycle in (20, 12, 38, 0):
        session.moves.run_to_cycle(cycle)
        after = session.inspect.where()
        assert after.cycle >= cycle
        if after.time:
            session.moves.step_back()
            assert session.inspect.where().cycle < cycle
    assert session.moves.run_to_cycle(10_000).kind == "halt"


def test_time_before_the_start_and_no_steps_are_refused(session: Session) -> None:
    with pytest.raises(DebugError, match="time -1 is before the start"):
        session.moves.seek(-1)
    for move in (session.moves.step, session.moves.step_back):
        with pytest.raises(DebugError, match="0 steps are none"):
            move(0)


def test_entries_follow_each_other_forward_and_back() -> None:
    session = open_session(
        PROGRAM.replace("        ret\n", "        halt\n").replace("call    twice", "nop"), "iss", "main", "twice"
    )
    session.breakpoints.add("again")
    kinds = [session.moves.go().kind for _ in range(3)]
    assert kinds == ["breakpoint", "breakpoint", "halt"]
    assert session.inspect.where().run == 1
    assert [session.moves.back().kind for _ in range(3)] == ["breakpoint", "breakpoint", "start"]
    assert session.inspect.where().run == 0
    session.breakpoints.add("twice")
    assert session.moves.go().kind == "breakpoint"
    assert (session.inspect.where().label, session.inspect.where().run, session.inspect.where().cycle) == (
        "twice",
        1,
        0,
    )


def test_an_entry_after_a_trap_is_reached_past_traps_only() -> None:
    source = ".global one, two\none: ret\ntwo: halt\n"
    assert open_session(source, "iss", "one", "two").moves.go().kind == "trap"
    session = open_session(source, "iss", "one", "two", past_traps=True)
    assert session.moves.go().kind == "halt"
    assert (session.inspect.where().run, session.inspect.where().label) == (1, "two")
    assert session.moves.back().kind == "start"
    assert session.inspect.where().run == 0


TWO_RUNS = "one: arset ar0, 5\n halt\ntwo: wait\n mov v0, m0[0]\n mov m1[0], v0\n halt\n"


def test_a_cycle_beyond_the_end_of_a_run_that_is_not_the_last_leads_to_the_next_one() -> None:
    session = open_session(".global one, two\n" + TWO_RUNS, "iss", "one", "two", resume=True)
    for _ in range(2):  # for the first time, and where the next one has been before
        stop = session.moves.run_to_cycle(10_000)
        assert (stop.kind, stop.text) == ("step", "the run is over before that cycle; the next one begins")
        assert (session.inspect.where().run, session.inspect.where().label, session.inspect.where().time) == (
            1,
            "two",
            2,
        )
        session.moves.seek(4)
        session.moves.seek(0)
    session.moves.seek(2)
    assert session.moves.run_to_cycle(10_000).text.startswith("the run is over before cycle 10000; halted: ")
    assert (session.inspect.where().time, session.inspect.where().state) == (6, "halted")


def test_a_change_is_that_of_the_program_alone_where_the_host_writes_between_runs() -> None:
    rows = [bytes([value] * 16) for value in (1, 2, 1)]
    open_session(TWO_RUNS)
    image = lutra.assemble([Path("program.s")], warnings=["no-all"])
    runs = [Run(2, ((Place("m0", 0), row), (Place("m1", 0), bytes([9] * 16)))) for row in rows]
    session = Session(Plan(image, tuple(runs), resume=True))
    session.watchpoints.add("m1[0:1]")
    stops = [session.moves.go() for _ in range(4)]
    assert [(stop.kind, stop.old, stop.new) for stop in stops] == [
        *(("watchpoint", "09", f"{row[0]:02x}") for row in rows),
        ("halt", "", ""),
    ]
    assert [session.moves.back().old for _ in range(4)] == ["09", "09", "09", ""]


def test_a_limit_of_cycles_stops_an_endless_program_and_a_further_move_goes_on() -> None:
    session = open_session("main: jmp main\n", max_cycles=5000)
    assert session.moves.go().kind == "limit"
    reached = session.inspect.where().cycle
    assert reached >= 5000
    assert session.moves.go().kind == "limit"
    assert session.inspect.where().cycle >= reached + 5000


@pytest.mark.parametrize("end", ["halt", "wait", "mov v0, m0[ar0]"])
def test_an_end_beyond_the_limit_of_cycles_is_not_reached_before_a_further_move(end: str) -> None:
    session = open_session(f"main: arset ar0, 0xffff\n repeat 100, last\n nop\nlast: {end}\n", max_cycles=60)
    assert session.moves.go().kind == "limit"
    assert 60 <= session.inspect.where().cycle < 70
    assert session.moves.go().kind in ("halt", "wait", "trap")


def test_a_watcher_ends_a_long_run() -> None:
    session = open_session("main: jmp main\n")
    told: list[int] = []

    def watcher(time: int, cycle: int) -> bool:
        told.append(time)
        return len(told) < 3

    assert session.moves.go(watcher).kind == "interrupt"
    assert told == sorted(told)
    assert session.inspect.where().time > 0


def test_a_trap_stops_with_its_reason() -> None:
    session = open_session("main: nop\n ret\n")
    point = session.breakpoints.add("trap")
    stop = session.moves.go()
    assert (stop.kind, stop.id) == ("trap", point.id)
    assert stop.text.startswith("trap: call-stack-underflow")
    session.moves.step_back()
    assert session.inspect.where().instruction == "ret"


def test_a_wait_stops_unless_the_job_resumes() -> None:
    program = "main: wait\n nop\n halt\n"
    assert open_session(program).moves.go().kind == "wait"
    session = open_session(program, resume=True)
    assert (session.moves.go().kind, session.inspect.where().time) == ("halt", 3)
    session.moves.seek(0)
    session.moves.step()
    assert session.inspect.where().instruction == "nop"


def test_a_notify_stops_where_a_breakpoint_asks_for_it(session: Session) -> None:
    assert session.moves.go().kind == "halt"
    session.moves.restart()
    point = session.breakpoints.add("notify")
    stop = session.moves.go()
    assert (stop.kind, stop.id, stop.text) == ("notify", point.id, "notify 3")
    time = session.inspect.where().time
    session.moves.go()
    assert (session.moves.back().kind, session.inspect.where().time) == ("notify", time)


def test_a_restart_forgets_what_was_set_by_hand(session: Session) -> None:
    session.set("v1", "7")
    session.moves.restart()
    assert session.inspect.evaluate("v1").value == bytes(16)
    assert (session.moves.stop.kind, session.inspect.where().time) == ("start", 0)


def test_what_changed_is_what_the_last_move_changed(session: Session) -> None:
    session.moves.step(3)
    assert session.moves.changed() == {"v0", "v1", "ar0"}
    session.moves.step_back()
    assert session.moves.changed() == {"ar0"}
    session.breakpoints.add("done")
    session.moves.go()
    session.moves.step()
    assert session.moves.changed() == {"ar0", "m3[0x020]"}
