"""Packets on jobs of the stream: right from packet to packet, however they follow each other, and as fast as said."""

from __future__ import annotations

import pytest

from lutra.soc.cluster.traffic import IMIX
from lutra.soc.stream import CHUNK_ROWS, ROW, SAVED_KEY_BYTES
from support.stream import AesBench, Case, coins

BITS = (128, 256)
CYCLES_OF_A_BLOCK = {128: 5, 256: 7}
# Packets of all numbers of bytes in their last row, the shortest ones, and messages that are none.
SIZES = (*range(16, 100), 0, 1, 16, 33, 570, 1518, 3000, 17, 18, *range(240, 260))
ESP_AAD, TAG = 8, 16

both = pytest.mark.parametrize("bits", BITS)


def bench(bits: int, engine: str = "iss", seed: int = 7) -> AesBench:
    return AesBench(bits, engine, seed, image="aes-packets")


def any_gcm(made: AesBench) -> Case:
    """A packet or not, in either direction, with a tag that may be wrong or short."""
    size, aad = made.random.choice((*range(70), 1700)), made.random.choice((0, 0, 8, 8, 8, 16, 17, 40))
    if made.random.randrange(2):
        return made.gcm_encrypt(size, aad)
    return made.gcm_decrypt(size, aad, wrong=made.random.randrange(4) == 0, tag_bytes=made.random.choice((0, TAG, TAG)))


@both
def test_packets_of_counter_mode_are_right_at_every_length(bits: int) -> None:
    made = bench(bits)
    made.check([made.ctr(size) for size in SIZES])


@both
@pytest.mark.parametrize("aad", [(8,), (0,), (8, 0, 8, 8, 16, 0, 0, 17, 1)])
def test_packets_of_gcm_are_right_at_every_length(bits: int, aad: tuple[int, ...]) -> None:
    made = bench(bits)
    lengths = [(size, aad[n % len(aad)]) for n, size in enumerate(SIZES)]
    made.check([made.gcm_encrypt(*pair) for pair in lengths])
    made.check([made.gcm_decrypt(*pair, tag_bytes=TAG) for pair in lengths])


@both
def test_a_changed_tag_is_found_in_any_packet(bits: int) -> None:
    made = bench(bits)
    made.check([made.gcm_decrypt(17 + size, 8, wrong=size % 3 > 0, tag_bytes=TAG) for size in range(60)])
    made.check([made.gcm_decrypt(17 + size, size % 20, wrong=size % 5 > 0) for size in range(60)])


@both
@pytest.mark.parametrize("ones", [1, 10, 30, 90])
def test_packets_may_come_late_and_among_others(bits: int, ones: int) -> None:
    made = bench(bits, seed=ones)
    cases = [lambda: made.ctr(made.random.randrange(80)), made.key_again, *[lambda: any_gcm(made)] * 6]
    made.check(made.mixed(cases, 120), coins(ones, ones))


@both
@pytest.mark.parametrize("ones", [0, 10, 30])
def test_saved_keys_may_come_between_any_jobs(bits: int, ones: int) -> None:
    """Before packets and other messages of each operation, several in a row, and after a key that is set; also late."""
    made = bench(bits, seed=ones)
    saved = made.saved()
    keys = [made.key_again, lambda: made.restore(saved), lambda: made.restore(saved)]
    assert all(len(rows) == SAVED_KEY_BYTES for _, rows in saved)
    for case in (lambda: made.ctr(made.random.randrange(80)), lambda: any_gcm(made)):
        made.check(made.mixed([*keys, *[case] * 4], 80), coins(ones, ones) if ones else None)


def test_a_wrong_tag_in_front_of_a_saved_key_is_that_of_its_packet() -> None:
    made = bench(128)
    saved = made.saved()
    cases = []
    for size in range(40):
        cases += [made.gcm_decrypt(17 + size, 8, wrong=size % 3 > 0, tag_bytes=TAG), made.restore(saved)]
    made.check(cases)


@both
def test_packets_run_on_the_core(bits: int) -> None:
    made = bench(bits, "rtl")
    for aad in (8, 0):
        made.check([made.gcm_encrypt(size, aad) for size in (66, 20, 1700, 40, 5, 100, 64)])
        made.check([made.gcm_decrypt(size, aad, wrong=size == 40, tag_bytes=TAG) for size in (66, 20, 40, 100, 64)])
    made.check([made.ctr(size) for size in (66, 20, 1700, 40, 5, 100, 64)])
    saved = made.saved()
    for case in (
        made.ctr,
        lambda size: made.gcm_encrypt(size, ESP_AAD),
        lambda size: made.gcm_decrypt(size, ESP_AAD, tag_bytes=TAG),
    ):
        made.check([one for size in (66, 64, 20, 5) for one in (made.restore(saved), case(size))])


@pytest.mark.parametrize(
    ("bits", "operation", "overhead"),
    [(128, "ctr", 9), (128, "encrypt", 17), (128, "decrypt", 23), (256, "ctr", 9), (256, "encrypt", 20)],
)
def test_a_packet_takes_its_blocks_and_these_cycles(bits: int, operation: str, overhead: int) -> None:
    """Whatever its size, with a partial block or without, and with a row of associated data in GCM."""
    made = bench(bits)
    cases = {
        "ctr": lambda size: made.ctr(size),
        "encrypt": lambda size: made.gcm_encrypt(size, ESP_AAD),
        "decrypt": lambda size: made.gcm_decrypt(size, ESP_AAD, tag_bytes=TAG),
    }
    sizes = (64, 64, 48, 66, 1520, 100, 64)
    found = made.check([cases[operation](size) for size in sizes])
    for size, cycles in list(zip(sizes, found, strict=True))[2:-1]:
        blocks = -(-size // ROW) + (operation != "ctr")
        assert cycles == [CYCLES_OF_A_BLOCK[bits] * blocks + overhead], size


@pytest.mark.parametrize(
    ("bits", "operation", "overhead"),
    [(128, "ctr", 68), (128, "encrypt", 49), (128, "decrypt", 54), (256, "ctr", 68), (256, "encrypt", 52)],
)
def test_a_packet_with_a_saved_key_takes_these_cycles(bits: int, operation: str, overhead: int) -> None:
    made = bench(bits)
    saved = made.saved()
    cases = {
        "ctr": lambda size: made.ctr(size),
        "encrypt": lambda size: made.gcm_encrypt(size, ESP_AAD),
        "decrypt": lambda size: made.gcm_decrypt(size, ESP_AAD, tag_bytes=TAG),
    }
    sizes = (64, 64, 48, 66, 1520, 100, 64)
    found = made.check([one for size in sizes for one in (made.restore(saved), cases[operation](size))])
    for n, size in list(enumerate(sizes))[2:-1]:
        blocks = -(-size // ROW) + (operation != "ctr")
        cycles = [*found[2 * n], *found[2 * n + 1]]
        assert sum(cycles) == CYCLES_OF_A_BLOCK[bits] * blocks + overhead, size


def test_a_key_that_is_set_in_front_of_a_packet_takes_these_cycles() -> None:
    """From start to halt: the job that sets it, and what a packet takes more alone than among others."""
    made = bench(128)

    def cycles(*cases: Case) -> int:
        before = made.stream.cycles
        made.check([*cases])
        return made.stream.cycles - before

    assert cycles(made.key_again()) == 71
    assert cycles(made.gcm_encrypt(64, ESP_AAD)) - (CYCLES_OF_A_BLOCK[128] * 5 + 17) == 45


def test_the_mix_reaches_two_and_a_half_bytes_per_cycle() -> None:
    made = bench(128)
    sizes = [-(-(size + 2) // 4) * 4 for size in (*IMIX, *IMIX, *IMIX[:2])]
    assert max(sizes) + ROW <= ROW * CHUNK_ROWS
    cycles = made.check([made.gcm_encrypt(size, ESP_AAD) for size in sizes])[len(IMIX) : 2 * len(IMIX)]
    assert sum(IMIX) / sum(map(sum, cycles)) > 2.5
