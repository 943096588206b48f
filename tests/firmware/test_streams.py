"""Stream ciphers of any length against the models, job by job."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import lutra
from lutra.firmware import crypt, kat, lte
from lutra.firmware.errors import FirmwareError
from lutra.firmware.manifest import catalogue
from lutra.firmware.session import Session
from lutra.iss.engine import EngineName
from models import snow3g, zuc
from models.lanes import xor

Keystream = Callable[[bytes, bytes, int], bytes]
ONE: list[tuple[str, Keystream]] = [("snow3g", snow3g.keystream), ("zuc-128", zuc.keystream)]
RANDOM = random.Random(35)


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("size", [0, 1, 3, 4, 15, 16, 17, 60, 4095, 4096, 4097, 9000])
@pytest.mark.parametrize(("name", "keystream"), ONE)
def test_a_stream_of_any_size_is_that_of_its_model(
    name: str, keystream: Keystream, size: int, engine: EngineName
) -> None:
    key, iv, data = RANDOM.randbytes(16), RANDOM.randbytes(16), RANDOM.randbytes(size)
    encrypted = crypt.encrypt(name, key, data, iv=iv, engine=engine)
    assert encrypted == xor(data, keystream(key, iv, size))
    assert crypt.decrypt(name, key, encrypted, iv=iv) == data


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("size", [0, 32, 40, 4096, 9000])
@pytest.mark.parametrize(("name", "keystream"), ONE)
def test_rows_of_two_streams_are_interleaved(name: str, keystream: Keystream, size: int, engine: EngineName) -> None:
    key, iv, data = RANDOM.randbytes(16), RANDOM.randbytes(32), RANDOM.randbytes(size)
    z = [keystream(key, iv[16 * i : 16 * i + 16], size + 16) for i in range(2)]
    rows = b"".join(z[n % 2][16 * (n // 2) : 16 * (n // 2) + 16] for n in range(-(-size // 16)))[:size]
    assert crypt.encrypt(f"{name}-x2", key, data, iv=iv, engine=engine) == xor(data, rows)


@pytest.mark.parametrize("name", ["128-eea1", "128-eea3"])
def test_bits_after_the_last_are_zero(name: str) -> None:
    cipher = catalogue().cipher(name)
    session = Session(lutra.make_engine("cosim"))
    key, iv = RANDOM.randbytes(16), lte.initial_vector(cipher.lte, count=0x398A59B4, bearer=21, direction=1)
    session.set_up(cipher, "encrypt", key, iv)
    whole = session.job(b"\xff" * 32)
    for bits in (1, 7, 8, 9, 31, 32, 33, 127, 128, 129, 253):
        session.set_up(cipher, "encrypt", key, iv)
        size = -(-bits // 8)
        last = 0xFF << (-bits % 8) & 0xFF
        got = session.job(b"\xff" * size, bits)
        assert got == whole[: size - 1] + bytes([whole[size - 1] & last]), bits
        row = session.engine.read("m3", 16 * ((bits - 1) // 128), 16)
        assert not any(row[(size - 1) % 16 + 1 :])


def test_only_lte_counts_bits() -> None:
    session = Session(lutra.make_engine("iss"))
    session.set_up(catalogue().cipher("snow3g"), "encrypt", bytes(16), bytes(16))
    with pytest.raises(FirmwareError, match="whole bytes, not on 9 bits"):
        session.job(bytes(2), 9)


def test_count_bearer_and_direction_have_ranges() -> None:
    assert (
        lte.initial_vector("eea2", count=0x01020304, bearer=31, direction=1).hex() == "01020304fc0000000000000000000000"
    )
    for fields in ((1 << 32, 0, 0), (0, 32, 0), (0, 0, 2), (-1, 0, 0)):
        with pytest.raises(ValueError, match="32 bits"):
            lte.initial_vector("eea3", **dict(zip(("count", "bearer", "direction"), fields, strict=True)))


KEYSTREAM = {"algorithm": "SNOW 3G", "mode": "keystream"}
EEA1 = {"algorithm": "SNOW 3G", "mode": "128-EEA1"}
IV = "00" * 16
TEXT = {"id": "1", "key": "00" * 16, "plaintext": "0000", "ciphertext": "0000"}
CHACHA = {"algorithm": "ChaCha20", "mode": "encrypt (96-bit nonce, 32-bit block counter)"}
NONCE = TEXT | {"key": "00" * 32, "nonce": "00" * 12}
LTE = TEXT | {"count": "0000000f", "bearer": 1, "direction": 0}


def read(folder: Path, head: dict[str, str], test: dict[str, Any]) -> list[kat.Test]:
    path = folder / "v.json"
    path.write_text(json.dumps(head | {"tests": [test]}))
    return kat.read(path, catalogue())


def test_a_keystream_may_be_stated_in_pieces(tmp_path: Path) -> None:
    key, iv = RANDOM.randbytes(16), RANDOM.randbytes(16)
    z = snow3g.keystream(key, iv, 5000)
    session = Session(lutra.make_engine("iss"))
    for offset, wrong in ((4990, 0), (3, 0), (4990, 1), (3, 1)):
        pieces = [{"offset": 0, "data": z[:2].hex()}, {"offset": offset, "data": bytes([z[offset] ^ wrong]).hex()}]
        test = {"id": "1", "key": key.hex(), "iv": iv.hex(), "keystream_chunks": pieces}
        assert kat.run(session, catalogue(), read(tmp_path, KEYSTREAM, test)).good is not bool(wrong)


@pytest.mark.parametrize(
    ("more", "iv"),
    [
        ({}, "00000000" + "11" * 12),
        ({"count": 0x01020304}, "04030201" + "11" * 12),
        ({"nonce": "22" * 8, "count": 1}, "0100000000000000" + "22" * 8),
        ({"nonce": "33" * 16}, "33" * 16),
        ({"iv": "44" * 16}, "44" * 16),
    ],
)
def test_a_block_counter_stands_in_front_of_its_nonce(more: dict[str, Any], iv: str, tmp_path: Path) -> None:
    (test,) = read(tmp_path, CHACHA, NONCE | {"nonce": "11" * 12} | more)
    assert isinstance(test, kat.Vector)
    assert test.iv.hex() == iv


@pytest.mark.parametrize("rounds", [8, 12, "20", None])
def test_a_variant_of_other_rounds_is_not_served(rounds: object, tmp_path: Path) -> None:
    head = {"algorithm": "ChaCha (8, 12, 20 rounds)", "mode": "encrypt"}
    (served,) = read(tmp_path, head, NONCE | {"rounds": 20})
    assert isinstance(served, kat.Vector)
    (test,) = read(tmp_path, head, NONCE | {"rounds": rounds})
    assert isinstance(test, kat.Unserved)
    assert test.reason == f"no firmware for ChaCha (8, 12, 20 rounds) encrypt, {rounds!r} rounds"


def test_a_nonce_of_a_length_that_no_firmware_takes_is_skipped_with_the_reason(tmp_path: Path) -> None:
    (test,) = read(tmp_path, CHACHA, NONCE | {"nonce": "00" * 17, "operation": "encrypt"})
    assert isinstance(test, kat.Unserved)
    assert "17" in test.reason


@pytest.mark.parametrize(
    ("head", "test", "message"),
    [
        (EEA1, LTE | {"count": "x"}, "count, bearer and direction must be valid"),
        (EEA1, LTE | {"bearer": 32}, "count, bearer and direction must be valid"),
        (EEA1, {k: v for k, v in LTE.items() if k != "direction"}, "count, bearer and direction must be valid"),
        (EEA1, LTE | {"length_bits": 17}, "length_bits is 17; the text has 2 bytes"),
        (EEA1, LTE | {"length_bits": 8}, "length_bits is 8"),
        (EEA1, LTE | {"length_bits": "9"}, "length_bits is '9'"),
        (CHACHA, NONCE | {"count": 1 << 32}, "count is 4294967296; must be a number of 32 bits next to this nonce"),
        (CHACHA, NONCE | {"count": "1"}, "count is '1'; must be a number of 32 bits next to this nonce"),
        (CHACHA, NONCE | {"count": -1}, "count is -1; must be a number of 32 bits next to this nonce"),
        (CHACHA, NONCE | {"nonce": "0"}, "`nonce` is not a hexadecimal string"),
        (KEYSTREAM, TEXT | {"iv": IV, "keystream": "0"}, "`data` is not a hexadecimal string"),
        (KEYSTREAM, TEXT | {"iv": IV, "keystream_chunks": [{"data": "00"}]}, "keystream_chunks is not a list"),
        (KEYSTREAM, TEXT | {"iv": IV, "keystream_chunks": 3}, "keystream_chunks is not a list"),
        (KEYSTREAM, TEXT | {"iv": IV, "keystream_words": ["x"]}, "keystream_chunks is not a list"),
        (KEYSTREAM, TEXT | {"iv": IV, "keystream_word_chunks": [{"words": []}]}, "keystream_chunks is not a list"),
    ],
)
def test_a_vector_that_is_none_fails(head: dict[str, str], test: dict[str, Any], message: str, tmp_path: Path) -> None:
    report = kat.run(Session(lutra.make_engine("iss")), catalogue(), read(tmp_path, head, test))
    assert [(f.id, f.file) for f in report.failures] == [("1", str(tmp_path / "v.json"))]
    assert message in report.failures[0].message
