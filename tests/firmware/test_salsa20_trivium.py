"""Salsa20 and Trivium of any length against models of their specifications, held to the vectors of eSTREAM."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

import lutra
from lutra.firmware import crypt
from lutra.firmware.ciphers import Cipher
from lutra.firmware.manifest import assembled, catalogue
from lutra.firmware.session import Session
from lutra.iss.engine import EngineName
from models import salsa20, trivium
from models.lanes import xor

Keystream = Callable[[bytes, bytes, int], bytes]
MODELS: dict[str, Keystream] = {"salsa20": salsa20.keystream, "trivium": trivium.keystream}
SALSA = [catalogue().cipher(name) for name in ("salsa20-128", "salsa20-256")]
TRIVIUM = [catalogue().cipher(name) for name in ("trivium", "trivium-iv64")]
VECTORS = Path(__file__).parent.parent / "vectors"


def model(cipher: Cipher) -> Keystream:
    return MODELS[cipher.name.split("-")[0]]


@pytest.mark.parametrize("name", MODELS)
def test_the_model_meets_the_first_vectors(name: str) -> None:
    for test in json.loads((VECTORS / f"{name}_estream.json").read_text())["tests"]:
        piece = test["keystream_chunks"][0]
        got = MODELS[name](bytes.fromhex(test["key"]), bytes.fromhex(test["iv"]), len(piece["data"]) // 2)
        assert (piece["offset"], got.hex()) == (0, piece["data"]), test["id"]


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 63, 64, 65, 128, 191, 4095, 4096, 4097])
@pytest.mark.parametrize("cipher", [*SALSA, *TRIVIUM], ids=lambda c: c.name)
def test_a_message_of_any_size_is_that_of_the_model(cipher: Cipher, size: int, engine: EngineName) -> None:
    source = random.Random(f"{cipher.name} {size}")
    key, iv, data = (source.randbytes(n) for n in (cipher.key_bits // 8, cipher.iv_bytes, size))
    encrypted = crypt.encrypt(cipher.name, key, data, iv=iv, engine=engine)
    assert encrypted == xor(data, model(cipher)(key, iv, size))
    assert crypt.decrypt(cipher.name, key, encrypted, iv=iv) == data


@pytest.mark.parametrize("cipher", [*SALSA, *TRIVIUM], ids=lambda c: c.name)
def test_jobs_of_any_number_of_units_are_one_message(cipher: Cipher) -> None:
    """Odd numbers of blocks too, and none; no job continues from the state after the last one."""
    key, iv = bytes(range(cipher.key_bits // 8)), bytes(range(cipher.iv_bytes))
    session = Session(lutra.make_engine("cosim"))
    session.set_up(cipher, "encrypt", key, iv)
    sizes = [cipher.unit_bytes * n for n in (1, 2, 0, 3, 1, 5)] + [cipher.unit_bytes + 5]
    assert b"".join(session.job(bytes(n)) for n in sizes) == model(cipher)(key, iv, sum(sizes))
    session.set_up(cipher, "encrypt", key, bytes(cipher.iv_bytes))
    assert session.job(bytes(80)) == model(cipher)(key, bytes(cipher.iv_bytes), 80)


@pytest.mark.parametrize("first", [0xFFFFFFFE, 0xFFFFFFFF, 0xFF_FFFFFFFF, (1 << 64) - 2])
@pytest.mark.parametrize("cipher", SALSA, ids=lambda c: c.name)
def test_the_number_of_a_block_of_salsa20_has_64_bits(cipher: Cipher, first: int) -> None:
    """It carries within a job and from one to the next."""
    key, iv = bytes(range(cipher.key_bits // 8)), b"otter 20"
    session = Session(lutra.make_engine("cosim"))
    session.set_up(cipher, "encrypt", key, iv)
    counter = assembled(cipher.default.image).symbol("salsa20_counter")
    session.engine.write("m1", counter.value, first.to_bytes(16, "big"))
    sizes = (64, 64 * 3, 64 * 2)
    assert b"".join(session.job(bytes(n)) for n in sizes) == salsa20.keystream(key, iv, sum(sizes), first)


@pytest.mark.parametrize("cipher", SALSA, ids=lambda c: c.name)
@pytest.mark.parametrize("size", [64, 65, 3 * 64 - 1])
def test_no_keystream_of_another_block_of_salsa20_stays(cipher: Cipher, size: int) -> None:
    """Blocks are made in pairs."""
    session = Session(lutra.make_engine("iss"))
    session.set_up(cipher, "encrypt", bytes(cipher.key_bits // 8), bytes(8))
    session.job(bytes(size))
    end = -(-size // 64) * 64
    assert not any(session.engine.read("m3", end, 64)) or end % 128 == 0


def test_an_iv_of_64_bits_has_nothing_of_one_of_80() -> None:
    """The same image, whose parameter keeps the last bytes of a longer IV."""
    session = Session(lutra.make_engine("iss"))
    key = bytes(range(10))
    session.set_up(TRIVIUM[0], "encrypt", key, b"\xff" * 10)
    session.set_up(TRIVIUM[1], "encrypt", key, bytes(8))
    assert session.job(bytes(32)) == trivium.keystream(key, bytes(8), 32)
