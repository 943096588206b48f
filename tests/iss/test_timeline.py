"""A machine whose past is kept: every time is as a plain run would have it, whatever way leads there."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

import lutra
from lutra import EngineError
from lutra.isa import load
from lutra.iss.timeline import Cell, Timeline
from support.timelines import MEMORIES, ROW, STOPS, Run, Scan, assert_same, fresh, made, program, travelled

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
        (lambda: timeline.write("m0", 4095, bytes(ROW)), "do not fit"),
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
