"""Leviathan against a model, which is held to the vectors of its submission."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from lutra.firmware import crypt
from lutra.firmware.errors import FirmwareError
from lutra.iss.engine import EngineName
from models import leviathan

TREE = 1 << 18  # bytes


def keystream(key: bytes, size: int) -> bytes:
    words = islice(leviathan.keystream(key), (size + 3) // 4)
    return b"".join(word.to_bytes(4, "big") for word in words)[:size]


def test_the_model_of_leviathan_meets_its_submission() -> None:
    wanted = "1861600e882448322a6d8201ffd0f37db8767ce6e7bd8954b3fc97f0e88caba1"
    assert keystream(bytes.fromhex("dec0c0c557fa"), 32).hex() == wanted


@pytest.mark.parametrize(
    ("size", "length", "engine"),
    [(16, TREE, "iss"), (5, 37, "cosim"), (32, 4097, "cosim"), (128, 4096, "iss"), (256, 1, "iss")],
)
def test_leviathan_has_the_keystream_of_its_tree(size: int, length: int, engine: EngineName) -> None:
    """Jobs of 4096 bytes, the last one of fewer; the whole tree."""
    key = random.Random(size).randbytes(size)
    assert crypt.encrypt(f"leviathan-{8 * size}", key, bytes(length), engine=engine) == keystream(key, length)


def test_leviathan_ends_with_its_first_tree() -> None:
    with pytest.raises(FirmwareError, match="address-out-of-range"):
        crypt.encrypt("leviathan-128", bytes(16), bytes(TREE + 1), engine="iss")


def test_leviathan_encrypts_and_decrypts() -> None:
    key, text = bytes(range(16)), bytes(range(256)) * 5
    ciphertext = crypt.encrypt("leviathan-128", key, text, engine="iss")
    assert ciphertext == bytes(a ^ b for a, b in zip(text, keystream(key, len(text)), strict=True))
    assert crypt.decrypt("leviathan-128", key, ciphertext, engine="iss") == text
