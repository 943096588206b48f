"""Long runs are gone back over within a second, in memory that does not grow with them."""

from __future__ import annotations

import time as clock

import pytest

import lutra
from lutra.iss.timeline import Timeline

ONE = bytes([1]) * 16


def made(source: str, name: str = "iss") -> Timeline:
    engine = lutra.make_engine(name)
    engine.load(lutra.assemble_text(source))
    return Timeline(engine)


INNER = 65_000
LONG = f"""
main:   mov     v7, m0[0]
        mov     m1[0x80], v7
        arset   ar1, OUTER
loop:   repeat  {INNER}, .L_end
        xor     v0, m2[0], v0
        xor     v1, v1, v2
        xor     m3[0x20], m2[0x10], v3
.L_end: nop
        djnz    ar1, loop
        halt
"""


FEW = LONG.replace("OUTER", "52")
MANY = LONG.replace("OUTER", "520")
HUNDRED_MILLION = pytest.mark.nightly(
    "a run of 10^8 cycles, a quarter of a minute; one of 10^7 is gone back over in the same way"
)


@pytest.fixture(scope="module", params=[FEW, pytest.param(MANY, marks=HUNDRED_MILLION)], ids=["10^7", "10^8"])
def long(request: pytest.FixtureRequest) -> Timeline:
    timeline = made(request.param)
    timeline.write("m0", 0, ONE)
    timeline.start(0)
    assert timeline.run() == "halt"
    return timeline


@pytest.mark.parametrize("share", [0.0, 0.123, 0.5, 0.999])
def test_any_cycle_of_a_long_run_is_reached_within_a_second(long: Timeline, share: float) -> None:
    assert long.latest > 10**7
    long.seek(long.latest)
    cycle = int(share * long.cycle)
    start = clock.process_time()
    assert long.seek_cycle(cycle) is None
    assert long.run_back(limit=1) in ("limit", "start")
    assert long.last(("m1", 0x80)) in (2, None)
    assert clock.process_time() - start < 1
    assert abs(long.cycle - cycle) < 10


def test_who_wrote_at_the_very_start_is_known_at_the_end_at_once(long: Timeline) -> None:
    long.seek(long.latest)
    start = clock.process_time()
    assert long.history(["v7", ("m1", 0x80)], 5) == [2, 1]
    assert long.run_back(touches=[("m1", 0x80)]) == "touch"
    assert clock.process_time() - start < 1
    assert long.now == 2


def test_checkpoints_are_few_however_long_the_run(long: Timeline) -> None:
    assert 512 <= long.checkpoints <= 1024


def test_a_long_run_can_be_watched_and_ended() -> None:
    timeline = made(MANY)
    timeline.start(0)
    times: list[int] = []

    def progress(now: int) -> bool:
        times.append(now)
        return len(times) < 3

    assert timeline.run(progress=progress) == "interrupted"
    assert times == sorted(set(times))
    assert timeline.now == times[-1]
    assert timeline.seek_cycle(10**8, progress=lambda now: False) == "interrupted"
    assert timeline.seek(10**8, progress=lambda now: False) == "interrupted"


CORE_LONG = """
main:   mov     v7, m0[0]
        arset   ar1, 2
loop:   repeat  50000, .L_end
        xor     v0, m2[0], v0
        xor     m3[0x20], m2[0x10], v3
.L_end: djnz    ar1, loop
        halt
"""


@pytest.mark.parametrize("name", ["rtl", "cosim"])
def test_a_long_run_is_gone_back_over_within_a_second(name: str) -> None:
    timeline = made(CORE_LONG, name)
    timeline.start(0)
    assert timeline.run() == "halt"
    assert timeline.latest > 200_000
    start = clock.process_time()
    assert timeline.history("v7", 3) == [1]
    assert timeline.seek_cycle(timeline.cycle // 3) is None
    assert timeline.run_back(limit=1) == "limit"
    assert timeline.run_back(touches=["v7"]) == "touch"
    assert clock.process_time() - start < 1
    assert timeline.now == 1
