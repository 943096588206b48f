"""A5/1 against a model, which is held to the vector of its publication."""

from __future__ import annotations

import random

import pytest

from lutra.firmware import crypt
from lutra.iss.engine import EngineName
from models import a51

STREAMS = 128


def packed(bits: list[int]) -> bytes:
    return bytes(int("".join(map(str, bits[at : at + 8])), 2) for at in range(0, len(bits), 8))


def test_the_model_of_a51_meets_the_published_frame() -> None:
    bits = a51.keystream(bytes.fromhex("1223456789abcdef"), 0x134, 2 * 114)
    wanted = ("534eaa582fe8151ab6e1855a728c00", "24fd35a35d5fb6526d32f906df1ac0")
    for half, value in zip((bits[:114], bits[114:]), wanted, strict=True):
        assert packed([*half, *[0] * 6]).hex() == value


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("units", [1, 2, 3])
def test_each_of_128_frames_has_its_keystream(units: int, engine: EngineName) -> None:
    """Messages of one, two and more blocks, which are another job."""
    source = random.Random(units)
    key = source.randbytes(8)
    frames = [source.getrandbits(22) for _ in range(STREAMS)]
    iv = b"".join(frame.to_bytes(4, "big") for frame in frames)
    got = crypt.encrypt("a51-64-x128", key, bytes(16 * STREAMS * units), iv=iv, engine=engine)
    rows = [got[at : at + 16] for at in range(0, len(got), 16)]
    for stream, frame in enumerate(frames):
        assert b"".join(rows[stream::STREAMS]) == packed(a51.keystream(key, frame, 128 * units)), stream
