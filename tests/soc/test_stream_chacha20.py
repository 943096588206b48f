"""ChaCha20 on jobs of the stream."""

from __future__ import annotations

import pytest

from lutra.soc.stream import CHUNK_ROWS, ROW
from support.stream import ChaChaBench, coins

SIZES = (*range(1, 20), *range(110, 146), 1000, 1023, 1024, 1025, 2049, 3000)


def test_chacha20_in_the_stream_is_right_at_every_length() -> None:
    bench = ChaChaBench()
    bench.check([bench.encrypt(size) for size in SIZES])


@pytest.mark.parametrize("ones", [1, 20])
def test_chacha20_jobs_may_come_late(ones: int) -> None:
    bench = ChaChaBench(seed=ones)
    bench.stream.chunk_rows = 8
    bench.check([bench.encrypt(bench.random.randrange(1, 400)) for _ in range(30)], coins(ones, ones))


def test_chacha20_jobs_run_on_the_core() -> None:
    bench = ChaChaBench("rtl")
    bench.check([bench.encrypt(size) for size in (64, 128, 200, 1500)])


def test_chacha20_jobs_take_these_cycles() -> None:
    bench = ChaChaBench()
    cycles = bench.check([bench.encrypt(size) for size in (64, 64, 128, 2 * CHUNK_ROWS * ROW)])
    assert cycles[1:] == [[221], [210], [1512, 1508]]
