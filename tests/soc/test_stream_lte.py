"""SNOW 3G, ZUC and ZUC-256 on jobs of the stream: alone and in pairs, and as fast as the design asks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lutra.firmware.lte import initial_vector
from lutra.soc.cluster.traffic import IMIX
from lutra.soc.stream import ROW, Message
from support.stream import CHUNK_ROWS, Case, LteBench, coins

VECTORS = Path(__file__).parents[1] / "vectors"
FILES = {
    "snow3g": ("eea1", "snow3g_uea2_ts35217.json"),
    "zuc": ("eea3", "zuc_eea3_ts35223.json"),
    "zuc256": ("", "zuc_256_nea6.json"),
}
SIZES = (*range(1, 36), 63, 64, 65, 255, 1000, 1023, 1024, 1025, 2049)
CHUNK = CHUNK_ROWS * ROW

each = pytest.mark.parametrize("image", FILES)


@each
@pytest.mark.parametrize("together", [False, True])
def test_known_answers_are_met_alone_and_in_pairs(image: str, together: bool) -> None:
    bench = LteBench(image)
    form, file = FILES[image]
    tests = json.loads((VECTORS / file).read_text())["tests"]
    messages = []
    for context, test in enumerate(tests):
        bench.stream.run([Message(f"{image}-set-key", context, key=bytes.fromhex(test["key"]))])
        iv = bytes.fromhex(test.get("iv", ""))
        if form:
            inputs = {"count": int(test["count"], 16), "bearer": test["bearer"], "direction": test["direction"]}
            iv = initial_vector(form, **inputs)
        messages.append(Message(bench.operation, context, iv, bytes.fromhex(test["plaintext"])))
    groups = [messages] if together else [[message] for message in messages]
    results = [result for group in groups for result in bench.stream.run(group)]
    assert [whole_bits(result.text, test) for result, test in zip(results, tests, strict=True)] == [
        test["ciphertext"] for test in tests
    ]


def whole_bits(text: bytes, test: dict[str, Any]) -> str:
    """The bits that count, then zeros: a job has whole bytes."""
    unused = -int(test.get("length_bits", 0)) % 8
    return (int.from_bytes(text, "big") >> unused << unused).to_bytes(len(text), "big").hex()


@each
def test_pairs_of_any_lengths_are_right(image: str) -> None:
    bench = LteBench(image)
    bench.check([bench.eea(size) for size in SIZES])
    bench.check([bench.eea(bench.random.choice(SIZES)) for _ in range(60)])


@each
@pytest.mark.parametrize("ones", [1, 20])
def test_stream_cipher_jobs_may_come_late(image: str, ones: int) -> None:
    bench = LteBench(image, seed=ones)
    bench.stream.chunk_rows = 5
    bench.check([bench.eea(bench.random.randrange(1, 150)) for _ in range(60)], coins(ones, ones))


@each
def test_keys_may_be_set_between_messages(image: str) -> None:
    bench = LteBench(image)
    cases = [lambda: bench.eea(bench.random.randrange(1, 100)), bench.key_again]
    bench.check(bench.mixed(cases, 60))


@each
def test_stream_cipher_jobs_run_on_the_core(image: str) -> None:
    bench = LteBench(image, "rtl")
    bench.check([bench.eea(size) for size in (64, 64, 100, 17, 1500, 3)])


@pytest.mark.parametrize(("image", "pair", "later"), [("snow3g", 333, 273), ("zuc", 337, 273), ("zuc256", 353, 273)])
def test_a_pair_of_chunks_gets_more_than_five_bytes_per_cycle(image: str, pair: int, later: int) -> None:
    bench = LteBench(image)
    bench.stream.chunk_rows = CHUNK_ROWS
    cases: list[Case] = [bench.eea(size) for size in (64, 64, CHUNK, CHUNK, 3 * CHUNK)]
    cycles = bench.check(cases)
    assert cycles[2:4] == [[pair], [2]]
    assert cycles[4][1:] == [later, later]
    assert 2 * CHUNK / (pair + 2) > 5


@pytest.mark.parametrize(("image", "rate"), [("snow3g", 3.4), ("zuc", 3.35), ("zuc256", 2.95)])
def test_the_mix_reaches_three_bytes_per_cycle(image: str, rate: float) -> None:
    """Firmware alone, all jobs in the memory: 2.65 when a pair waited for the longer one."""
    bench = LteBench(image)
    cycles = bench.check([bench.eea(size) for size in IMIX * 3])[len(IMIX) : 2 * len(IMIX)]
    assert sum(IMIX) / sum(map(sum, cycles)) > rate


# ------------------------------------------------------------- a packet begins where another one ended
# Sizes of packets in bytes. The first two begin together; the names say which goes on.
LONG, MIDDLE, SHORT, SHORTEST = 1518, 570, 64, 17
ORDERS = {
    "the older one goes on, in c0": (LONG, SHORT, MIDDLE, SHORTEST, SHORT),
    "the older one goes on, in c1": (SHORT, LONG, SHORT, MIDDLE, SHORTEST),
    "the younger one goes on, in c1, then in c0": (MIDDLE, LONG, LONG, LONG, LONG, SHORT),
    "all end together, from c0 and from c1": (MIDDLE, SHORT, 512, 1, SHORT, MIDDLE, 512, SHORT),
    "the rest is too short for a beginning": (320, SHORT, 310, 305, 60, MIDDLE),
    "nothing follows": (SHORT, LONG),
    "a job that is not a packet follows": (LONG, SHORT, 5, 2049, MIDDLE, 16, LONG, 3),
}


@each
@pytest.mark.parametrize("order", ORDERS)
def test_a_packet_begins_where_another_one_ended(image: str, order: str) -> None:
    bench = LteBench(image)
    bench.check([bench.eea(size) for size in ORDERS[order]])


@each
def test_packets_end_in_the_order_of_the_stream(image: str) -> None:
    """Three of them are done before the first one: they are notified with it."""
    bench = LteBench(image)
    cycles = bench.check([bench.eea(size) for size in (SHORT, SHORT, LONG, SHORT, MIDDLE, SHORT, SHORT)])
    assert cycles[2][0] > 500
    assert [found[0] < 8 for found in cycles[3:6]] == [True] * 3


@each
@pytest.mark.parametrize("ones", [2, 10])
def test_packets_of_stream_ciphers_may_come_late(image: str, ones: int) -> None:
    bench = LteBench(image, seed=ones)
    sizes = (*range(1, 150), MIDDLE, LONG)
    bench.check([bench.eea(bench.random.choice(sizes)) for _ in range(20)], coins(ones, ones, 1000))


def test_packets_of_many_lengths_run_on_the_core() -> None:
    """Also in order of the circles of rows, whose ends fall into headers and texts."""
    bench = LteBench("snow3g", "rtl")
    bench.check([bench.eea(size) for size in (*ORDERS["the older one goes on, in c1"], LONG, *IMIX)])


def test_the_first_packet_after_a_key_begins_with_the_next_one() -> None:
    """`more` does not say of it that it is a packet."""
    bench = LteBench("snow3g")
    bench.check([bench.key_again()])
    cycles = bench.check([bench.eea(SHORT), bench.eea(SHORT)])
    assert cycles[1] == [2]
    for size in (1, 16, 17, 31, 32, 2049):
        bench.check([bench.key_again(), bench.eea(size), bench.eea(SHORT)])
