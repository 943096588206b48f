"""Random words in lock-step, most of them legal: no structure, so that traps and endless loops are as likely as not.

Programs run for a number of cycles from several places, without a reset between them.
"""

from __future__ import annotations

from functools import cache

import pytest

import lutra
from lutra.cosim import run
from lutra.random import Generator, Program

PROGRAMS = 40


@cache
def program(seed: int, rounds: int) -> Program:
    """The program of a seed; `tests/mutation` runs each for thousands of mutants."""
    return Generator(mode="words", rounds=rounds).program(seed)


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_simulator_and_core_agree_on_random_words(seed: int, rounds: int) -> None:
    stops, failure = run(lutra.make_engine("cosim", rounds), program(seed, rounds))
    assert failure is None, failure.report
    assert stops
