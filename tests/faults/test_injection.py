"""Faults in lock-step: simulator and core agree on what a flipped bit does, in every cycle."""

from __future__ import annotations

import random

import pytest

from injection.programs import CIPHERS, Cipher, faulty, prepare
from lutra.iss.engine import Engine, make
from lutra.iss.fault import WORDS, Fault


@pytest.fixture(scope="module")
def cosim() -> Engine:
    return make("cosim")


@pytest.mark.parametrize("c", [0, 1])
@pytest.mark.parametrize("cipher", CIPHERS, ids=lambda cipher: cipher.name)
def test_a_flipped_bit_does_the_same_in_simulator_and_core(cipher: Cipher, c: int, cosim: Engine) -> None:
    rng = random.Random(cipher.name + str(c))
    prepare(cosim, cipher, c)
    _, right = faulty(cosim)
    wrong = 0
    for _ in range(60):
        fault = Fault(rng.randrange(10, 120), f"c{c}", rng.choice(WORDS), 1 << rng.randrange(32))
        wrong += faulty(cosim, fault)[1] != right
    assert wrong > 30
