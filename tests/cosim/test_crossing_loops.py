"""Loops that cross: the last instruction of the outer one comes right after the inner one's repeat."""

from __future__ import annotations

import pytest

import lutra

# The assembler warns: the outer loop makes one turn and stays on the stack.
PROGRAM = """
        repeat  {outer}, .L_outer
        nop
        repeat  {inner}, .L_inner
        nop
.L_outer: nop
        nop
.L_inner: halt
"""


@pytest.mark.parametrize("rounds", [2, 1])
@pytest.mark.parametrize("outer", [1, 2])
@pytest.mark.parametrize("inner", [1, 3])
def test_the_outer_loop_does_not_count_in_the_inner_one(rounds: int, outer: int, inner: int) -> None:
    engine = lutra.make_engine("cosim", rounds)
    engine.load(lutra.assemble_text(PROGRAM.format(outer=outer, inner=inner)))
    stop = engine.run(0)
    assert stop.instructions == 3 + 3 * inner + 1
