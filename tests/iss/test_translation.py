"""Translated code does what the interpreter does: state, cycles, instructions, and stalls by cause."""

from __future__ import annotations

import random
import shutil
from functools import cache

import pytest

from lutra.isa import load
from lutra.iss import _iss
from lutra.random import MODES, Generator, Program
from support.translation import LEVELS, MARGIN, Both
from translated.compare import Pair

ISA = load()
PROGRAMS = 2  # of each mode; a campaign has more: `make translated`


@pytest.fixture(params=LEVELS)
def both(request: pytest.FixtureRequest) -> Both:
    """Simulator and translation of each level."""
    return Both(request.param)


@cache
def generator(mode: str, rounds: int) -> Generator:
    return Generator(mode=mode, rounds=rounds)


@cache
def program(mode: str, rounds: int, seed: int) -> Program:
    """The same for every level."""
    return generator(mode, rounds).program(seed)


def test_a_build_with_the_compiler_has_the_levels_of_its_machine() -> None:
    assert ("portable" in LEVELS) == (shutil.which("clang++-19") is not None)
    assert [name for name, _ in _iss.levels()] in ([], ["avx512", "avx2", "portable"])


@pytest.mark.parametrize("rounds", ISA.configuration.rounds)
@pytest.mark.parametrize("level", LEVELS)
def test_random_programs_end_in_the_same_state(level: str, rounds: int) -> None:
    """Other seeds for every mode, translated at the first entry or at a later one."""
    pairs = [Pair(level, rounds, patience) for patience in (1, 3)]
    for number, mode in enumerate(MODES):
        for seed in range(1000 * number, 1000 * number + PROGRAMS):
            difference = pairs[seed % 2].difference(program(mode, rounds, seed))
            assert difference is None, (mode, seed)


# ------------------------------------------------------------------ limits

# Every kind of transfer, hazards, all slots; some 300,000 cycles.
LONG = """
        arset   ar7, 170
again:  repeat  50, outer
        arset   ar0, 0x100
        arset   ar1, 0x200
        arstep  ar1, 0x30
        arwin   ar1, 0x200, 0x290
        repeat  3, inner
        mov     v0, m2[ar0++]
        add32   v1, v1, v0
        xor     m3[ar1+=s%], v1, v0
        tbl0    v2, v1
inner:  tbl1    v3, v2
        cmp     v2, v3
        bf      skip
        call    routine
skip:   vtoar   ar2, v1, 3
        arand   ar2, ar2, 0xff0
        mov     v4, m1[ar2]
outer:  xor     v1, v1, v4
        aradd   ar7, ar7, -1
        bnz     ar7, again
        halt
routine:
        mov     m0[0x40], v1
        mov     v5, m0[0x40]
        ret
"""


def test_a_run_is_cut_at_any_cycle_and_goes_on(both: Both) -> None:
    rng = random.Random(1)
    both.load(LONG, **{space: rng.randbytes(4096) for space in ("m0", "m1", "m2", "t0", "t1")})
    whole = both.run(times=3)
    assert whole.state == "halted"
    assert whole.cycles > 4 * MARGIN
    for _ in range(12):
        limit = 0
        stop = both.start(0)
        while stop.state == "running":
            limit += rng.randrange(1, whole.cycles)
            stop = both.go(limit)
        assert stop.state == "halted"


def test_a_run_is_cut_at_every_cycle_of_a_loop(both: Both) -> None:
    both.load(LONG, **{space: random.Random(2).randbytes(4096) for space in ("m0", "m1", "m2", "t0", "t1")})
    both.run(times=2)
    for limit in range(2 * MARGIN, 2 * MARGIN + 60):
        assert both.start(limit).state == "running"
    assert both.start(2**63).state == "halted"


def test_a_run_is_cut_anywhere_in_a_long_block(both: Both) -> None:
    """Longer than the longest wait of an instruction."""
    body = "tbl1 v0, v0\n add32 v0, v0, m2[0]\n" * 60
    both.load(f"repeat 2000, end\n {body} end: halt", t1=random.Random(5).randbytes(4096))
    both.run(times=2)
    for limit in range(2 * MARGIN, 2 * MARGIN + 400, 23):
        assert both.start(limit).state == "running"


def test_a_limit_below_the_margin_and_none_at_all(both: Both) -> None:
    both.load(LONG)
    for limit in (0, 1, 2, 100, MARGIN - 1, MARGIN, MARGIN + 1, 2**63, 2**64 - 1):
        both.start(limit)


def test_a_program_waits_and_goes_on(both: Both) -> None:
    both.load(
        """
again:  repeat  3, end
        add32   v0, v0, m2[0]
        wait
        tbl0    v1, v0
end:    mov     m3[0], v1
        aradd   ar0, ar0, 1
        notify  7
        jmp     again
    """,
        t0=random.Random(3).randbytes(4096),
    )
    assert both.run().state == "waiting"
    for turn in range(20):
        both.write("m2", 0, bytes(15) + bytes([turn]))
        assert both.resume().state == "waiting"


# ------------------------------------------------------------------ traps

# In the middle of a block that has been translated and entered before; `state` is what the block has changed.
WORK = """
        add32   v0, v0, m2[0]
        mov     m3[0x20], v0
"""
TRAPS = {
    "data slot": ("arset ar0, 0xe00", f"{WORK} mov v1, m1[ar0++]", "address-out-of-range"),
    "data slot, last byte": ("arset ar0, 0xe01", f"{WORK} mov v1, m1[ar0++]", "address-out-of-range"),
    "store slot": ("arset ar0, 0xe00", f"{WORK} mov m1[ar0++], v0", "address-out-of-range"),
    "store slot backwards": ("arset ar0, 0x200", f"{WORK} mov m1[ar0--], v0", "address-out-of-range"),
    "key slot": ("arset ar0, 0xe00", f"{WORK} aesencl v0, v0, m0[ar0++]", "address-out-of-range"),
    "store behind the others": (
        "arset ar0, 0x200\narset ar1, 0xe00",
        f"{WORK} xor m1[ar1++], m0[ar0++], v0",
        "address-out-of-range",
    ),
    "table": ("arset ar0, 0xe00", f"{WORK} mov t1[ar0++], v0", "address-out-of-range"),
    "between rows of a table": (
        "arset ar0, 0x100\narstep ar0, 1",
        f"{WORK} mov t1[0], v0\n mov v2, m1[ar0+=s]\n arand ar1, ar0, 0xff0f\n mov t0[ar1], v0",
        "table-misaligned",
    ),
    "both sides of a pair": ("arset ar0, 0xe00", f"{WORK} aesenc2 v0, v0, m0:m1[ar0++]", "address-out-of-range"),
}


@pytest.mark.parametrize("name", TRAPS)
def test_an_access_traps_in_a_block(name: str, both: Both) -> None:
    before, body, trap = TRAPS[name]
    both.load(f"{before}\n repeat 1000, end\n nop\n{body}\nend: nop\n halt", t0=random.Random(4).randbytes(4096))
    for _ in range(4):
        assert both.run().trap == trap


FLOW = {
    "calls without end": ("again: nop\n add32 v0, v0, m2[0]\n call again", "call-stack-overflow"),
    "a return too many": ("call routine\n halt\nroutine: nop\n add32 v0, v0, m2[0]\n nop\n ret\n", ""),
    "a return without a call": ("nop\n nop\n ret", "call-stack-underflow"),
    "a word by a jump": ("nop\n nop\n jmp bad\n nop\nbad: .insn 0x1234", "illegal-instruction"),
    "a word in the way": ("nop\n add32 v0, v0, m2[0]\n .insn 0x1234", "illegal-instruction"),
    "a word in a loop": ("repeat 5, end\n nop\n .insn 0x1234\nend: halt", "illegal-instruction"),
    "a word at the end of a loop": ("repeat 5, end\n nop\n .insn 0x1234\nend: halt", "illegal-instruction"),
    "a jump beyond the program": ("nop\n nop\n jmp 0x400", "fetch-out-of-range"),
    "a jump far beyond": ("nop\n add32 v0, v0, m2[0]\n jmp 0xffff", "fetch-out-of-range"),
    "a branch beyond that is taken once": (
        "arset ar0, 20\nagain: aradd ar0, ar0, -1\n nop\n bz ar0, 0x400\n jmp again",
        "fetch-out-of-range",
    ),
    "a call beyond the program": ("nop\n call 0x7ff", "fetch-out-of-range"),
    "no turns, to beyond the program": ("arset ar0, 0\n repeat ar0, 0x400", "fetch-out-of-range"),
    "no turns, to the last address": ("arset ar0, 0\n nop\n repeat ar0, 0xffff", "fetch-out-of-range"),
}


def test_a_program_runs_beyond_the_last_word(both: Both) -> None:
    both.load("jmp 0x3f0")
    both.program("nop\n add32 v0, v0, m2[0]\n" + "nop\n" * 14, at=0x3F0)
    for _ in range(4):
        assert both.run().trap == "fetch-out-of-range"


@pytest.mark.parametrize("name", FLOW)
def test_a_transfer_traps_or_goes_where_it_says(name: str, both: Both) -> None:
    source, trap = FLOW[name]
    both.load(source, m2=bytes(15) + b"\1")
    for _ in range(4):
        assert both.run(4 * MARGIN).trap == trap
