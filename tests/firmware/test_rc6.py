"""RC6 in its modes against a model of the cipher, which is held to the vectors of the submission."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from lutra.firmware import crypt
from lutra.iss.engine import EngineName
from models import rc6
from models.lanes import xor

VECTORS = Path(__file__).parent.parent / "vectors"


def in_mode(mode: str, key: bytes, iv: bytes, data: bytes) -> bytes:
    """Encryption by SP 800-38A."""
    out, chain = b"", iv
    for at in range(0, len(data), 16):
        block = data[at : at + 16]
        match mode:
            case "ecb":
                chain = rc6.encrypt(key, block)
            case "cbc":
                chain = rc6.encrypt(key, xor(block, chain))
            case "cfb":
                chain = xor(block, rc6.encrypt(key, chain)[: len(block)])
            case "ofb":
                chain = rc6.encrypt(key, chain)
                out += xor(block, chain[: len(block)])
                continue
            case _:
                out += xor(block, rc6.encrypt(key, chain)[: len(block)])
                chain = (int.from_bytes(chain, "big") + 1).to_bytes(16, "big")
                continue
        out += chain
    return out


def test_the_model_of_rc6_meets_the_vectors_of_the_submission() -> None:
    for test in json.loads((VECTORS / "rc6_submission.json").read_text())["tests"]:
        got = rc6.encrypt(bytes.fromhex(test["key"]), bytes.fromhex(test["plaintext"]))
        assert got.hex() == test["ciphertext"], test["id"]


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("bits", [128, 192, 256])
@pytest.mark.parametrize("mode", ["ecb", "cbc", "cfb", "ofb", "ctr"])
def test_modes_of_rc6_are_those_of_the_model(mode: str, bits: int, engine: EngineName) -> None:
    for size in (16, 48, 80) if mode in ("ecb", "cbc") else (5, 48, 89):
        source = random.Random(f"{mode} {bits} {size}")
        key, iv, data = source.randbytes(bits // 8), source.randbytes(16), source.randbytes(size)
        name, start = f"rc6-{bits}-{mode}", b"" if mode == "ecb" else iv
        encrypted = crypt.encrypt(name, key, data, iv=start, engine=engine)
        assert encrypted == in_mode(mode, key, iv, data)
        assert crypt.decrypt(name, key, encrypted, iv=start) == data
