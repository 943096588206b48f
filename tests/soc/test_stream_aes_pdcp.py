"""256-NIA5 on jobs of the stream, next to counter mode with the same keys."""

from __future__ import annotations

import pytest

from lutra.soc.stream import ROW
from support.stream import CHUNK_ROWS, AesBench, coins

SIZES = (*range(70), 255, 256, 257, 1008, 1663, 1664, 1665, 3327)


def _bench(engine: str = "iss", seed: int = 7) -> AesBench:
    return AesBench(256, engine, seed, "aes-pdcp")


def test_nia5_is_right_at_every_length() -> None:
    bench = _bench()
    bench.check([bench.nia5(size) for size in SIZES])


@pytest.mark.parametrize("ones", [1, 30])
def test_nia5_and_counter_mode_of_a_key_may_come_late(ones: int) -> None:
    bench = _bench(seed=ones)
    bench.stream.chunk_rows = 3
    cases = [
        lambda: bench.nia5(bench.random.randrange(150)),
        lambda: bench.ctr(bench.random.randrange(150)),
        bench.key_again,
    ]
    bench.check(bench.mixed(cases, 60), coins(ones, ones))


def test_nia5_runs_on_the_core() -> None:
    bench = _bench("rtl")
    bench.check([bench.nia5(size) for size in (0, 3, 16, 61, 200)] + [bench.ctr(20), bench.nia5(20)])


def test_nia5_takes_as_long_as_documented() -> None:
    """64 bytes, 1 KB, and a further chunk of 1 KB that is not the last one."""
    bench = _bench()
    bench.stream.chunk_rows = CHUNK_ROWS
    chunk = CHUNK_ROWS * ROW
    cycles = bench.check([bench.nia5(size) for size in (64, 64, chunk, 3 * chunk)])
    assert (cycles[1], cycles[2], cycles[3][1]) == ([96], [396], 338)


def test_cmac_and_counter_mode_are_in_the_image() -> None:
    bench = AesBench(128, image="aes-pdcp")
    bench.check([case(size) for size in (5, 64, 300) for case in (bench.ctr, bench.cmac)])
