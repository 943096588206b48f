"""Twofish and Serpent (firmware/common/modes_groups.inc) against models of their submissions, held to their vectors."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Protocol

import pytest

import lutra
from lutra.firmware import crypt
from lutra.firmware.ciphers import Cipher
from lutra.firmware.manifest import catalogue
from lutra.firmware.session import Session
from models import serpent, twofish
from models.lanes import xor
from support.only import only


class Model(Protocol):
    def encrypt(self, block: bytes) -> bytes: ...
    def decrypt(self, block: bytes) -> bytes: ...


MODELS: dict[str, Callable[[bytes], Model]] = {"twofish": twofish.Twofish, "serpent": serpent.Serpent}
CIPHERS = only(catalogue().ciphers, lambda c: c.name.split("-")[0] in MODELS)
VECTORS = Path(__file__).parent.parent / "vectors"
MOST = 40
JOB = 252


@cache
def model(name: str, bits: int) -> tuple[bytes, Model]:
    key = random.Random(f"{name} {bits}").randbytes(bits // 8)
    return key, MODELS[name](key)


def expected(block: Model, mode: str, iv: bytes, data: bytes) -> bytes:
    """The modes as SP 800-38A writes them; a last block may be incomplete where the mode allows that."""
    out, state = bytearray(), iv
    for at in range(0, len(data), 16):
        text = data[at : at + 16]
        if mode == "ecb":
            out += block.encrypt(text)
        elif mode == "cbc":
            state = block.encrypt(xor(text, state))
            out += state
        else:
            stream = block.encrypt(state)
            out += xor(text, stream[: len(text)])
            following = (int.from_bytes(state, "big") + 1) % 2**128
            state = {"cfb": bytes(out[-16:]), "ofb": stream, "ctr": following.to_bytes(16, "big")}[mode]
    return bytes(out)


@pytest.mark.parametrize("name", MODELS)
def test_the_models_of_twofish_and_serpent_meet_the_vectors(name: str) -> None:
    for test in json.loads((VECTORS / f"{name}_submission.json").read_text())["tests"]:
        block, plain, secret = (bytes.fromhex(test[field]) for field in ("key", "plaintext", "ciphertext"))
        for at in range(0, len(plain), 16):
            assert MODELS[name](block).encrypt(plain[at : at + 16]) == secret[at : at + 16], test["id"]
            assert MODELS[name](block).decrypt(secret[at : at + 16]) == plain[at : at + 16], test["id"]


@pytest.mark.parametrize("cipher", CIPHERS, ids=lambda c: c.name)
def test_groups_of_four_blocks_are_those_of_the_model(cipher: Cipher) -> None:
    name, bits, mode = cipher.name.split("-")
    key, block = model(name, int(bits))
    source = random.Random(cipher.name)
    iv = source.randbytes(cipher.iv_bytes)
    sizes = [16 * n for n in (0, 1, 2, 3, 4, 5, 7, 8, MOST)] + [n for n in (1, 17, 63, 65) if cipher.partial]
    for size in sizes:
        data = source.randbytes(size)
        encrypted = crypt.encrypt(cipher.name, key, data, iv=iv)
        assert encrypted == expected(block, mode, iv, data), size
        assert crypt.decrypt(cipher.name, key, encrypted, iv=iv) == data, size


@pytest.mark.parametrize("cipher", [c for c in CIPHERS if "-128-" in c.name], ids=lambda c: c.name)
def test_jobs_of_groups_are_one_message(cipher: Cipher) -> None:
    """Any number of blocks a job, the longest one too; the counter carries over all its bytes."""
    name, bits, mode = cipher.name.split("-")
    key, block = model(name, int(bits))
    source = random.Random(cipher.name)
    iv = b"\xff" * (cipher.iv_bytes - 1) + b"\xfe" if cipher.iv_bytes else b""
    data = [source.randbytes(16 * n) for n in (1, 3, 4, 6)]
    session = Session(lutra.make_engine("iss"))
    session.set_up(cipher, "encrypt", key, iv)
    encrypted = [session.job(part) for part in data]
    assert b"".join(encrypted) == expected(block, mode, iv, b"".join(data))
    session.set_up(cipher, "decrypt", key, iv)
    assert [session.job(part) for part in encrypted] == data
    long = source.randbytes(16 * (JOB + 5))
    encrypted_long = crypt.encrypt(cipher.name, key, long, iv=iv)
    assert encrypted_long[: 16 * MOST] == expected(block, mode, iv, long[: 16 * MOST])
    assert crypt.decrypt(cipher.name, key, encrypted_long, iv=iv) == long
