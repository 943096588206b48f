"""KASUMI and its algorithms of 3GPP against a model of the standards, which is held to their test sets."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from lutra.firmware import crypt, mac
from lutra.iss.engine import EngineName
from models import kasumi

VECTORS = json.loads((Path(__file__).parents[1] / "vectors/kasumi_ts35203.json").read_text())["tests"]


def blocks(key: bytes, data: bytes) -> bytes:
    numbers = (int.from_bytes(data[at : at + 8], "big") for at in range(0, len(data), 8))
    return b"".join(kasumi.encrypt(key, number).to_bytes(8, "big") for number in numbers)


def test_the_model_of_kasumi_meets_the_test_sets() -> None:
    for test in VECTORS:
        key = bytes.fromhex(test["key"])
        if test["mode"] == "ECB":
            assert blocks(key, bytes.fromhex(test["plaintext"])).hex() == test["ciphertext"], test["id"]
        elif test["mode"] == "KGCORE":
            wanted = test["keystream"]
            assert kasumi.kgcore(key, bytes.fromhex(test["iv"]), len(wanted) // 2).hex() == wanted, test["id"]
        elif test["mode"] == "UIA1 (f9)":
            count, fresh = int(test["count"], 16), int(test["fresh"], 16)
            bits = f"{int(test['message'], 16):0{4 * len(test['message'])}b}"[: test["length_bits"]]
            assert f"{kasumi.f9(key, count, fresh, test['direction'], bits):08x}" == test["mac"], test["id"]


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("size", [8, 56, 64, 72, 4032, 4040])
def test_kasumi_of_any_number_of_blocks(size: int, engine: EngineName) -> None:
    source = random.Random(size)
    key, data = source.randbytes(16), source.randbytes(size)
    encrypted = crypt.encrypt("kasumi-128-ecb", key, data, engine=engine)
    assert encrypted == blocks(key, data)
    assert crypt.decrypt("kasumi-128-ecb", key, encrypted, engine=engine) == data


@pytest.mark.parametrize("size", [0, 1, 8, 9, 50, 4032, 4041])
@pytest.mark.parametrize("key_bytes", [8, 16])
def test_kgcore_of_any_length(key_bytes: int, size: int) -> None:
    source = random.Random(f"{key_bytes} {size}")
    key, iv = source.randbytes(key_bytes), source.randbytes(8)
    got = crypt.encrypt(f"kasumi-kgcore-{8 * key_bytes}", key, bytes(size), iv=iv)
    assert got == kasumi.kgcore(key, iv, size)


@pytest.mark.parametrize("bits", [0, 1, 61, 62, 63, 64, 126, 127, 128, 189, 8 * 4032, 8 * 4032 + 63, 8 * 4040 + 7])
def test_uia1_of_any_number_of_bits(bits: int) -> None:
    source = random.Random(bits)
    key, message = source.randbytes(16), source.randbytes(bits // 8 + 1)
    count, fresh, direction = source.getrandbits(32), source.getrandbits(32), source.getrandbits(1)
    got = mac.mac("uia1", key, message, bits, count=count, fresh=fresh, direction=direction)
    text = "".join(f"{byte:08b}" for byte in message)[:bits]
    assert int.from_bytes(got, "big") == kasumi.f9(key, count, fresh, direction, text)


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("units", [1, 2, 64, 130])
def test_each_of_eight_messages_has_its_keystream(units: int, engine: EngineName) -> None:
    source = random.Random(units)
    key, ivs = source.randbytes(16), [source.randbytes(8) for _ in range(8)]
    got = crypt.encrypt("kasumi-kgcore-128-x8", key, bytes(64 * units), iv=b"".join(ivs), engine=engine)
    pieces = [got[at : at + 8] for at in range(0, len(got), 8)]
    for message, iv in enumerate(ivs):
        assert b"".join(pieces[message::8]) == kasumi.kgcore(key, iv, 8 * units), message
