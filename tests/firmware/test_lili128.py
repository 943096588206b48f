"""LILI-128 against a model, which is held to the vector of a public port; the submission's own are not to be had."""

from __future__ import annotations

import random

import pytest

from lutra.firmware import crypt
from lutra.iss.engine import EngineName
from models import lili128

STREAMS = 128


def test_the_model_of_lili128_meets_a_public_port() -> None:
    assert lili128.keystream(bytes(range(16)), 16).hex() == "612cca9a6cd85262a7232e4e636bb125"


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("units", [1, 2])
def test_each_of_128_keys_has_its_keystream(units: int, engine: EngineName) -> None:
    source = random.Random(units)
    keys = [source.randbytes(16) for _ in range(STREAMS)]
    got = crypt.encrypt("lili128-128-x128", b"".join(keys), bytes(16 * STREAMS * units), engine=engine)
    rows = [got[at : at + 16] for at in range(0, len(got), 16)]
    for stream, key in enumerate(keys):
        assert b"".join(rows[stream::STREAMS]) == lili128.keystream(key, 16 * units), stream
