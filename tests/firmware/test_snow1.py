"""SNOW 1.0 of any length against a model of its specification, held to the submission's vectors."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from lutra.firmware import crypt
from lutra.firmware.ciphers import Cipher
from lutra.firmware.manifest import catalogue
from lutra.iss.engine import EngineName
from models import snow1
from models.lanes import xor

CIPHERS = [catalogue().cipher(f"snow1-{name}") for name in ("128", "256", "128-iv", "256-iv")]
VECTORS = Path(__file__).parent.parent / "vectors" / "snow1_nessie.json"
STREAMS = 4
# By the bytes of their IV.
GENERATIONS = {"snow1-128": 0, "snow1-128-iv": 8, "snow2-128": 16, "snow3g": 16}


def test_the_model_of_snow_1_meets_the_submission() -> None:
    for test in json.loads(VECTORS.read_text())["tests"]:
        want = bytes.fromhex(test["keystream"])
        key, iv = bytes.fromhex(test["key"]), bytes.fromhex(test.get("iv", ""))
        assert snow1.keystream(key, iv, len(want)) == want, test["id"]


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("size", [0, 1, 3, 4, 15, 16, 17, 60, 4095, 4096, 4097, 9000])
@pytest.mark.parametrize("cipher", CIPHERS, ids=lambda c: c.name)
def test_snow_1_of_any_size_is_that_of_the_model(cipher: Cipher, size: int, engine: EngineName) -> None:
    rng = random.Random(f"{cipher.name} {size}")
    key, iv, data = rng.randbytes(cipher.key_bits // 8), rng.randbytes(cipher.iv_bytes), rng.randbytes(size)
    encrypted = crypt.encrypt(cipher.name, key, data, iv=iv, engine=engine)
    assert encrypted == xor(data, snow1.keystream(key, iv, size))
    assert crypt.decrypt(cipher.name, key, encrypted, iv=iv) == data


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("rows", [1, 2, 3, 4, 17, 256, 257, 600])
@pytest.mark.parametrize("bits", [128, 256])
def test_four_streams_of_snow_1_have_keys_of_their_own(bits: int, rows: int, engine: EngineName) -> None:
    source = random.Random(f"{bits} {rows}")
    keys, data = [source.randbytes(bits // 8) for _ in range(STREAMS)], source.randbytes(16 * rows)
    got = crypt.encrypt(f"snow1-{bits}-x4", b"".join(keys), data, engine=engine)
    for stream, key in enumerate(keys):
        assert words_of(got, stream) == xor(words_of(data, stream), snow1.keystream(key, b"", 4 * rows)), stream


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("rows", [1, 5, 256, 300])
@pytest.mark.parametrize("bits", [128, 256])
def test_four_streams_of_snow_1_have_ivs_of_their_own(bits: int, rows: int, engine: EngineName) -> None:
    source = random.Random(f"{bits} {rows}")
    keys, ivs = ([source.randbytes(size) for _ in range(STREAMS)] for size in (bits // 8, 8))
    got = crypt.encrypt(f"snow1-{bits}-iv-x4", b"".join(keys), bytes(16 * rows), iv=b"".join(ivs), engine=engine)
    for stream, (key, iv) in enumerate(zip(keys, ivs, strict=True)):
        assert words_of(got, stream) == snow1.keystream(key, iv, 4 * rows), stream


def words_of(data: bytes, stream: int) -> bytes:
    """The words of one stream among interleaved words."""
    return b"".join(data[at : at + 4] for at in range(4 * stream, len(data), 4 * STREAMS))


def test_the_generations_of_snow_have_keystreams_of_their_own() -> None:
    key, iv = bytes(range(16)), bytes(16)
    streams = [crypt.encrypt(name, key, bytes(64), iv=iv[:size]) for name, size in GENERATIONS.items()]
    assert len(set(streams)) == len(GENERATIONS)
