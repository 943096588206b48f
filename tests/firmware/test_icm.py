"""AES-ICM: the counter is a sum of 128 bits, and a message ends with its segment; OpenSSL's CTR and ECB are peers."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher as Library
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR, ECB

import lutra
from lutra.firmware import bench, crypt, kat
from lutra.firmware.errors import InputError
from lutra.firmware.manifest import catalogue
from lutra.firmware.request import Request
from lutra.firmware.segments import FirstBlock
from lutra.firmware.session import Session
from lutra.iss.engine import EngineName
from models.lanes import xor
from support.sessions import session

BLOCK = 16
JOB = 4096
SIZES = (0, 1, 15, 16, 17, 31, 33, 160, JOB - 1, JOB, JOB + 1, 2 * JOB + 40)
EXAMPLES = json.loads((Path(__file__).parents[1] / "vectors/aes_icm.json").read_text())
BITS = pytest.mark.parametrize("bits", [128, 192, 256])


@dataclass(frozen=True)
class Message:
    """A message by the definition: C(i) = (r + s 256^b + i) mod 2^128."""

    key: bytes
    offset: int
    segment: int
    block: int
    block_bytes: int
    data: bytes

    @property
    def first(self) -> int:
        return (self.offset + (self.segment << 8 * self.block_bytes) + self.block) % (1 << 128)

    def by_counter(self) -> bytes:
        """CTR from the first counter."""
        return Library(AES(self.key), CTR(self.first.to_bytes(BLOCK, "big"))).encryptor().update(self.data)

    def by_blocks(self) -> bytes:
        """ECB of each counter."""
        count = -(-len(self.data) // BLOCK)
        counters = b"".join(((self.first + i) % (1 << 128)).to_bytes(BLOCK, "big") for i in range(count))
        return xor(self.data, Library(AES(self.key), ECB()).encryptor().update(counters)[: len(self.data)])

    def by_lutra(self, engine: EngineName, segment_bytes: int, decrypt: bytes | None = None) -> bytes:
        cipher = catalogue().cipher(f"aes-{8 * len(self.key)}-icm")
        iv = FirstBlock(self.segment, self.block, segment_bytes=segment_bytes, block_bytes=self.block_bytes)
        key = self.key + self.offset.to_bytes(BLOCK, "big")
        request = Request(cipher, "encrypt" if decrypt is None else "decrypt", key, iv)
        return crypt.answer(session(engine), request, self.data if decrypt is None else decrypt)


@BITS
@pytest.mark.parametrize("engine", ["iss", "rtl", "cosim"])
def test_messages_of_any_size_are_those_of_openssl(bits: int, engine: EngineName) -> None:
    rng = random.Random(f"{bits} {engine}")
    for size in SIZES if engine == "iss" else SIZES[4::3]:
        b = rng.randint(2, 8)
        g = 8 - b
        message = Message(
            rng.randbytes(bits // 8),
            rng.getrandbits(128),
            rng.randrange(256**g),
            rng.randrange(256**b - size // BLOCK),
            b,
            rng.randbytes(size),
        )
        encrypted = message.by_lutra(engine, g)
        assert encrypted == message.by_counter() == message.by_blocks()
        assert message.by_lutra(engine, g, encrypted) == message.data


@BITS
@pytest.mark.parametrize("carry", range(1, 17))
def test_the_sum_carries_out_of_every_byte(bits: int, carry: int) -> None:
    """Within a job and from one to the next; an XOR would not."""
    ones = 256**carry - 1
    for offset, block in ((ones - 1, 0), (ones, 1), (max(ones - JOB // BLOCK, 0), 1), (1, min(ones, 256**4 - 300))):
        message = Message(bytes(range(bits // 8)), offset, 0x01020304, block, 4, bytes(JOB + 40))
        assert message.by_lutra("iss", 4) == message.by_blocks()


@BITS
def test_a_segment_alone_wraps_the_sum(bits: int) -> None:
    message = Message(bytes(bits // 8), (1 << 128) - 1, 256**4 - 1, 256**4 - 3, 4, bytes(3 * BLOCK))
    assert message.by_lutra("cosim", 4) == message.by_blocks()


@BITS
def test_cycles_are_those_of_ctr_and_a_set_up_takes_no_more_than_its_key_schedule(bits: int) -> None:
    names = f"aes-{bits}-icm", f"aes-{bits}-ctr"
    icm, ctr = bench.measure(map(catalogue().cipher, names), "cosim", ["fused"], speeds=False)
    assert icm.steady == ctr.steady == bits / 64 + 3
    assert icm.key_schedule <= ctr.key_schedule + 4


# ------------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ((0, 0, 5, 4), "5 bytes of the segment index and 4 of the block index are not allowed: together they have 8"),
        ((0, 0, -1, 4), "-1 bytes of the segment index and 4 of the block index are not allowed"),
        ((0, 0, 4, -1), "4 bytes of the segment index and -1 of the block index are not allowed"),
        ((1 << 32, 0, 4, 4), "segment index 4294967296 does not fit into 4 bytes: the last is 4294967295"),
        ((-1, 0, 4, 4), "segment index -1 does not fit"),
        ((1, 0, 0, 8), "segment index 1 does not fit into 0 bytes: the last is 0"),
        ((0, 256, 7, 1), "block index 256 does not fit into 1 bytes: the last is 255"),
        ((0, 1, 8, 0), "block index 1 does not fit into 0 bytes: the last is 0"),
    ],
)
def test_an_index_that_does_not_fit_is_refused(given: tuple[int, int, int, int], reason: str) -> None:
    segment, block, segment_bytes, block_bytes = given
    with pytest.raises(InputError, match=reason):
        FirstBlock(segment, block, segment_bytes=segment_bytes, block_bytes=block_bytes)


@pytest.mark.parametrize(
    ("block", "block_bytes", "left"), [(0, 0, 1), (0, 1, 256), (253, 1, 3), (2**16 - 300, 2, 300), (2**64 - 2, 8, 2)]
)
def test_a_message_ends_with_its_segment(block: int, block_bytes: int, left: int) -> None:
    """Nothing runs for a longer one, and a stream of unknown length ends before the job that would go on."""
    cipher, used = catalogue().cipher("aes-128-icm"), Session(lutra.make_engine("iss"))
    iv = FirstBlock(0, block, segment_bytes=0, block_bytes=block_bytes)
    assert crypt.encrypt(cipher.name, cipher.any_key, bytes(left * BLOCK), iv)
    beyond = bytes(left * BLOCK + 1)
    reason = f"aes-128-icm: {left + 1} blocks go beyond the end of the segment, which has {left} left"
    with pytest.raises(InputError, match=reason):
        crypt.answer(used, Request(cipher, "encrypt", cipher.any_key, iv), beyond)
    assert used.usage.jobs == used.usage.key_schedule == 0
    used.set_up(cipher, "encrypt", cipher.any_key, iv)
    results = crypt.stream(used, cipher, "encrypt", BytesIO(beyond))
    with pytest.raises(InputError, match="go beyond the end of the segment"):
        list(results)
    assert used.usage.jobs == left * BLOCK // JOB


def test_an_iv_that_does_not_say_where_its_segment_ends_is_refused() -> None:
    cipher = catalogue().cipher("aes-128-icm")
    with pytest.raises(InputError, match="aes-128-icm takes a segment instead of an iv"):
        crypt.encrypt(cipher.name, cipher.any_key, b"otter", bytes(BLOCK))


# ----------------------------------------------------------------------------------------- fields of vectors


def read(tmp_path: Path, **fields: Any) -> kat.Report:
    """A run of the first example with other fields."""
    test = EXAMPLES["tests"][0] | fields
    (tmp_path / "a.json").write_text(json.dumps(EXAMPLES | {"tests": [test]}))
    return kat.run(session("iss"), catalogue(), kat.read(tmp_path / "a.json", catalogue()))


def test_the_example_of_the_definition_is_met(tmp_path: Path) -> None:
    report = read(tmp_path)
    assert (report.passed, report.failures) == (1, ())


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"segment": "00000001"}, "iv is not the sum of offset, segment and block"),
        ({"iv": "00" * 16}, "iv is not the sum of offset, segment and block"),
        ({"segment_bytes": 5}, "5 bytes of the segment index and 4 of the block index are not allowed"),
        ({"block": -1}, "segment, block, segment_bytes and block_bytes must be valid"),
        ({"block": "0"}, "segment, block, segment_bytes and block_bytes must be valid"),
        ({"segment": "x"}, "`segment` is not a hexadecimal string"),
        ({"offset": "00"}, "iv is not the sum of offset, segment and block"),
        ({"keystream": "00" * 48}, "wrong answer"),
        ({"result": "invalid"}, "is invalid, and yet was taken"),
    ],
)
def test_a_vector_with_wrong_fields_fails(fields: dict[str, Any], reason: str, tmp_path: Path) -> None:
    report = read(tmp_path, **fields)
    assert report.passed == 0
    assert any(reason in outcome.message for outcome in report.outcomes)
