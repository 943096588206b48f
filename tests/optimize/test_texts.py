"""Texts of one stream become as fast as what is written by hand, and every new loop is proved equal."""

from __future__ import annotations

from pathlib import Path

import pytest

from lutra.optimize.program import Program
from lutra.prove.optimized import Outcome, optimize

TEXTS = Path(__file__).parent / "texts"
SECONDS = 20
# Text -> cycles per pass of what firmware/ has by hand: a block, two of Camellia; eight rounds of Serpent.
BY_HAND = {"aes": 5, "aria": 6, "camellia": 9, "serpent": 156, "sm4": 34}
# Those for which no order is found that has as few cycles as instructions.
OPEN = {"serpent"}


def optimized(path: Path) -> tuple[str, list[Outcome]]:
    program = Program(path)
    return optimize(program, program.loops(), SECONDS, lambda _: None, lambda text: Program(path, text=text))


SLOW = pytest.mark.nightly("its proof takes half a minute")


@pytest.mark.parametrize("name", [pytest.param(n, marks=[SLOW] * (n in OPEN)) for n in BY_HAND])
def test_a_stream_becomes_as_fast_as_firmware_by_hand(name: str) -> None:
    _, (outcome,) = optimized(TEXTS / f"{name}.s")
    assert outcome.after <= 1.03 * BY_HAND[name]
    assert outcome.after < outcome.before
    assert outcome.optimal or name in OPEN
    assert not outcome.kept


def test_a_loop_without_waits_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "add.s"
    path.write_text("repeat 4, end\nxor v0, m2[ar0++], v1\nxor m3[ar1++], v0, zero\nend: halt\n")
    text, (outcome,) = optimized(path)
    assert text == path.read_text()
    assert (outcome.before, outcome.after, outcome.kept) == (2, 2, "it is optimal")


CHAIN = """        mov     %chain, m0[0]
        mov     %key, m0[16]
        repeat  {count}, end
        xor     %x, %chain, m2[ar0++]
        tbl1    %x, %x
        tbl1    %y, %x
        xor     %chain, %x, %key
        xor     m3[ar1++], %y, zero
end:    mov     m1[0], %chain
        halt
"""


@pytest.mark.parametrize("count", ["2", "3", "100", "ar5"])
def test_what_passes_hand_on_limits_them(tmp_path: Path, count: str) -> None:
    path = tmp_path / "chain.s"
    path.write_text(CHAIN.format(count=count))
    _, (outcome,) = optimized(path)
    # The look-up, and what is added to its result, wait for each other: xor, tbl1, xor of a pass take four cycles.
    assert outcome.after >= outcome.bound >= 5


def test_a_loop_of_one_pass_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "chain.s"
    path.write_text(CHAIN.format(count="1"))
    assert optimized(path) == (path.read_text(), [])


def test_a_count_that_is_used_afterwards_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "count.s"
    path.write_text(
        "repeat ar5, end\ntbl1 %x, m2[ar0++]\ntbl1 %x, %x\nxor m3[ar1++], %x, zero\nend: artov v0, ar5\n"
        "mov m1[0], v0\nhalt\n"
    )
    text, (outcome,) = optimized(path)
    assert outcome.after < outcome.before
    assert any(line.split() == ["aradd", "ar5,", "ar5,", str(outcome.stages - 1)] for line in text.splitlines())
