"""ChaCha20 and ChaCha20-Poly1305 on jobs of the stream."""

from __future__ import annotations

import pytest

from lutra.soc.stream import MISMATCH, ROW, Message
from support.stream import CHUNK_ROWS, ChaChaBench, coins

SIZES = (*range(1, 20), *range(110, 146), 1000, 1663, 1664, 1665, 3329, 4000)
# Of associated data; rows of them leave a part of a pair of blocks to the next chunk.
AAD_SIZES = (0, 1, 13, 16, 20, 33, 80, 130, 1663, 1664, 1680)
CHUNK = CHUNK_ROWS * ROW


def test_chacha20_in_the_stream_is_right_at_every_length() -> None:
    bench = ChaChaBench()
    bench.check([bench.encrypt(size) for size in SIZES])


def test_sealed_and_opened_at_every_length() -> None:
    bench = ChaChaBench()
    lengths = [(size, AAD_SIZES[n % len(AAD_SIZES)]) for n, size in enumerate((0, *SIZES))]
    lengths += [(size, aad) for size in (0, 1500) for aad in AAD_SIZES]
    bench.check([bench.seal(*pair) for pair in lengths])
    bench.check([bench.open(*pair) for pair in lengths])


def test_a_changed_tag_of_poly1305_is_found() -> None:
    bench = ChaChaBench()
    bench.check([bench.open(size, size % 21, wrong=size % 3 > 0) for size in range(0, 150, 7)])


def test_a_tag_of_poly1305_of_no_bytes_is_wrong() -> None:
    bench = ChaChaBench()
    sealed = [bench.seal(size, size % 21).message for size in (0, 5, 16, 1500)]
    operation = "chacha20-poly1305-decrypt"
    results = bench.stream.run([Message(operation, m.context, m.iv, m.text, m.aad) for m in sealed])
    assert {result.code for result in results} == {MISMATCH}


@pytest.mark.parametrize("ones", [1, 20])
def test_chacha20_jobs_may_come_late(ones: int) -> None:
    bench = ChaChaBench(seed=ones)
    bench.stream.chunk_rows = 8
    sizes, aad_sizes = range(1, 400), range(200)
    cases = [
        lambda: bench.encrypt(bench.random.choice(sizes)),
        lambda: bench.seal(bench.random.choice(sizes), bench.random.choice(aad_sizes)),
        lambda: bench.open(bench.random.choice(sizes), bench.random.choice(aad_sizes)),
        lambda: bench.open(bench.random.choice(sizes), bench.random.choice(aad_sizes), wrong=True),
    ]
    bench.check(bench.mixed(cases, 60), coins(ones, ones))


def test_chacha20_jobs_run_on_the_core() -> None:
    bench = ChaChaBench("rtl")
    bench.check([bench.encrypt(size) for size in (64, 128, 200, 1500)])
    bench.check([bench.seal(*pair) for pair in ((0, 0), (64, 13), (1500, 40))])
    bench.check([bench.open(64, 13), bench.open(64, 13, wrong=True), bench.open(1500, 40)])


def test_chacha20_jobs_take_these_cycles() -> None:
    bench = ChaChaBench()
    bench.stream.chunk_rows = CHUNK_ROWS
    cycles = bench.check([bench.encrypt(size) for size in (64, 64, 128, 2 * CHUNK)])
    assert cycles[1:] == [[221], [210], [1512, 1508]]


def test_sealing_takes_these_cycles() -> None:
    bench = ChaChaBench()
    bench.stream.chunk_rows = CHUNK_ROWS
    lengths = [(64, 0), (64, 0), (64, 13), (2 * CHUNK, 0)]
    assert bench.check([bench.seal(*pair) for pair in lengths])[1:] == [[409], [427], [3133, 2973]]
