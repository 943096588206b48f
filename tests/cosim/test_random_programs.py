"""Random programs in lock-step: hazards, slots, loops and traps that no one thought of.

Both values of ROUNDS_PER_INSTR and all modes; `make random` and campaigns run more seeds.
"""

from __future__ import annotations

import pytest

from lutra.cosim import Work, work
from lutra.random import MODES

SEEDS = 40
RETIRED = 500_000
MORE = pytest.mark.nightly("a second shard of as many programs; `make random` runs any number")


@pytest.mark.parametrize("shard", [0, pytest.param(1, marks=MORE)])
def test_simulator_and_core_agree_on_random_programs(shard: int) -> None:
    result = work(Work(shard * SEEDS, (shard + 1) * SEEDS))
    assert [f.report for f in result.failures] == []
    assert result.programs == SEEDS
    assert result.retired > RETIRED
    assert {mode for mode, _ in result.parts} == set(MODES)
    assert {rounds for _, rounds in result.parts} == {1, 2}
