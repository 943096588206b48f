"""AES on jobs of the stream: right at every length, however late jobs come, and as fast as the design asks."""

from __future__ import annotations

import pytest

from lutra.soc.stream import MISMATCH, ROW, Message
from support.stream import CHUNK_ROWS, CONTEXTS, AesBench, InverseBench, coins

SIZES = (*range(66), 255, 256, 257, 1008, 1663, 1664, 1665, 3327, 4000)
AAD_SIZES = (0, 1, 13, 16, 20, 33)
CHUNK = CHUNK_ROWS * ROW
BITS = (128, 256)

both = pytest.mark.parametrize("bits", BITS)


@both
def test_counter_mode_is_right_at_every_length(bits: int) -> None:
    bench = AesBench(bits)
    bench.check([bench.ctr(size) for size in SIZES])


def test_a_message_may_bring_its_key() -> None:
    bench = AesBench(128)
    cases = [bench.ctr_inline(size) for size in SIZES]
    bench.check(cases)
    left = bench.stream.engine.read("m2", 0, 4096)
    assert not any(case.message.key in left for case in cases)


@both
def test_cmac_is_right_at_every_length(bits: int) -> None:
    bench = AesBench(bits)
    bench.check([bench.cmac(size) for size in SIZES])


@both
def test_cbc_is_right_at_every_length(bits: int) -> None:
    bench, inverse = AesBench(bits), InverseBench(bits)
    blocks = (*range(6), 63, 64, 65, 130)
    bench.check([bench.cbc_encrypt(n) for n in blocks])
    inverse.check([inverse.cbc_decrypt(n) for n in blocks])


@both
def test_gcm_is_right_at_every_length(bits: int) -> None:
    bench = AesBench(bits)
    lengths = [(size, AAD_SIZES[n % len(AAD_SIZES)]) for n, size in enumerate(SIZES)]
    lengths += [(0, size) for size in (1, 16, 1663, 1664, 1665)]
    bench.check([bench.gcm_encrypt(*pair) for pair in lengths])
    bench.check([bench.gcm_decrypt(*pair) for pair in lengths])


@both
def test_a_changed_tag_is_found(bits: int) -> None:
    bench = AesBench(bits)
    bench.check([bench.gcm_decrypt(size, size % 21, wrong=size % 3 > 0) for size in range(100)])


@both
def test_a_tag_is_checked_without_text_at_every_length(bits: int) -> None:
    bench = AesBench(bits, image="aes-gcm")
    lengths = [(size, AAD_SIZES[n % len(AAD_SIZES)]) for n, size in enumerate(SIZES)]
    lengths += [(0, size) for size in (1, 16, 1663, 1664, 1665)]
    bench.check([bench.gcm_verify(*pair, wrong=wrong) for pair in lengths for wrong in (False, True)])
    # Nothing was stored, so the next results are where they have to be.
    bench.check([bench.gcm_decrypt(size) for size in (0, 5, 1664, 4000)])


@both
@pytest.mark.parametrize("ones", [1, 30])
def test_tags_are_checked_between_other_jobs(bits: int, ones: int) -> None:
    bench = AesBench(bits, seed=ones, image="aes-gcm")
    bench.stream.chunk_rows = 3
    sizes, aad_sizes = range(150), range(70)
    cases = [
        lambda: bench.ctr(bench.random.choice(sizes)),
        bench.key_again,
        lambda: bench.gcm_encrypt(bench.random.choice(sizes), bench.random.choice(aad_sizes)),
        lambda: bench.gcm_decrypt(bench.random.choice(sizes), bench.random.choice(aad_sizes)),
        lambda: bench.gcm_verify(bench.random.choice(sizes), bench.random.choice(aad_sizes)),
        lambda: bench.gcm_verify(bench.random.choice(sizes), bench.random.choice(aad_sizes), wrong=True),
    ]
    bench.check(bench.mixed(cases, 120), coins(ones, ones))


@both
def test_a_tag_of_no_bytes_is_wrong(bits: int) -> None:
    bench = AesBench(bits)
    sealed = [bench.gcm_encrypt(size, size % 21).message for size in (0, 5, 16, 1500)]
    operation = f"aes{bits}-gcm-decrypt"
    results = bench.stream.run([Message(operation, m.context, m.iv, m.text, m.aad) for m in sealed])
    assert {result.code for result in results} == {MISMATCH}


@both
@pytest.mark.parametrize("ones", [1, 30])
def test_aes_jobs_may_come_late_and_of_any_operation(bits: int, ones: int) -> None:
    bench = AesBench(bits, seed=ones)
    bench.stream.chunk_rows = 3
    sizes, aad_sizes = range(150), range(70)
    cases = [
        lambda: bench.ctr(bench.random.choice(sizes)),
        lambda: bench.cmac(bench.random.choice(sizes)),
        bench.key_again,
        lambda: bench.cbc_encrypt(bench.random.randrange(8)),
        lambda: bench.gcm_encrypt(bench.random.choice(sizes), bench.random.choice(aad_sizes)),
        lambda: bench.gcm_decrypt(bench.random.choice(sizes), bench.random.choice(aad_sizes)),
        lambda: bench.gcm_decrypt(bench.random.choice(sizes), bench.random.choice(aad_sizes), wrong=True),
    ]
    bench.check(bench.mixed(cases, 80), coins(ones, ones))


@both
@pytest.mark.parametrize("ones", [0, 3, 30])
def test_messages_of_two_keys_are_encrypted_together_in_cbc(bits: int, ones: int) -> None:
    """Any two lengths are right, also with chunks; messages that come late run alone."""
    bench = AesBench(bits, seed=ones)
    blocks = (*range(12), 20, 64, 104, 105, 170)
    cases = [bench.cbc_encrypt(bench.random.choice(blocks)) for _ in range(60)]
    bench.check(cases, coins(ones, ones) if ones else None)


@both
def test_a_message_in_cbc_waits_for_no_other_one(bits: int) -> None:
    """It is done in the time of its blocks where no other comes, and the core halts."""
    bench = AesBench(bits)
    alone = []
    for blocks in (4, 64):
        before = bench.stream.cycles
        bench.check([bench.cbc_encrypt(blocks)])
        alone.append(bench.stream.cycles - before)
    assert alone[1] - alone[0] == 60 * {128: 10, 256: 14}[bits]
    assert alone[0] < {128: 40, 256: 56}[bits] + 60
    late = iter([False] * 1000)
    results = bench.stream.run([bench.cbc_encrypt(4).message, bench.cbc_encrypt(4).message], late)
    assert [result.notified for result in results] == [[], []]


@both
@pytest.mark.parametrize("ones", [0, 3, 30])
def test_macs_of_two_keys_are_made_together(bits: int, ones: int) -> None:
    """Any two lengths are right, also with chunks; messages that come late run alone."""
    bench = AesBench(bits, seed=ones)
    cases = [bench.cmac(bench.random.choice((*range(0, 260, 13), *SIZES))) for _ in range(80)]
    bench.check(cases, coins(ones, ones) if ones else None)


@both
def test_macs_of_any_two_lengths_are_right(bits: int) -> None:
    """Whole and partial blocks, none, and around the length from which on two go together."""
    bench = AesBench(bits)
    sizes = (0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 79, 127, 128, 129, 143, 144, 145, 250)
    for first in sizes:
        for second in sizes:
            bench.check([bench.cmac(first), bench.cmac(second)])


@both
def test_a_mac_waits_for_no_other_one(bits: int) -> None:
    """It is done in the time of its blocks where no other comes, and the core halts."""
    bench = AesBench(bits)
    alone = []
    for size in (256, 1024):
        before = bench.stream.cycles
        bench.check([bench.cmac(size)])
        alone.append(bench.stream.cycles - before)
    assert alone[1] - alone[0] == 48 * {128: 10, 256: 14}[bits]
    late = iter([False] * 1000)
    results = bench.stream.run([bench.cmac(256).message, bench.cmac(256).message], late)
    assert [result.notified for result in results] == [[], []]


@both
def test_second_mac_is_at_row_0_where_the_first_is_in_the_last_row(bits: int) -> None:
    bench = AesBench(bits)
    bench.check([bench.cmac(1)])
    for _ in range(3):
        bench.check([bench.cmac(bench.random.randrange(130, 400)) for _ in range(100)])


@both
@pytest.mark.parametrize("ones", [1, 30])
def test_decryption_in_cbc_is_right_when_jobs_come_late(bits: int, ones: int) -> None:
    bench = InverseBench(bits, seed=ones)
    bench.stream.chunk_rows = 3
    bench.check([bench.cbc_decrypt(bench.random.randrange(8)) for _ in range(40)], coins(ones, ones))


@both
def test_aes_jobs_run_on_the_core(bits: int) -> None:
    bench = AesBench(bits, "rtl")
    cases = [bench.ctr(size) for size in (0, 1, 64, 100, 2500)]
    cases += [bench.gcm_encrypt(*pair) for pair in ((0, 0), (64, 13), (50, 40), (1500, 20))]
    cases += [bench.cmac(size) for size in (100, 64, 256, 300, 129, 900, 400, 17)]
    cases += [bench.cbc_encrypt(blocks) for blocks in (5, 5, 3, 2, 9)]
    cases += [bench.gcm_decrypt(64, 13), bench.gcm_decrypt(64, 13, wrong=True), bench.gcm_decrypt(1500)]
    bench.check(cases)
    inverse = InverseBench(bits, "rtl")
    inverse.check([inverse.cbc_decrypt(blocks) for blocks in (1, 4, 70)])


@pytest.mark.parametrize(("bits", "first", "later", "short"), [(128, 334, 336, 34), (256, 464, 464, 44)])
def test_counter_mode_takes_these_cycles(bits: int, first: int, later: int, short: int) -> None:
    bench = AesBench(bits)
    bench.stream.chunk_rows = CHUNK_ROWS
    chunks = [first, later, later]
    cycles = bench.check([bench.ctr(size) for size in (64, 64, 64, 3 * CHUNK, 3 * CHUNK)])
    assert cycles[1:] == [[short], [short], chunks, chunks]


@pytest.mark.parametrize(("bits", "short", "long"), [(128, 106, 886), (256, 114, 1014)])
def test_two_messages_in_cbc_take_these_cycles(bits: int, short: int, long: int) -> None:
    """Together; a chunk of a long message is alone."""
    bench = AesBench(bits)
    bench.stream.chunk_rows = CHUNK_ROWS
    for blocks, cycles in ((4, short), (64, long)):
        found = bench.check([bench.cbc_encrypt(blocks) for _ in range(8)])
        assert {sum(first) + sum(second) for first, second in zip(found[2::2], found[3::2], strict=True)} == {cycles}
    alone = {128: 655, 256: 910}[bits]
    assert bench.check([bench.cbc_encrypt(3 * CHUNK_ROWS)] * 2)[1][1:] == [alone, alone]


@pytest.mark.parametrize(
    ("bits", "of_64", "of_128", "of_1024", "chunks"),
    [(128, 2 * 71, 200, 928, [667, 663, 670]), (256, 156, 216, 1056, [922, 918, 924])],
)
def test_two_macs_take_these_cycles(bits: int, of_64: int, of_128: int, of_1024: int, chunks: list[int]) -> None:
    """Together, but for short ones: of AES-128 two of 64 bytes are faster one after the other."""
    bench = AesBench(bits)
    bench.stream.chunk_rows = CHUNK_ROWS
    for size, cycles in ((64, of_64), (128, of_128), (1024, of_1024)):
        found = bench.check([bench.cmac(size) for _ in range(8)])
        assert {sum(first) + sum(second) for first, second in zip(found[2::2], found[3::2], strict=True)} == {cycles}
    assert bench.check([bench.cmac(3 * CHUNK)] * 2)[1] == chunks


def test_counter_mode_with_its_key_reaches_a_byte_per_cycle() -> None:
    bench = AesBench(128)
    bench.stream.chunk_rows = CHUNK_ROWS
    cycles = bench.check([bench.ctr_inline(size) for size in (64, 64, 64, 2 * CHUNK, 64)])
    assert cycles[1:] == [[63], [63], [363, 367], [63]]


@pytest.mark.parametrize(
    ("bits", "chunks", "short", "with_aad"), [(128, [348, 346, 358], 60, 68), (256, [478, 474, 490], 74, 82)]
)
def test_gcm_takes_these_cycles(bits: int, chunks: list[int], short: int, with_aad: int) -> None:
    bench = AesBench(bits)
    bench.stream.chunk_rows = CHUNK_ROWS
    lengths = [(64, 0), (64, 0), (64, 13), (3 * CHUNK, 0), (3 * CHUNK, 0)]
    assert bench.check([bench.gcm_encrypt(*pair) for pair in lengths])[1:] == [[short], [with_aad], chunks, chunks]


@pytest.mark.parametrize(
    ("bits", "short", "one", "chunks"), [(128, 61, 301, [280, 278, 299]), (256, 65, 305, [280, 278, 303])]
)
def test_a_tag_that_is_checked_alone_takes_these_cycles(bits: int, short: int, one: int, chunks: list[int]) -> None:
    bench = AesBench(bits, image="aes-gcm")
    bench.stream.chunk_rows = CHUNK_ROWS
    cases = [bench.gcm_verify(size) for size in (64, 64, 1024, 3 * 1024)]
    assert bench.check(cases)[1:] == [[short], [one], chunks]


@pytest.mark.parametrize(("bits", "short", "later"), [(128, 43, 343), (256, 53, 473)])
def test_decryption_in_cbc_takes_these_cycles(bits: int, short: int, later: int) -> None:
    bench = InverseBench(bits)
    bench.stream.chunk_rows = CHUNK_ROWS
    cycles = bench.check([bench.cbc_decrypt(blocks) for blocks in (4, 4, 4, 2 * CHUNK_ROWS)])
    assert cycles[1:3] == [[short], [short]]
    assert cycles[3][1:] == [later]


@both
def test_a_key_of_the_stream_is_cleared(bits: int) -> None:
    bench = AesBench(bits)
    bench.stream.run([Message(f"aes{bits}-set-key", 3)])
    read = bench.stream.engine.read
    for space in ("m0", "m1"):
        contexts = [read(space, 128 * n, 128) for n in range(CONTEXTS)]
        assert [n for n, context in enumerate(contexts) if not any(context)] == [3]
    assert not any(key in read("m2", 0, 4096) for key in bench.keys)
