"""A core, and a lock-step, whose past is kept: every time is as a plain run would have it, registers and stores too."""

from __future__ import annotations

import random

import pytest

import lutra
from lutra import EngineError
from lutra.coverage._collector import Collector
from lutra.isa import load
from lutra.iss.timeline import Timeline
from support.timelines import STOPS, Run, Scan, assert_same, fresh, made, program, travelled

# The seeds of all modes of random programs, in both values of ROUNDS_PER_INSTR.
SEEDS = range(8)
ENGINES = ["rtl", "cosim"]
# Each engine has both values of ROUNDS_PER_INSTR by day.
BY_DAY = {"iss": {0, 1, 4, 7}, "rtl": {4, 5}, "cosim": {2, 3}}
NIGHTLY = pytest.mark.nightly(
    "more modes of random programs; `make test` has four on the simulator, two on each engine with a core"
)
CASES = [pytest.param((name, seed), marks=() if seed in BY_DAY[name] else NIGHTLY) for seed in SEEDS for name in BY_DAY]


@pytest.fixture(scope="module", params=CASES, ids=str)
def case(request: pytest.FixtureRequest) -> tuple[str, Run]:
    name, seed = request.param
    return name, fresh(name, program(seed, rounds=1 + seed % 2), samples=30)


def test_every_time_is_as_in_a_plain_run_on_every_engine(case: tuple[str, Run]) -> None:
    name, run = case
    timeline = travelled(name, run.program)
    assert timeline.latest == run.end
    times = list(run.moments)
    random.Random(1).shuffle(times)
    for time in times:
        assert timeline.seek(time) is None
        # The core writes the bytes of a scatter in X2, a cycle before it retires.
        scatters = name == "rtl" and time < run.end and "scatter" in str(run.records[time].effects())
        but = ("t0",) if scatters else ()
        assert_same(timeline, run.moments[time], but)
        assert timeline.next_pc == (run.records[time].pc if time < run.end else None)
        assert_same(timeline, run.moments[time], but)
    for time in random.Random(2).sample(range(1, run.end + 1), 10):
        assert timeline.record(time) == run.records[time - 1]


def test_what_happened_is_what_a_scan_of_all_records_says(case: tuple[str, Run]) -> None:
    name, run = case
    timeline, scan, rng = travelled(name, run.program), Scan(run.records), random.Random(3)
    cells = sorted({cell for there in scan.touches for cell in there}, key=str)
    for cell in rng.sample(cells, 5):
        now = rng.randint(0, run.end)
        timeline.seek(now)
        times = [time for time in scan.times([cell]) if time <= now]
        assert timeline.last(cell) == (times[-1] if times else None)
        assert timeline.history(cell, 4) == times[:-5:-1]
    for _ in range(5):
        now, pc = rng.randint(1, run.end - 1), rng.choice(run.records).pc
        follows = [run.records[time].pc == pc for time in range(run.end)] + [False]
        timeline.seek(now)
        timeline.run_back(breaks=[pc])
        assert timeline.now == next((time for time in range(now - 1, -1, -1) if follows[time]), 0)
        timeline.seek(now)
        why = timeline.run(breaks=[pc])
        to = next(time for time in range(now + 1, run.end + 1) if follows[time] or scan.stopped(time))
        assert timeline.now == to
        assert why in STOPS if scan.stopped(to) else why == "break"


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("rounds", [1, 2])
def test_registers_of_a_running_core_are_those_of_its_last_retirement(name: str, rounds: int) -> None:
    """Every register changes, mostly by two instructions one after the other, so that the value of no cycle is right
    but of the one that isa/state.td leads to. `resume` is zero in any running core, and so is `hold` with one round."""
    rows = [row.name for row in load().stream_rows]
    contexts = "".join(f"ctxld c{n % 2}, {row}, m2[{n % 2 * 16}]\n" for n, row in enumerate(rows + rows[::-1]))
    # Only an instruction of two rounds also moves a row.
    holds = "".join(f"cam2 {{v{n}, v{n + 1}}}, v{n}, v{n + 1}, m0:m1[0], {{hold, m2[{8 * n - 16}]}}\n" for n in (2, 4))
    source = (
        f"{contexts}{holds if rounds == 2 else ''}"
        + """
            mov     wk, m2[0]
            mov     wk, m2[16]
            arset   ar0, 0x40
            arstep  ar0, 0x20
            arwin   ar0, 0x40, 0x80
            ctrw    32
            mov     ctr, m2[0]
            mov     v0, ctr++
            mov     v1, ctr++
            mov     ctr, m2[16]
            mov     v1, ctr++
            vtoar   ar1, v1, 7
            mov     m3[ar0+=s%], v0
            call    sub
            repeat  3, .L_end
            cmp     v0, v0
            mov     t0[16], v1
            nop
    .L_end: notify  9
            halt
    sub:    ret
    """
    )
    engines = [lutra.make_engine(of, rounds) for of in ("iss", name)]
    for engine in engines:
        engine.load(lutra.assemble_text(source, warnings=["no-all"]))
        engine.write("m2", 0, bytes(range(32)))
    iss, timeline = engines[0], Timeline(engines[1])
    iss.start(0)
    timeline.start(0)
    while iss.step():
        timeline.run(limit=1)
        assert dict(timeline.registers()) == dict(iss.registers())
        for space in ("m3", "t0"):
            assert timeline.read(space, 0, 256) == iss.backend.read(iss.space_code(space), 0, 256)
    assert timeline.state == "halted"


@pytest.mark.parametrize("name", ENGINES)
def test_the_host_is_repeated_and_the_future_discarded(name: str) -> None:
    timeline = made("mov v0, m2[0]\nmov m3[0], v0\nwait\nmov v0, m2[0]\nmov m3[16], v0\nhalt", name)
    one, two = bytes([1]) * 16, bytes([2]) * 16
    timeline.write("m2", 0, one)
    timeline.start(0)
    assert timeline.run() == "wait"
    timeline.write("m2", 0, two)
    timeline.resume()
    assert timeline.run() == "halt"
    end = timeline.engine.stop()
    timeline.seek(0)
    assert [timeline.run(), timeline.now, timeline.state] == ["wait", 3, "running"]
    assert [timeline.run(), timeline.engine.stop()] == ["halt", end]
    assert timeline.read("m3", 0, 32) == one + two
    timeline.start(0)
    assert timeline.run() == "wait"
    assert timeline.read("m3", 0, 16) == two
    timeline.seek(6)
    timeline.reset()
    assert [timeline.now, timeline.latest, timeline.state] == [6, 6, "idle"]


@pytest.mark.parametrize("name", ENGINES)
def test_what_a_core_cannot_do_is_said_in_one_line(name: str) -> None:
    timeline = made("nop\nnop\nnop\nhalt", name)
    with pytest.raises(EngineError, match=f"engine {name}: the core's registers are set by its own .* engine iss"):
        timeline.poke("v0", bytes(16))
    timeline.start(0)
    timeline.run(limit=1)
    with pytest.raises(EngineError, match=f"engine {name}: a running core is not written to: its clock"):
        timeline.write("m0", 0, bytes(16))
    assert timeline.run() == "halt"


@pytest.mark.parametrize("name", ["iss", *ENGINES])
def test_what_is_done_twice_counts_for_no_coverage(name: str) -> None:
    engine = lutra.make_engine(name)
    engine.load(lutra.assemble_text("nop\nnop\nhalt"))
    observed = [(Collector(engine.rounds), machine) for machine in engine.machines]
    for collector, machine in observed:
        collector.watch(machine)
    timeline = Timeline(engine)
    timeline.start(0)
    timeline.run()
    timeline.seek(0)
    timeline.run()
    assert [collector.counts() for collector, _ in observed] == [{}] * len(observed)
    del timeline
    engine.run(0)
    assert {} not in [collector.counts() for collector, _ in observed]


def test_waves_go_on_only_forwards(tmp_path) -> None:  # type: ignore[no-untyped-def]
    engine = lutra.make_engine("rtl")
    engine.trace(tmp_path / "waves.fst")
    with pytest.raises(EngineError, match="engine rtl: waves are being written"):
        Timeline(engine)
    engine.close()
    assert Timeline(engine).now == 0


# ---------------------------------------------------------------- divergences

WRONG = "mov v0, m2[0]\nmov v1, m2[16]\nnop\nxor v2, v0, v1\nnop\nmov m3[0], v2\nhalt"


def diverging() -> Timeline:
    """A lock-step whose core has another row in its memory than the simulator."""
    engine = lutra.make_engine("cosim")
    engine.load(lutra.assemble_text(WRONG))
    engine.backend.rtl.write(engine.space_code("m2"), 16, b"\x55" * 16)
    timeline = Timeline(engine)
    timeline.start(0)
    return timeline


def test_a_divergence_ends_the_run_and_is_found_again_after_going_back() -> None:
    timeline = diverging()
    reports = []
    for back in (2, 1, 0):
        assert timeline.run() == "divergence"
        assert timeline.now == timeline.latest == 2
        with pytest.raises(lutra.Divergence) as report:
            timeline.engine.check()
        reports.append(str(report.value))
        assert timeline.run() == "divergence"
        assert timeline.now == 2
        timeline.seek(back)
    assert "v1=5555" in reports[0]
    assert len(set(reports)) == 1


def test_before_a_divergence_all_is_well() -> None:
    timeline = diverging()
    timeline.run()
    assert timeline.registers()["v1"].value == b"\x55" * 16
    assert timeline.record(2).fields["rd_value"] == b"\x55" * 16
    assert timeline.last("v1") == 2
    assert timeline.run_back(limit=1) == "limit"
    timeline.engine.check()
    assert timeline.registers()["v1"].value == bytes(16)
    assert timeline.next_pc == 1
    assert timeline.run_back(breaks=[0]) == "break"
    assert timeline.now == 0


def test_a_state_that_differs_after_the_stop_is_a_divergence_of_the_last_instruction() -> None:
    engine = lutra.make_engine("cosim")
    engine.load(lutra.assemble_text("nop\nhalt"))
    engine.backend.rtl.write(engine.space_code("m3"), 0, b"\x55" * 16)
    timeline = Timeline(engine)
    timeline.start(0)
    for _ in range(2):
        assert timeline.run() == "divergence"
        assert timeline.now == 2
        with pytest.raises(lutra.Divergence, match="states differ after the stop: halted"):
            engine.check()
        timeline.seek(1)
        engine.check()
