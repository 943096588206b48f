"""Plaintext in memory only after its tag: messages of one chunk, and longer ones whose tag is checked in a pass before.

`LUTRA_SOC_DEVICES=rtl,rtl-slow` runs this on the RTL.
"""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from lutra.soc import operations
from lutra.soc.devices import Maker
from lutra.soc.stream import CHUNK_ROWS, LONG_ROWS, ROW
from support.driver import Driven, drive
from support.soc import BUFFERS, MEMORY_BYTES

SOURCE, AAD, DESTINATION = BUFFERS, BUFFERS + 0x10000, BUFFERS + 0x20000
KEY, NONCE = bytes(range(0x60, 0x80)), bytes(range(0x30, 0x3C))
EMPTY = 0xEE
# Bytes of associated data and of text: the last of one chunk, and the first of two.
SHORT = [(0, CHUNK_ROWS * ROW), (1, (CHUNK_ROWS - 1) * ROW), (20, (CHUNK_ROWS - 2) * ROW), (CHUNK_ROWS * ROW, 0)]
LONG = [(aad, size + 1) for aad, size in SHORT if size] + [(0, 5000), (2000, 3000), (13, 9000)]


@pytest.fixture
def driven(maker: Maker) -> Driven:
    """A device with image `aes-gcm`."""
    device = drive(maker, toys=False)
    firmware = operations.load("aes-gcm")
    table = {o.label: {"class": o.key_class} | dict.fromkeys(o.flags, 1) for o in firmware.operations.values()}
    device.load(firmware.image, table)
    return device


class Receiver:
    """A host that opens messages with AES of a key size. tampered: bits that differ in the tag's first byte."""

    def __init__(self, driven: Driven, bits: int) -> None:
        self.driven = driven
        self.bits = bits
        self.ring = driven.rings[0]
        result, self.handle = self.ring.key_set(driven.operations[f"aes{bits}_set_key"], KEY[: bits // 8])
        assert result == 0

    def receive(self, aad: int, size: int, tampered: int = 0, tag: int = ROW) -> tuple[bytes, bytes]:
        """Write a message to memory; return the job that decrypts it, and its text."""
        text, data = bytes(n * 7 % 251 for n in range(size)), bytes(n % 256 for n in range(aad))
        sealed = bytearray(AESGCM(KEY[: self.bits // 8]).encrypt(NONCE, text, data))
        sealed[size] ^= tampered
        self.driven.memory[DESTINATION:MEMORY_BYTES] = bytes([EMPTY]) * (MEMORY_BYTES - DESTINATION)
        self.driven.memory[SOURCE : SOURCE + size + tag] = sealed[: size + tag]
        self.driven.memory[AAD : AAD + aad] = data
        fields: dict[str, Any] = {"bytes": size, "iv": NONCE + b"\0\0\0\1", "aad": AAD, "aad_bytes": aad, "tag": tag}
        return self.driven.job(
            f"aes{self.bits}_gcm_decrypt", self.handle, source=SOURCE, destination=DESTINATION, **fields
        ), text

    def verified(self, job: bytes) -> tuple[int, int, int]:
        """Return the result of two passes where they are needed, the bytes that were written, and the cycles."""
        verify = self.driven.operations[f"aes{self.bits}_gcm_verify"]
        result, (_, _, count, cycles) = self.ring.crypt_verified(job, verify)
        return result, count, cycles

    def written(self) -> int:
        """Return the number of bytes from the destination to the last one that is not as it was."""
        return len(bytes(self.driven.memory[DESTINATION:MEMORY_BYTES]).rstrip(bytes([EMPTY])))


def before_the_last(aad: int, size: int) -> int:
    """Return the bytes of text in the chunks before the last one."""
    written = 0
    while -(-aad // ROW) + -(-(size - written) // ROW) > CHUNK_ROWS:
        rows = min(-(-aad // ROW), LONG_ROWS)
        aad -= min(aad, rows * ROW)
        written += 0 if aad else (LONG_ROWS - rows) * ROW
    return written


bits_of_key = pytest.mark.parametrize("bits", (128, 256))


@bits_of_key
def test_a_message_of_one_chunk_is_written_after_its_tag_or_not_at_all(driven: Driven, bits: int) -> None:
    receiver = Receiver(driven, bits)
    for aad, size in SHORT:
        job, _ = receiver.receive(aad, size, tampered=0x10)
        result, (_, _, count, _) = receiver.ring.crypt(job)
        assert (result, count, receiver.written()) == (driven.result("TAG_MISMATCH"), 0, 0)
        job, text = receiver.receive(aad, size)
        assert receiver.ring.crypt(job)[0] == 0
        assert driven.memory[DESTINATION : DESTINATION + size] == text


@bits_of_key
def test_a_longer_message_is_written_before_its_tag_in_one_pass(driven: Driven, bits: int) -> None:
    """All chunks but the last one, or fewer: the device may know of the tag before their turn."""
    receiver = Receiver(driven, bits)
    for aad, size in LONG:
        job, text = receiver.receive(aad, size, tampered=0x10)
        result, (_, _, count, _) = receiver.ring.crypt(job)
        assert result == driven.result("TAG_MISMATCH")
        assert 0 < count == receiver.written() <= before_the_last(aad, size)
        assert driven.memory[DESTINATION : DESTINATION + count] == text[:count]


@bits_of_key
def test_nothing_of_a_message_with_a_wrong_tag_is_written_in_two_passes(driven: Driven, bits: int) -> None:
    receiver = Receiver(driven, bits)
    for aad, size in SHORT + LONG:
        job, _ = receiver.receive(aad, size, tampered=1, tag=4 if size % 2 else ROW)
        result, count, _ = receiver.verified(job)
        assert (result, count, receiver.written()) == (driven.result("TAG_MISMATCH"), 0, 0)


@bits_of_key
def test_a_message_with_a_right_tag_is_decrypted_in_two_passes(driven: Driven, bits: int) -> None:
    receiver = Receiver(driven, bits)
    for aad, size in SHORT + LONG:
        job, text = receiver.receive(aad, size)
        result, count, cycles = receiver.verified(job)
        assert (result, count) == (0, size)
        assert driven.memory[DESTINATION : DESTINATION + size] == text
        assert receiver.written() <= size
        _, (_, _, _, once) = receiver.ring.crypt(job)
        assert (cycles > once + size // 4) == ((aad, size) in LONG)


def test_the_first_pass_alone_writes_nothing_and_says_whether_the_tag_is_right(driven: Driven) -> None:
    receiver = Receiver(driven, 128)
    for tampered, expected in ((0, 0), (0x40, driven.result("TAG_MISMATCH"))):
        receiver.receive(20, 4000, tampered)
        fields: dict[str, Any] = {"iv": NONCE + b"\0\0\0\1", "aad": AAD, "aad_bytes": 20, "tag": ROW, "bytes": 4000}
        job = driven.job("aes128_gcm_verify", receiver.handle, source=SOURCE, destination=DESTINATION, **fields)
        result, (_, _, count, _) = receiver.ring.crypt(job)
        assert (result, count, receiver.written()) == (expected, 0, 0)


def test_a_first_pass_that_fails_otherwise_is_the_result(driven: Driven) -> None:
    receiver = Receiver(driven, 128)
    job, _ = receiver.receive(0, 5000)
    assert receiver.ring.crypt_verified(job, 15)[0] == driven.result("BAD_OPERATION")
    assert receiver.ring.key_drop(driven.operations["aes128_set_key"], receiver.handle) == 0
    result, count, _ = receiver.verified(job)
    assert (result, count, receiver.written()) == (driven.result("BAD_KEY"), 0, 0)
