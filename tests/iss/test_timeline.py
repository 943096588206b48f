"""A machine whose past is kept: every time is as a plain run would have it, whatever way leads there."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

import lutra
from lutra import EngineError
from lutra.isa import load
from lutra.iss.timeline import Cell, Timeline
from support.timelines import MEMORIES, ROW, STOPS, Run, Scan, assert_same, fresh, program, travelled

ISA = load()
# More of them, on all engines: tests/cosim/test_timeline.py.
SEEDS = (3, 13)
BASES = list(dict.fromkeys(name.partition(".")[0] for name in lutra.make_engine("iss").registers()))


@pytest.fixture(scope="module", params=SEEDS)
def run(request: pytest.FixtureRequest) -> Run:
    return fresh("iss", program(request.param), samples=25)


@pytest.fixture(scope="module")
def scan(run: Run) -> Scan:
    return Scan(run.records)


@pytest.fixture
def timeline(run: Run) -> Timeline:
    return travelled("iss", run.program)


def made(source: str, name: str = "iss") -> Timeline:
    engine = lutra.make_engine(name)
    engine.load(lutra.assemble_text(source, warnings=["no-all"]))
    return Timeline(engine)


# ---------------------------------------------------------------- states and records


def test_every_time_is_as_in_a_plain_run(run: Run, timeline: Timeline) -> None:
    assert timeline.now == timeline.latest == run.end
    times = list(run.moments)
    random.Random(1).shuffle(times)
    for time in times:
        assert timeline.seek(time) is None
        assert timeline.now == time
        assert_same(timeline, run.moments[time])


def test_step_by_step_backwards_and_forwards_again(run: Run, timeline: Timeline) -> None:
    for time in sorted(run.moments, reverse=True):
        timeline.seek(time)
        assert_same(timeline, run.moments[time])
        if time:
            assert timeline.run_back(limit=1) in ("limit", "start")
            timeline.run(limit=1)
            assert_same(timeline, run.moments[time])


def test_records_of_any_time_are_those_of_a_plain_run(run: Run, timeline: Timeline) -> None:
    rng = random.Random(2)
    timeline.seek(run.end // 2)
    for time in (1, run.end, *(rng.randint(1, run.end) for _ in range(30))):
        assert timeline.record(time) == run.records[time - 1]
    first = rng.randint(1, max(1, run.end - 200))
    assert list(timeline.records(first, first + 99)) == run.records[first - 1 : first + 99]
    assert timeline.now == run.end // 2


def test_the_next_instruction_is_that_of_the_next_record(run: Run, timeline: Timeline) -> None:
    for time in run.moments:
        timeline.seek(time)
        assert timeline.next_pc == (run.records[time].pc if time < run.end else None)


# ---------------------------------------------------------------- what has happened


def cells(scan: Scan, rng: random.Random) -> list[Cell]:
    """Some of those that are touched, and some that may never be."""
    found = {cell for there in scan.touches for cell in there}
    some: list[Cell] = rng.sample(sorted(found, key=str), min(25, len(found)))
    return [*some, "v0", "notify", ("t1", 16), ("m3", 0), ("pm", 1023)]


def test_the_last_touch_is_that_of_a_scan_of_all_records(scan: Scan, run: Run, timeline: Timeline) -> None:
    rng = random.Random(3)
    for cell in cells(scan, rng):
        for now in (run.end, rng.randint(0, run.end)):
            timeline.seek(now)
            times = [time for time in scan.times([cell]) if time <= now]
            assert timeline.last(cell) == (times[-1] if times else None)
            assert timeline.history(cell, 7) == times[:-8:-1]
            assert timeline.now == now


def test_the_last_touch_of_several_cells_is_the_later_one(scan: Scan, run: Run, timeline: Timeline) -> None:
    rng = random.Random(4)
    some = cells(scan, rng)[:4]
    assert timeline.history(some, run.end) == scan.times(some)[::-1]
    assert timeline.last(some) == max(scan.times(some))


def sought(scan: Scan, rng: random.Random) -> dict[str, object]:
    """Something to stop at."""
    breaks = [rng.choice(scan.records).pc for _ in range(rng.randint(1, 3))]
    options: list[dict[str, object]] = [
        {"breaks": breaks},
        {"touches": rng.sample(cells(scan, rng), 2)},
        {"depth": rng.randint(0, 2)},
        {"notify": True},
        {"breaks": breaks, "touches": rng.sample(cells(scan, rng), 1), "notify": True},
    ]
    return rng.choice(options)


def wanted(what: dict[str, object]) -> tuple[set[int], set[Cell], int | None, bool]:
    return (
        set(what.get("breaks", ())),  # type: ignore[call-overload]
        set(what.get("touches", ())),  # type: ignore[call-overload]
        what.get("depth"),  # type: ignore[return-value]
        bool(what.get("notify")),
    )


def test_running_back_stops_where_running_forwards_would_have(scan: Scan, run: Run, timeline: Timeline) -> None:
    rng = random.Random(5)
    for _ in range(20):
        now, what = rng.randint(0, run.end), sought(scan, rng)
        timeline.seek(now)
        why = timeline.run_back(**what)  # type: ignore[arg-type]
        before = (time for time in range(now - 1, -1, -1) if scan.stops_at(time, *wanted(what)))
        to = next(before, 0)
        assert timeline.now == to, what
        assert why == "start" if not scan.stops_at(to, *wanted(what)) else why != "limit"


def test_running_stops_at_the_first_instruction_of_a_plain_run(scan: Scan, run: Run, timeline: Timeline) -> None:
    rng = random.Random(6)
    for _ in range(20):
        now, what = rng.randint(0, run.end - 1), sought(scan, rng)
        timeline.seek(now)
        why = timeline.run(**what)  # type: ignore[arg-type]
        times = range(now + 1, run.end + 1)
        to = next(time for time in times if scan.stopped(time) or scan.stops_at(time, *wanted(what)))
        assert timeline.now == to, what
        assert why == scan.stopped(to) if scan.stopped(to) else why not in STOPS


@pytest.mark.parametrize("limit", [1, 7, 1000])
def test_a_limit_counts_instructions_both_ways(run: Run, timeline: Timeline, limit: int) -> None:
    timeline.seek(run.end // 2)
    assert timeline.run_back(limit=limit) in ("limit", "start")
    assert timeline.now == max(0, run.end // 2 - limit)


def test_a_cycle_is_the_first_time_with_so_many_used(run: Run, timeline: Timeline) -> None:
    rng = random.Random(7)
    for _ in range(15):
        timeline.seek(rng.randint(0, run.end))
        cycle = rng.randint(0, run.records[-1].cycle)
        assert timeline.seek_cycle(cycle) is None
        assert timeline.cycle >= cycle
        if timeline.now > timeline.began:
            assert run.records[timeline.now - 1].cycle + 1 == timeline.cycle
            assert timeline.now == 1 or run.records[timeline.now - 2].cycle + 1 < cycle
    assert timeline.seek_cycle(2**62) in STOPS


# ---------------------------------------------------------------- the host

TWICE = """
main:   mov     v0, m2[0]
        xor     v1, v1, v0
        mov     m3[0], v1
        wait
        mov     v2, m2[0]
        halt
other:  mov     v0, m2[16]
        halt
"""
ONE, TWO, THREE = (bytes([n]) * 16 for n in (1, 2, 3))


def two_runs() -> Timeline:
    """Two runs with a wait in the first, and the host before, in and after it."""
    timeline = made(TWICE)
    timeline.write("m2", 0, ONE)
    timeline.start(0)
    assert timeline.run() == "wait"
    timeline.write("m2", 0, TWO)
    timeline.resume()
    assert timeline.run() == "halt"
    timeline.write("m2", 16, THREE)
    timeline.start(6)
    assert timeline.run() == "halt"
    return timeline


def test_what_the_host_did_is_done_again() -> None:
    timeline = two_runs()
    assert timeline.now == 8
    end = dict(timeline.registers())
    seen = {}
    for time in (8, 5, 3, 0, 4, 6, 7):
        timeline.seek(time)
        seen[time] = timeline.read("m2", 0, 16), timeline.read("m2", 16, 16), timeline.state
    assert seen == {
        0: (ONE, bytes(16), "running"),
        3: (ONE, bytes(16), "running"),
        4: (TWO, bytes(16), "running"),
        5: (TWO, bytes(16), "running"),
        6: (TWO, THREE, "running"),
        7: (TWO, THREE, "running"),
        8: (TWO, THREE, "halted"),
    }
    timeline.seek(8)
    assert dict(timeline.registers()) == end
    assert [timeline.began, timeline.cycle] == [6, timeline.engine.stop().cycles]


def test_what_an_instruction_has_left_is_before_what_the_host_did_there() -> None:
    timeline = two_runs()
    left = {}
    for time in (8, 4, 6, 0, 5):
        assert timeline.seek(time, host=False) is None
        assert timeline.now == time
        left[time] = timeline.read("m2", 0, 16), timeline.read("m2", 16, 16), timeline.state
    assert left == {
        0: (ONE, bytes(16), "running"),  # no instruction has left it
        4: (ONE, bytes(16), "waiting"),
        5: (TWO, bytes(16), "running"),
        6: (TWO, bytes(16), "halted"),
        8: (TWO, THREE, "halted"),
    }
    assert timeline.latest == 8


@pytest.mark.parametrize("time", [4, 6])
def test_what_comes_after_what_an_instruction_has_left_goes_on_from_what_the_host_did(time: int) -> None:
    timeline = two_runs()
    end = dict(timeline.registers()), timeline.read("m2", 0, 32), timeline.engine.stop()
    moves: list[Callable[[], object]] = [
        lambda: timeline.seek(8),
        lambda: timeline.seek_cycle(2**62),
        lambda: [timeline.run() for _ in range(3)],
    ]
    for move in moves:
        timeline.seek(time, host=False)
        move()
        timeline.seek(8)
        assert (dict(timeline.registers()), timeline.read("m2", 0, 32), timeline.engine.stop()) == end
    timeline.seek(time, host=False)
    timeline.seek(time)
    assert timeline.state == "running"
    assert timeline.read("m2", 0, 32) == (TWO + bytes(16) if time == 4 else TWO + THREE)


def test_what_the_host_does_comes_after_what_it_did_at_the_same_time() -> None:
    timeline = made("mov v0, m2[0]\nnop\nhalt")
    timeline.start(0)
    timeline.run(limit=1)
    timeline.poke("v0", ONE)
    timeline.seek(1, host=False)
    assert timeline.registers()["v0"].value == bytes(16)
    timeline.poke("v1", TWO)
    assert [timeline.registers()[v].value for v in ("v0", "v1")] == [ONE, TWO]
    timeline.seek(0)
    timeline.seek(1)
    assert [timeline.registers()[v].value for v in ("v0", "v1")] == [ONE, TWO]


def test_runs_that_were_are_run_through_in_their_order() -> None:
    timeline = two_runs()
    timeline.seek(0)
    assert [timeline.run(), timeline.now] == ["wait", 4]
    assert [timeline.run(), timeline.now] == ["halt", 6]
    assert [timeline.run(), timeline.now] == ["halt", 8]
    assert [timeline.run(), timeline.now] == ["halt", 8]


def test_what_the_host_does_in_the_past_discards_the_future() -> None:
    timeline = two_runs()
    timeline.seek(5)
    timeline.write("m3", 32, TWO)
    assert [timeline.now, timeline.latest] == [5, 5]
    assert timeline.run() == "halt"
    assert [timeline.now, timeline.run()] == [6, "halt"]
    assert timeline.read("m2", 16, 16) == bytes(16)
    timeline.seek(0)
    assert timeline.read("m3", 32, 16) == bytes(16)
    timeline.seek(6)
    assert timeline.read("m3", 32, 16) == TWO


def test_program_memory_is_that_of_its_time() -> None:
    timeline = made("mov v0, m2[0]\nhalt")
    timeline.start(0)
    timeline.run()
    word = lutra.assemble_text("wait").program[0]
    timeline.write("pm", 0, word.to_bytes(8, "little"))
    timeline.start(0)
    assert timeline.run() == "wait"
    timeline.seek(1)
    assert int.from_bytes(timeline.read("pm", 0, 8), "little") != word
    assert timeline.record(3).insn == word


def test_a_reset_is_done_again() -> None:
    timeline = made("mov v0, m2[0]\nhalt")
    timeline.write("m2", 0, ONE)
    timeline.start(0)
    timeline.run()
    timeline.reset()
    assert timeline.registers()["v0"].value == bytes(16)
    timeline.seek(1)
    assert timeline.registers()["v0"].value == ONE
    timeline.seek(2)
    assert [timeline.registers()["v0"].value, timeline.state, timeline.run()] == [bytes(16), "idle", "idle"]


def test_a_timeline_begins_where_the_machine_is() -> None:
    engine = lutra.make_engine("iss")
    engine.load(lutra.assemble_text("mov v0, m2[0]\nwait\nmov v1, v0\nhalt"))
    engine.write("m2", 0, ONE)
    engine.run(0)
    timeline = Timeline(engine)
    timeline.resume()
    assert [timeline.run(), timeline.now] == ["halt", 2]
    timeline.seek(0)
    assert [timeline.registers()[v].value for v in ("v0", "v1")] == [ONE, bytes(16)]


def test_a_running_machine_has_no_beginning() -> None:
    engine = lutra.make_engine("iss")
    engine.load(lutra.assemble_text("nop\nhalt"))
    engine.start(0)
    with pytest.raises(EngineError, match="not running"):
        Timeline(engine)


# ---------------------------------------------------------------- poke


def values(name: str) -> int | bytes:
    """One that every register can have, and that it has not after reset."""
    value = lutra.make_engine("iss").registers()[name].value
    if isinstance(value, bytes):
        return bytes(range(1, 13)) + bytes(4 if name.endswith("registers") else range(13, 17))
    return {"ctr.width": 64}.get(name, 1)


@pytest.mark.parametrize("name", [n for n in lutra.make_engine("iss").registers() if n != "resume"])
def test_a_register_that_is_set_has_the_value_and_nothing_else_changes(name: str) -> None:
    timeline = made("nop\nhalt")
    stack = name.partition(".")[0][:-1] if name[:4] in ("loop", "call") and "." in name else ""
    if stack:
        timeline.poke(f"{stack}s", 4)
    before = dict(timeline.registers())
    timeline.poke(name, values(name))
    after = dict(timeline.registers())
    assert after[name].value == values(name)
    others = {n: r for n, r in after.items() if n != name and not n.startswith(name.rstrip("s"))}
    assert others == {n: before[n] for n in others}


def test_what_was_set_is_set_again() -> None:
    timeline = made("mov v0, m2[0]\nxor v1, v1, v0\nhalt")
    timeline.start(0)
    timeline.run(limit=1)
    timeline.poke("v0", ONE)
    assert timeline.run() == "halt"
    assert timeline.registers()["v1"].value == ONE
    timeline.seek(0)
    assert timeline.registers()["v0"].value == bytes(16)
    timeline.seek(3)
    assert timeline.registers()["v1"].value == ONE


def test_where_a_wait_goes_on_can_be_set() -> None:
    timeline = made("wait\nhalt\nnotify 5\nhalt")
    timeline.start(0)
    timeline.run()
    timeline.poke("resume", 2)
    timeline.resume()
    timeline.run()
    assert timeline.registers()["notify"].value == 5


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("v9", ONE, "no register v9"),
        ("v0", 5, "v0 holds a vector of 16 bytes, not a number"),
        ("v0", b"short", "a vector has 16 bytes, not 5"),
        ("ar0", ONE, "ar0 holds a number, not a vector"),
        ("ar0", 65536, "ar0 holds numbers up to 65535"),
        ("ar0", -1, "ar0 cannot hold -1"),
        ("flag", 2, "flag holds numbers up to 1"),
        ("ctr.width", 7, "ctr.width cannot have this value now"),
        ("loops", 5, "loops cannot have this value now"),
        ("loop0.end", 3, "loop0.end cannot have this value now"),
        ("resume", 3, "resume cannot have this value now"),
    ],
)
def test_a_value_that_a_register_cannot_have_is_refused(name: str, value: int | bytes, text: str) -> None:
    timeline = made("halt")
    before = dict(timeline.registers())
    with pytest.raises(EngineError) as error:
        timeline.poke(name, value)
    assert text in str(error.value)
    assert "\n" not in str(error.value)
    assert dict(timeline.registers()) == before


# ---------------------------------------------------------------- what is refused


def test_what_does_not_exist_is_refused_in_one_line() -> None:
    timeline = made("halt")
    attempts: list[tuple[Callable[[], object], str]] = [
        (lambda: timeline.last("v99"), "no register v99"),
        (lambda: timeline.last(("m9", 0)), "no memory space 'm9'"),
        (lambda: timeline.last(("m0", 4096)), "m0@0x1000 is beyond m0"),
        (lambda: timeline.last(("pm", 1024)), "pm@0x400 is beyond pm"),
        (lambda: timeline.record(0), "counted from 1"),
        (lambda: timeline.record(5), "stops before instruction 5"),
        (lambda: timeline.seek(-1), "no time before the beginning"),
        (lambda: timeline.read("m0", 4095, 2), "do not fit"),
        (lambda: timeline.write("m0", 4095, ONE), "do not fit"),
        (lambda: timeline.read("m0", 2**80, 1), "do not fit"),
        (lambda: timeline.read("m0", 0, -1), "do not fit"),
        (lambda: timeline.start(-1), "no program address: -1"),
        (lambda: timeline.start(2**16), "no program address: 65536"),
        (timeline.resume, "not waiting"),
    ]
    for attempt, text in attempts:
        with pytest.raises(EngineError) as error:
            attempt()
        assert text in str(error.value)
        assert "\n" not in str(error.value)


def test_numbers_of_any_size_are_taken() -> None:
    timeline = made("nop\nnop\nhalt")
    timeline.start(0)
    assert timeline.run(limit=2**80, breaks=[2**80, -1], depth=-5) == "halt"
    assert timeline.run_back(limit=2**80, breaks=[2**80, -1], depth=-5) == "start"
    assert timeline.run(limit=0) == "limit"
    assert [timeline.now, timeline.run(depth=2**80), timeline.now] == [0, "depth", 1]
    assert [timeline.seek(2**80), timeline.now] == ["halt", 3]
    assert timeline.seek_cycle(2**80) == "halt"
    assert timeline.seek_cycle(-(2**80)) is None
    assert [timeline.now, timeline.history("v0", 2**80), timeline.history("v0", -1)] == [0, [], []]
    assert len(list(timeline.records(1, 2**80))) == 3


def test_every_base_name_is_a_cell() -> None:
    timeline = made("halt")
    assert {timeline.last(base) for base in BASES} == {None}
    assert {
        timeline.last((space, size - ROW))
        for space in MEMORIES
        if space != "pm"
        for size in [timeline.engine.size(space)]
    } == {None}
