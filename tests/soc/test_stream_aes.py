"""AES on jobs of the stream: right at every length, however late jobs come, and as fast as the design asks."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

import lutra
from lutra.soc import operations
from lutra.soc.stream import CHUNK_ROWS, ROW, Message, Stream

CONTEXTS = 24
FIRMWARE = operations.load("aes")
SIZES = (*range(66), 255, 256, 257, 1008, 1023, 1024, 1025, 2047, 3000)
BITS = (128, 256)


class Bench:
    """A stream with a random key in each context."""

    def __init__(self, bits: int, engine: str = "iss", seed: int = 7) -> None:
        self.random = random.Random(seed)
        self.bits = bits
        self.stream = Stream(lutra.make_engine(engine), FIRMWARE, fill=b"\xa5" * ROW)
        self.keys = [self.random.randbytes(bits // 8) for _ in range(CONTEXTS)]
        self.stream.run([Message(f"aes{bits}-set-key", n, key=key) for n, key in enumerate(self.keys)])

    def ctr(self, size: int) -> Message:
        """A random message."""
        iv = self.random.choice((self.random.randbytes(ROW), b"\xff" * ROW))
        return Message(f"aes{self.bits}-ctr", self.random.randrange(CONTEXTS), iv, self.random.randbytes(size))

    def ctr_answer(self, message: Message) -> bytes:
        """What another implementation makes of it."""
        cipher = Cipher(algorithms.AES(self.keys[message.context]), modes.CTR(message.iv)).encryptor()
        return cipher.update(message.text)

    def check_ctr(self, messages: list[Message], late: Iterator[bool] | None = None) -> None:
        for message, result in zip(messages, self.stream.run(messages, late), strict=True):
            assert (result.text, result.code) == (self.ctr_answer(message), 1)


def coins(seed: int, ones: int, of: int) -> Iterator[bool]:
    source = random.Random(seed)
    while True:
        yield source.randrange(of) < ones


@pytest.mark.parametrize("bits", BITS)
def test_counter_mode_is_right_at_every_length(bits: int) -> None:
    bench = Bench(bits)
    bench.check_ctr([bench.ctr(size) for size in SIZES])


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("ones", [1, 30])
def test_counter_mode_is_right_when_jobs_come_late(bits: int, ones: int) -> None:
    bench = Bench(bits)
    bench.stream.chunk_rows = 3
    bench.check_ctr([bench.ctr(bench.random.randrange(200)) for _ in range(60)], coins(ones, ones, 100))


def test_counter_mode_runs_on_the_core() -> None:
    bench = Bench(128, "rtl")
    bench.check_ctr([bench.ctr(size) for size in (0, 1, 16, 64, 100, 2500)])


@pytest.mark.parametrize(("bits", "first", "later", "short"), [(128, 334, 336, 34), (256, 464, 464, 44)])
def test_counter_mode_takes_these_cycles(bits: int, first: int, later: int, short: int) -> None:
    bench = Bench(bits)
    results = bench.stream.run([bench.ctr(size) for size in (64, 64, 64, *[3 * CHUNK_ROWS * ROW] * 2)])
    assert [result.notified for result in results[1:]] == [
        [short],
        [short],
        [first, later, later],
        [first, later, later],
    ]


@pytest.mark.parametrize("bits", BITS)
def test_a_key_is_cleared(bits: int) -> None:
    bench = Bench(bits)
    bench.stream.run([Message(f"aes{bits}-set-key", 3)])
    read = bench.stream.engine.read
    for space in ("m0", "m1"):
        contexts = [read(space, 128 * n, 128) for n in range(CONTEXTS)]
        assert [n for n, context in enumerate(contexts) if not any(context)] == [3]
    assert not any(key in read("m2", 0, 4096) for key in bench.keys)
