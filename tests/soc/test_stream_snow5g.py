"""SNOW 5G on jobs of the stream: encryption at every length, in chunks of any rows, and what a dropped key leaves."""

from __future__ import annotations

import pytest

from lutra.soc.stream import ROW, Message
from support.stream import CHUNK_ROWS, LteBench, coins

# Around parts of 32 rows, and of more than a chunk.
SIZES = (*range(1, 36), *(16 * rows + bytes for rows in (31, 32, 33, 63, 64, 65) for bytes in (0, 1)), 1665, 3327)


@pytest.mark.parametrize("rows", [CHUNK_ROWS, 104])
def test_snow_5g_is_right_at_every_length(rows: int) -> None:
    bench = LteBench("snow5g")
    bench.stream.chunk_rows = rows
    bench.check([bench.eea(size) for size in SIZES])


@pytest.mark.parametrize("rows", [1, 5, 33])
def test_a_chunk_of_snow_5g_may_have_odd_rows(rows: int) -> None:
    """Registers are swapped for the next one."""
    bench = LteBench("snow5g", seed=rows)
    bench.stream.chunk_rows = rows
    bench.check([bench.eea(size) for size in (1, 16, 17, 80, 96, 100, 16 * 33, 1100)], coins(rows, 10))


def test_snow_5g_runs_on_the_core() -> None:
    bench = LteBench("snow5g", "rtl")
    bench.check([bench.eea(size) for size in (3, 16, 40, 560)])


def test_snow_5g_takes_as_long_as_documented() -> None:
    """64 bytes, 1 KB, and a further chunk of 1 KB."""
    bench = LteBench("snow5g")
    bench.stream.chunk_rows = CHUNK_ROWS
    chunk = CHUNK_ROWS * ROW
    cycles = bench.check([bench.eea(size) for size in (64, 64, chunk, 3 * chunk)])
    assert (cycles[1], cycles[2], cycles[3][1]) == ([316], [1049], 812)


def test_a_dropped_key_is_not_left_where_the_state_was() -> None:
    """A host without raw operations cannot clear m1 by itself."""
    bench = LteBench("snow5g")
    bench.check([bench.eea(size) for size in (3, 560)] + [bench.eia(40)])
    drops = [Message("snow5g-set-key", context, key=b"") for context in range(len(bench.keys))]
    data = [bench.stream.engine.read("m1", 16 * 196, 16 * 51)]
    bench.stream.run(drops)
    data.append(bench.stream.engine.read("m1", 16 * 196, 16 * 51))
    assert [any(found) for found in data] == [True, False]
    assert not any(bench.stream.engine.read("m1", 16 * 251, ROW))
