"""MACs of 3GPP on jobs of the stream, next to encryption with the same keys: right at every length, however late jobs
come, and as fast as documented."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from lutra.firmware.lte import initial_vector
from lutra.soc.stream import ROW, Message
from support.stream import CHUNK_ROWS, Case, LteBench, coins

VECTORS = Path(__file__).parents[1] / "vectors"
IMAGES = tuple(LteBench.ALGORITHMS)
SIZES = (*range(70), 255, 256, 257, 1008, 1663, 1664, 1665, 3327)

each = pytest.mark.parametrize("image", IMAGES)


@each
def test_a_mac_of_the_stream_is_right_at_every_length(image: str) -> None:
    bench = LteBench(image)
    bench.check([bench.eia(size) for size in SIZES])


@each
@pytest.mark.parametrize("ones", [1, 30])
def test_macs_and_packets_of_a_key_may_come_late(image: str, ones: int) -> None:
    """Between chunks of a MAC, its state is in registers."""
    bench = LteBench(image, seed=ones)
    bench.stream.chunk_rows = 3
    cases: list[Callable[[], Case]] = [
        lambda: bench.eia(bench.random.randrange(150)),
        lambda: bench.eea(bench.random.randrange(1, 150)),
        bench.key_again,
    ]
    bench.check(bench.mixed(cases, 60), coins(ones, ones))


@each
def test_macs_run_on_the_core(image: str) -> None:
    bench = LteBench(image, "rtl")
    bench.check([bench.eia(size) for size in (0, 3, 8, 9, 16, 61, 200)] + [bench.eea(20), bench.eia(20)])


@pytest.mark.parametrize(
    ("image", "short", "long", "later"),
    [("snow3g", 107, 347, 271), ("zuc", 94, 334, 271), ("zuc256", 140, 440, 338), ("snow5g", 367, 667, 338)],
)
def test_a_mac_takes_as_long_as_documented(image: str, short: int, long: int, later: int) -> None:
    """64 bytes, 1 KB, and a further chunk of 1 KB that is not the last one."""
    bench = LteBench(image)
    bench.stream.chunk_rows = CHUNK_ROWS
    chunk = CHUNK_ROWS * ROW
    cycles = bench.check([bench.eia(size) for size in (64, 64, chunk, 3 * chunk)])
    assert (cycles[1], cycles[2], cycles[3][1]) == ([short], [long], later)


def test_answers_for_messages_of_any_bits_are_met_by_one_more_window() -> None:
    """All test sets of 128-EIA3 end within a byte, where a job has whole ones. Let M have L bits, and M' as many whole
    bytes as M reaches into, with a one bit after M. Then the MAC of M' has the window at L as one of M', and that at
    its own end: MAC(M) = MAC(M') ^ window(8 ceil(L / 8)). Keystream is encrypted zeros."""
    bench = LteBench("zuc")
    tests = json.loads((VECTORS / "zuc_eia3_ts35223.json").read_text())["tests"]
    found = []
    for test in tests:
        bits, message = test["length_bits"], bytes.fromhex(test["message"])[: -(-test["length_bits"] // 8)]
        assert bits % 8
        marked = (int.from_bytes(message) | 1 << -bits % 8 - 1).to_bytes(len(message))
        inputs = {"count": int(test["count"], 16), "bearer": test["bearer"], "direction": test["direction"]}
        iv = initial_vector("eia3", **inputs)
        bench.stream.run([Message("zuc-set-key", 0, key=bytes.fromhex(test["key"]))])
        asked = Message("zuc-eia3", 0, iv, marked), Message("zuc-eea3", 0, iv, bytes(len(message) + 4))
        mac, keystream = bench.stream.run(asked)
        window = keystream.text[len(message) :]
        found.append((int.from_bytes(mac.tag[:4]) ^ int.from_bytes(window)).to_bytes(4).hex())
    assert found == [test["mac"] for test in tests]
