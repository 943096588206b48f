"""Firmware of the stream on the device, under the driver, against another implementation of its ciphers."""

from __future__ import annotations

import random
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, aead, algorithms, modes
from cryptography.hazmat.primitives.cmac import CMAC

from lutra.soc.devices import Maker
from lutra.soc.operations import load
from support.driver import Driven, drive
from support.soc import BUFFERS

SOURCE, AAD, DESTINATION = BUFFERS, BUFFERS + 0x10000, BUFFERS + 0x20000
LENGTHS = (0, 1, 16, 31, 64, 1023, 1024, 1040, 3000)


@pytest.fixture
def driven(maker: Maker) -> Driven:
    """Return a device with the image of AES, loaded by the driver."""
    driven = drive(maker, toys=False)
    firmware = load("aes")
    operations = {
        operation.label: {"class": operation.key_class} | dict.fromkeys(operation.flags, 1)
        for operation in sorted(firmware.operations.values(), key=lambda o: o.number)
    }
    assert [o.number for o in sorted(firmware.operations.values(), key=lambda o: o.number)] == list(
        range(len(operations))
    )
    driven.load(firmware.image, operations)
    return driven


def _run(driven: Driven, name: str, handle: int, text: bytes, aad: bytes = b"", **fields: Any) -> tuple[int, bytes]:
    driven.memory[SOURCE + 1 : SOURCE + 1 + len(text)] = text
    driven.memory[AAD : AAD + len(aad)] = aad
    length = fields.pop("bytes", len(text))
    job = driven.job(
        name, handle, source=SOURCE + 1, destination=DESTINATION, bytes=length, aad=AAD, aad_bytes=len(aad), **fields
    )
    result, done = driven.rings[0].crypt(job)
    return int(result), bytes(driven.memory[DESTINATION : DESTINATION + done[2]])


@pytest.mark.parametrize("size", (16, 32))
def test_counter_mode_and_gcm_of_any_length(driven: Driven, size: int) -> None:
    draw = random.Random(size)
    bits = 8 * size
    for length in LENGTHS:
        key, iv, text = draw.randbytes(size), draw.randbytes(16), draw.randbytes(length)
        result, handle = driven.rings[0].key_set(driven.operations[f"aes{bits}_set_key"], key)
        assert result == 0
        encryptor = Cipher(algorithms.AES(key), modes.CTR(iv)).encryptor()
        assert _run(driven, f"aes{bits}_ctr", handle, text, iv=iv) == (0, encryptor.update(text))
        for aad in (b"", draw.randbytes(20), draw.randbytes(1100)):
            nonce = iv[:12] + b"\0\0\0\1"
            sealed = aead.AESGCM(key).encrypt(iv[:12], text, aad)
            fields: dict[str, Any] = {"iv": nonce, "aad": aad, "tag": 16}
            assert _run(driven, f"aes{bits}_gcm_encrypt", handle, text, **fields) == (0, sealed)
            opened = _run(driven, f"aes{bits}_gcm_decrypt", handle, sealed, bytes=length, **fields)
            assert opened == (0, text)
            wrong = sealed[:-1] + bytes([sealed[-1] ^ 1])
            result, _ = _run(driven, f"aes{bits}_gcm_decrypt", handle, wrong, bytes=length, **fields)
            assert result == driven.result("TAG_MISMATCH")
        assert driven.rings[0].key_drop(driven.operations[f"aes{bits}_set_key"], handle) == 0


@pytest.mark.parametrize("size", (16, 32))
def test_cmac_and_cbc(driven: Driven, size: int) -> None:
    draw = random.Random(size)
    bits = 8 * size
    key, iv = draw.randbytes(size), draw.randbytes(16)
    _, handle = driven.rings[0].key_set(driven.operations[f"aes{bits}_set_key"], key)
    for length in LENGTHS:
        text = draw.randbytes(length)
        mac = CMAC(algorithms.AES(key))
        mac.update(text)
        assert _run(driven, f"aes{bits}_cmac", handle, text, tag=16) == (0, mac.finalize())
        whole = text[: length // 16 * 16]
        encryptor = Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor()
        assert _run(driven, f"aes{bits}_cbc_encrypt", handle, whole, iv=iv) == (0, encryptor.update(whole))


def test_batch_of_packets_with_many_keys(driven: Driven) -> None:
    draw = random.Random(7)
    ring = driven.rings[0]
    keys = [draw.randbytes(16) for _ in range(12)]
    handles = [ring.key_set(driven.operations["aes128_set_key"], key)[1] for key in keys]
    for _ in range(4):
        jobs, expected = [], []
        for n in range(16):
            chosen, iv, text = draw.randrange(12), draw.randbytes(16), draw.randbytes(64)
            source, destination = SOURCE + 64 * n, DESTINATION + 64 * n
            driven.memory[source : source + 64] = text
            encryptor = Cipher(algorithms.AES(keys[chosen]), modes.CTR(iv)).encryptor()
            expected.append(encryptor.update(text))
            jobs.append(
                driven.job("aes128_ctr", handles[chosen], source=source, destination=destination, bytes=64, iv=iv)
            )
        assert ring.submit(jobs) == 0
        found: list[Any] = []
        while len(found) < 16:
            assert ring.wait() == 0
            found += ring.poll(16)[1]
        assert {done[1] & 15 for done in found} == {0}
        assert bytes(driven.memory[DESTINATION : DESTINATION + 1024]) == b"".join(expected)
