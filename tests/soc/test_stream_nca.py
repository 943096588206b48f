"""256-NCA4 to 256-NCA6 on jobs of the stream."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lutra.soc.stream import ROW, Message
from support.stream import CHUNK_ROWS, Case, SstBench, coins

IMAGES = tuple(SstBench.NAMES)
# Around rows, and around a chunk.
SIZES = (*range(34), 47, 48, 49, 255, 256, 257, 1023, 1024, 1025, 1665)
AAD_SIZES = (0, 1, 16, 33)


@pytest.mark.parametrize("image", IMAGES)
def test_nca_is_right_at_every_length(image: str) -> None:
    bench = SstBench(image)
    bench.stream.chunk_rows = CHUNK_ROWS
    bench.check([case(size, aad) for size in SIZES for aad in AAD_SIZES for case in (bench.seal, bench.open)])


@pytest.mark.parametrize("image", IMAGES)
def test_a_tag_with_a_wrong_bit_is_found(image: str) -> None:
    bench = SstBench(image, seed=3)
    bench.check([bench.open(size, size % 20, wrong=size % 3 != 0) for size in range(0, 120, 7)])


@pytest.mark.parametrize("image", IMAGES)
@pytest.mark.parametrize("rows", [1, 3])
def test_chunks_of_nca_may_be_short_and_come_late(image: str, rows: int) -> None:
    bench = SstBench(image, seed=rows)
    bench.stream.chunk_rows = rows

    def one(case: Callable[[int, int], Case]) -> Case:
        return case(bench.random.randrange(150), bench.random.randrange(40))

    cases = [lambda: one(bench.seal), lambda: one(bench.open), bench.key_again]
    bench.check(bench.mixed(cases, 60), coins(rows, 10))


@pytest.mark.parametrize("image", IMAGES)
def test_nca_runs_on_the_core(image: str) -> None:
    bench = SstBench(image, "rtl")
    sizes = (0, 3, 16, 61, 200)
    bench.check([case(size, size % 18) for size in sizes for case in (bench.seal, bench.open)])


# 64 bytes and 1 KB, both without associated data, and a chunk of 1 KB in the middle of a message; seal and open.
CYCLES = {
    "snow5g": ((489, 1522, 1178), (486, 1519, 1163)),
    "aes-pdcp": ((152, 692, 614), (159, 699, 609)),
    "zuc256": ((194, 734, 624), (198, 738, 616)),
}


@pytest.mark.parametrize("image", IMAGES)
@pytest.mark.parametrize("opens", [False, True])
def test_nca_takes_as_long_as_documented(image: str, opens: bool) -> None:
    bench = SstBench(image)
    bench.stream.chunk_rows = CHUNK_ROWS
    chunk = CHUNK_ROWS * ROW
    case = bench.open if opens else bench.seal
    cycles = bench.check([case(size) for size in (64, 64, chunk, 3 * chunk)])
    assert (*cycles[1], *cycles[2], cycles[3][1]) == CYCLES[image][opens]


@pytest.mark.parametrize("image", IMAGES)
def test_no_mask_is_left_after_a_message(image: str) -> None:
    """Q and P, which only this message has."""
    bench = SstBench(image)
    bench.check([bench.seal(40), bench.open(40)])
    symbols = {symbol.name: symbol.value for symbol in bench.stream.firmware.image.symbols}
    for name in ("sst_q", "sst_p"):
        assert not any(bench.stream.engine.read("m0", symbols[name], ROW))


def test_a_dropped_key_leaves_no_mask_of_snow_5g() -> None:
    bench = SstBench("snow5g")
    bench.check([bench.seal(40)])
    masks = {symbol.name: symbol.value for symbol in bench.stream.firmware.image.symbols}["snow5g_masks"]
    found = [any(bench.stream.engine.read("m1", masks, 3 * ROW))]
    bench.stream.run([Message(bench.set_key, 0, key=b"")])
    found.append(any(bench.stream.engine.read("m1", masks, 3 * ROW)))
    assert found == [True, False]
