"""AES on jobs of the stream: right at every length, however late jobs come, and as fast as the design asks."""

from __future__ import annotations

import pytest

from lutra.soc.stream import CHUNK_ROWS, ROW, Message
from support.stream import CONTEXTS, Bench, coins

SIZES = (*range(66), 255, 256, 257, 1008, 1023, 1024, 1025, 2047, 3000)
AAD_SIZES = (0, 1, 13, 16, 20, 33)
CHUNK = CHUNK_ROWS * ROW
BITS = (128, 256)

both = pytest.mark.parametrize("bits", BITS)


@both
def test_counter_mode_is_right_at_every_length(bits: int) -> None:
    bench = Bench(bits)
    bench.check([bench.ctr(size) for size in SIZES])


@both
def test_gcm_is_right_at_every_length(bits: int) -> None:
    bench = Bench(bits)
    lengths = [(size, AAD_SIZES[n % len(AAD_SIZES)]) for n, size in enumerate(SIZES)]
    lengths += [(0, size) for size in (1, 16, 1023, 1024, 1025)]
    bench.check([bench.gcm_encrypt(*pair) for pair in lengths])
    bench.check([bench.gcm_decrypt(*pair) for pair in lengths])


@both
def test_a_changed_tag_is_found(bits: int) -> None:
    bench = Bench(bits)
    bench.check([bench.gcm_decrypt(size, size % 21, wrong=size % 3 > 0) for size in range(100)])


@both
@pytest.mark.parametrize("ones", [1, 30])
def test_jobs_may_come_late_and_of_any_operation(bits: int, ones: int) -> None:
    bench = Bench(bits, seed=ones)
    bench.stream.chunk_rows = 3
    sizes, aad_sizes = range(150), range(70)
    cases = [
        lambda: bench.ctr(bench.random.choice(sizes)),
        lambda: bench.gcm_encrypt(bench.random.choice(sizes), bench.random.choice(aad_sizes)),
        lambda: bench.gcm_decrypt(bench.random.choice(sizes), bench.random.choice(aad_sizes)),
        lambda: bench.gcm_decrypt(bench.random.choice(sizes), bench.random.choice(aad_sizes), wrong=True),
    ]
    bench.check(bench.mixed(cases, 80), coins(ones, ones))


@both
def test_jobs_run_on_the_core(bits: int) -> None:
    bench = Bench(bits, "rtl")
    cases = [bench.ctr(size) for size in (0, 1, 64, 100, 2500)]
    cases += [bench.gcm_encrypt(*pair) for pair in ((0, 0), (64, 13), (50, 40), (1500, 20))]
    cases += [bench.gcm_decrypt(64, 13), bench.gcm_decrypt(64, 13, wrong=True), bench.gcm_decrypt(1500)]
    bench.check(cases)


@pytest.mark.parametrize(("bits", "first", "later", "short"), [(128, 334, 336, 34), (256, 464, 464, 44)])
def test_counter_mode_takes_these_cycles(bits: int, first: int, later: int, short: int) -> None:
    bench = Bench(bits)
    chunks = [first, later, later]
    cycles = bench.check([bench.ctr(size) for size in (64, 64, 64, 3 * CHUNK, 3 * CHUNK)])
    assert cycles[1:] == [[short], [short], chunks, chunks]


@pytest.mark.parametrize(
    ("bits", "chunks", "short", "with_aad"), [(128, [349, 347, 359], 61, 71), (256, [479, 475, 491], 75, 85)]
)
def test_gcm_takes_these_cycles(bits: int, chunks: list[int], short: int, with_aad: int) -> None:
    bench = Bench(bits)
    lengths = [(64, 0), (64, 0), (64, 13), (3 * CHUNK, 0), (3 * CHUNK, 0)]
    assert bench.check([bench.gcm_encrypt(*pair) for pair in lengths])[1:] == [[short], [with_aad], chunks, chunks]


@both
def test_a_key_is_cleared(bits: int) -> None:
    bench = Bench(bits)
    bench.stream.run([Message(f"aes{bits}-set-key", 3)])
    read = bench.stream.engine.read
    for space in ("m0", "m1"):
        contexts = [read(space, 128 * n, 128) for n in range(CONTEXTS)]
        assert [n for n, context in enumerate(contexts) if not any(context)] == [3]
    assert not any(key in read("m2", 0, 4096) for key in bench.keys)
