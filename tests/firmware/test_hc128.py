"""HC-128 of any length against a model of its specification, held to the vectors of eSTREAM."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from lutra.firmware import crypt
from lutra.iss.engine import EngineName
from models import hc128
from models.lanes import xor

VECTORS = Path(__file__).parent.parent / "vectors" / "hc128_estream.json"
UNIT = 2048


def test_the_model_of_hc128_meets_the_first_vectors() -> None:
    for test in json.loads(VECTORS.read_text())["tests"]:
        piece = test["keystream_chunks"][0]
        got = hc128.keystream(bytes.fromhex(test["key"]), bytes.fromhex(test["iv"]), len(piece["data"]) // 2)
        assert (piece["offset"], got.hex()) == (0, piece["data"]), test["id"]


@pytest.mark.parametrize(
    ("size", "engine"),
    [
        *((size, "iss") for size in (0, 1, 4, 11, 12, 13, 24, 767, UNIT - 13, UNIT - 1, UNIT, 2 * UNIT, 5 * UNIT + 40)),
        (3 * UNIT + 100, "cosim"),
    ],
)
def test_a_message_of_hc128_is_that_of_the_model(size: int, engine: EngineName) -> None:
    source = random.Random(size)
    key, iv, data = source.randbytes(16), source.randbytes(16), source.randbytes(size)
    encrypted = crypt.encrypt("hc128", key, data, iv=iv, engine=engine)
    assert encrypted == xor(data, hc128.keystream(key, iv, size))
    assert crypt.decrypt("hc128", key, encrypted, iv=iv) == data
