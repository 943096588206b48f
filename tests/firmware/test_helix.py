"""Helix and Phelix: their model against the vectors of the papers, and the firmware against the model."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lutra.firmware import aead, kat
from lutra.firmware.errors import InputError
from lutra.firmware.manifest import catalogue
from lutra.iss.engine import EngineName
from models import helix

VECTORS = Path(__file__).parent.parent / "vectors"
JOB = 2048


@pytest.mark.parametrize("name", ["helix", "phelix"])
def test_the_model_of_helix_and_phelix_meets_the_vectors_of_the_papers(name: str) -> None:
    for test in kat.read(VECTORS / f"{name}_paper.json", catalogue()):
        assert isinstance(test, kat.Vector) and isinstance(test.aad, bytes)
        bits = test.tag_bits if name == "phelix" else None
        assert helix.encrypt(test.key, test.iv, test.plaintext, test.aad, bits) == test.ciphertext
        assert helix.decrypt(test.key, test.iv, test.ciphertext, test.aad, bits) == test.plaintext


SIZES = (0, 1, 4, 7, 15, 32, 62, JOB - 1, JOB, JOB + 5)
IN_LOCK_STEP = (7, JOB + 5)
MORE = pytest.mark.nightly("every size of every key in lock-step; `make test` does one of each kind of job")
RUNS = [
    *(pytest.param("iss", size) for size in SIZES),
    *(pytest.param("cosim", size, marks=[MORE] * (size not in IN_LOCK_STEP)) for size in SIZES),
]


@pytest.mark.parametrize(("engine", "size"), RUNS)
@pytest.mark.parametrize("name", [f"helix-{bits}" for bits in (0, 8, 40, 248, 256)] + ["phelix-0", "phelix-192"])
def test_a_message_of_helix_or_phelix_is_that_of_the_model(name: str, size: int, engine: EngineName) -> None:
    source = random.Random(f"{name} {size}")
    key, nonce, data = (source.randbytes(n) for n in (catalogue().cipher(name).key_bits // 8, 16, size))
    aad = source.randbytes(source.choice([0, 1, 4, 30, JOB + 3])) if name.startswith("phelix") else b""
    bits = source.choice(range(32, 129, 8))
    sealed = aead.encrypt(name, key, nonce, data, aad, bits, engine)
    expected = helix.encrypt(key, nonce, data, aad, bits if name.startswith("phelix") else None)
    assert sealed == expected[: size + bits // 8]
    assert aead.decrypt(name, key, nonce, sealed, aad, bits) == data
    with pytest.raises(aead.WrongTagError):
        aead.decrypt(name, key, nonce, sealed[:-1] + bytes([sealed[-1] ^ 1]), aad, bits)


def test_helix_refuses_associated_data() -> None:
    with pytest.raises(InputError):
        aead.encrypt("helix-128", bytes(16), bytes(16), b"otter", b"aad")
