"""SNOW-V and SNOW 5G of any length against a model of their specifications, held to the published vectors."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

import lutra
from lutra.firmware import crypt
from lutra.firmware.ciphers import Cipher
from lutra.firmware.manifest import catalogue
from lutra.firmware.session import Session
from lutra.iss.engine import EngineName
from models import snow_v
from models.lanes import xor

MODELS: dict[str, Callable[[bytes, bytes, int], bytes]] = {
    "snowv": snow_v.keystream,
    "snow5g-256-nea4": snow_v.keystream_5g,
}
CIPHERS = [catalogue().cipher(name) for name in MODELS]
VECTORS = Path(__file__).parent.parent / "vectors"
KEY, IV = bytes(range(32)), b"otter and snow.."


@pytest.mark.parametrize(("name", "file"), [("snowv", "snowv_paper"), ("snow5g-256-nea4", "snow5g_nea4")])
def test_the_model_of_snow_v_meets_published_vectors(name: str, file: str) -> None:
    for test in json.loads((VECTORS / f"{file}.json").read_text())["tests"]:
        want = bytes.fromhex(test["keystream"] if "keystream" in test else test["ciphertext"])
        text = bytes.fromhex(test.get("plaintext", "")) or bytes(len(want))
        key, iv = bytes.fromhex(test["key"]), bytes.fromhex(test["iv"])
        assert xor(text, MODELS[name](key, iv, len(want))) == want, test["id"]


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("size", [0, 1, 16, 17, 32, 2047, 2048, 2049, 4096, 4097])
@pytest.mark.parametrize("cipher", CIPHERS, ids=lambda c: c.name)
def test_snow_v_of_any_size_is_that_of_the_model(cipher: Cipher, size: int, engine: EngineName) -> None:
    data = random.Random(size).randbytes(size)
    encrypted = crypt.encrypt(cipher.name, KEY, data, iv=IV, engine=engine)
    assert encrypted == xor(data, MODELS[cipher.name](KEY, IV, size))
    assert crypt.decrypt(cipher.name, KEY, encrypted, iv=IV) == data


@pytest.mark.parametrize("cipher", CIPHERS, ids=lambda c: c.name)
def test_jobs_of_snow_v_of_any_number_of_rows_are_one_message(cipher: Cipher) -> None:
    session = Session(lutra.make_engine("iss"))
    session.set_up(cipher, "encrypt", KEY, IV)
    sizes = [16 * n for n in (1, 2, 0, 3, 128, 129, 256, 1)] + [21]
    assert b"".join(session.job(bytes(n)) for n in sizes) == MODELS[cipher.name](KEY, IV, sum(sizes))
    session.set_up(cipher, "encrypt", KEY, bytes(16))
    assert session.job(bytes(80)) == MODELS[cipher.name](KEY, bytes(16), 80)
