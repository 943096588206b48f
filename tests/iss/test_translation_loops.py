"""Translated loops: however they end, and whoever made them."""

from __future__ import annotations

from itertools import product

import pytest

import lutra
from lutra.iss import _iss
from lutra.iss.engine import Engine
from support.translation import LEVELS, MARGIN, Both

REPEAT_END = 18  # the field `e` of FmtControl (isa/formats.td)


@pytest.fixture(params=LEVELS)
def both(request: pytest.FixtureRequest) -> Both:
    """Simulator and translation of each level."""
    return Both(request.param)


def changed(source: str, ends: dict[int, int]) -> lutra.Image:
    """A program with other last instructions of some of its REPEATs, which the assembler would refuse."""
    words = list(lutra.assemble_text(source, warnings=["no-all"]).program)
    for at, end in ends.items():
        words[at] = words[at] & ~(0xFFFF << REPEAT_END) | end << REPEAT_END
    return lutra.Image(words)


LOOPS = {
    "a body of one instruction": "repeat 700, end\n add32 v0, v0, m2[0]\nend: halt",
    "a body of one that the interpreter executes": "repeat 700, end\n arstep ar1, 3\nend: halt",
    "a body that begins with another": "repeat 30, end\n repeat 30, in\n add32 v0, v0, m2[0]\nin: nop\nend: halt",
    "one turn": "repeat 1, end\n add32 v0, v0, m2[0]\nend: halt",
    "65,535 turns": "repeat 65535, end\n add32 v0, v0, m2[0]\nend: halt",
    "turns from a register": (
        "arset ar0, 9\nagain: repeat ar0, end\n add32 v0, v0, m2[0]\nend: aradd ar0, ar0, -1\n"
        "nop\n bnz ar0, again\n repeat ar0, none\n add32 v1, v1, m2[0]\n nop\nnone: halt"
    ),
    "four deep": (
        "repeat 5, a\n nop\n repeat 4, b\n nop\n repeat 3, c\n nop\n repeat 2, d\n nop\n add32 v0, v0, m2[0]\n"
        "d: nop\nc: nop\nb: nop\na: halt"
    ),
    "a branch at the end": (
        "arset ar0, 6\n repeat 9, end\n add32 v0, v0, m2[0]\n aradd ar0, ar0, -1\n nop\n bnz ar0, out\nend: nop\n"
        "out: nop\n halt"
    ),
    "a branch back at the end": (
        "arset ar0, 600\n repeat 9, end\nagain: add32 v0, v0, m2[0]\n aradd ar0, ar0, -1\n bnz ar0, again\n"
        "end: nop\n halt"
    ),
    "a call at the end": "repeat 9, end\n nop\n call routine\nend: halt\nroutine: add32 v0, v0, m2[0]\n ret",
    "a return at the end": (
        "repeat 9, end\n call routine\n nop\nend: halt\nroutine: repeat 4, out\n add32 v0, v0, m2[0]\nout: ret"
    ),
    "a jump out of it": (
        "again: repeat 9, end\n add32 v0, v0, m2[0]\n aradd ar0, ar0, 1\n bnz ar0, out\nend: nop\nout: halt"
    ),
    "a jump into it": "jmp in\n nop\n repeat 9, end\n nop\nin: add32 v0, v0, m2[0]\nend: nop\n halt",
    "two that end at one instruction": (
        "arset ar0, 40\nagain: arand ar1, ar0, 1\n nop\n bz ar1, even\n repeat 5, end\n nop\n jmp in\n"
        "even: repeat 3, end\nin: add32 v0, v0, m2[0]\n nop\nend: aradd ar0, ar0, -1\n nop\n bnz ar0, again\n halt"
    ),
}


@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_turns_as_often_as_it_says(name: str, both: Both) -> None:
    both.load(LOOPS[name], m2=bytes(15) + b"\1")
    for _ in range(4):
        assert both.run().state == "halted"


NESTED = {
    "ends before its body": ("nop\n nop\n repeat 4, 9\n nop\n nop\n halt", {2: 1}, "loop-nesting"),
    "ends at itself": ("nop\n nop\n repeat 4, 9\n nop\n nop\n halt", {2: 2}, "loop-nesting"),
    "no turns, ends at itself": ("arset ar0, 0\n nop\n repeat ar0, 9\n nop\n nop\n halt", {2: 2}, "loop-nesting"),
    "ends with the one around it": (
        "repeat 4, 9\n nop\n repeat 3, 9\n add32 v0, v0, m2[0]\n nop\n halt",
        {0: 4, 2: 4},
        "loop-nesting",
    ),
    "no turns, ends with the one around it": (
        "arset ar0, 0\n repeat 4, 9\n repeat ar0, 9\n add32 v0, v0, m2[0]\n nop\n halt",
        {1: 4, 2: 4},
        "loop-nesting",
    ),
    "is the last of the one around it": (
        "repeat 4, 9\n nop\n repeat 3, 9\n add32 v0, v0, m2[0]\n nop\n halt",
        {0: 2, 2: 4},
        "loop-nesting",
    ),
    "no turns, a full stack": (
        "arset ar0, 0\n"
        + "".join(f" repeat 2, {9 + n}\n" for n in range(4))
        + " repeat ar0, 20\n"
        + " nop\n" * 12
        + "halt",
        {n: 15 - n for n in range(1, 6)},
        "",
    ),
    "a fifth": (
        "nop\n" + "".join(f" repeat 2, {9 + n}\n" for n in range(5)) + " nop\n" * 12 + "halt",
        {n: 15 - n for n in range(1, 6)},
        "loop-stack-overflow",
    ),
    # Nothing ends there; what the interpreter executes for translated code must not be taken for its end.
    "ends at the last address of all": ("nop\n repeat 3, 9\n notify 4\n arstep ar1, 3\n nop\n halt", {1: 0xFFFF}, ""),
    "ends beyond the program": ("nop\n repeat 3, 9\n notify 4\n arstep ar1, 3\n nop\n halt", {1: 0x400}, ""),
}


@pytest.mark.parametrize("name", NESTED)
def test_a_repeat_traps_where_the_interpreter_traps(name: str, both: Both) -> None:
    source, ends, trap = NESTED[name]
    both.load(changed(source, ends), m2=bytes(15) + b"\1")
    for _ in range(4):
        stop = both.run()
        assert stop.trap == trap


# The host stops a loop, changes it, and lets it go on.
WAITING = """
        repeat  40, end
        wait
        add32   v0, v0, m2[0]
        nop
end:    nop
        halt
"""


@pytest.mark.parametrize("name", ["loop0.remaining", "loop0.end", "loop0.start"])
@pytest.mark.parametrize("value", [0, 1, 2, 3, 5, 0xFFFF])
def test_the_host_changes_a_loop(name: str, value: int, both: Both) -> None:
    both.load(WAITING, m2=bytes(15) + b"\1")
    both.run()
    for _ in range(4):
        both.resume()
    timelines = [engine.backend.timeline() for engine in both.engines]
    for timeline in timelines:
        timeline.poke_number(name, value)
    del timeline, timelines
    for _ in range(6):
        if both.resume(4 * MARGIN).state != "waiting":
            break


def test_the_host_makes_loops(both: Both) -> None:
    """More of them, and none."""
    both.load("nop\n nop\n wait\n add32 v0, v0, m2[0]\n nop\n nop\n halt", m2=bytes(15) + b"\1")
    for loops in (2, 1, 0, 4):
        both.run(times=2)

        def poke(engine: Engine, loops: int = loops) -> None:
            timeline = engine.backend.timeline()
            timeline.poke_number("loops", loops)
            for n in range(loops):
                timeline.poke_number(f"loop{n}.start", 3)
                timeline.poke_number(f"loop{n}.end", 4 + n)
                timeline.poke_number(f"loop{n}.remaining", 3)

        for engine in both.engines:
            poke(engine)
        assert both.resume(4 * MARGIN).state == "halted"


def test_more_states_of_the_interlock_than_are_kept_for_a_block(both: Both) -> None:
    """Each caller leaves others of memories and the flag to wait for, in another order."""
    late = [*(f"mov m{n}[0x40], v{n}" for n in range(4)), "cmp v0, v1"]
    calls = ["\n".join([*found, "call routine\n"]) for found in product(late, repeat=3)]
    reads = "".join(f"mov v{n}, m{n}[0x40]\n" for n in range(4))
    routine = f"routine: {reads} bf found\n nop\nfound: add32 v4, v4, m2[0]\n ret"
    both.load(f"repeat 8, end\n {' '.join(calls)} nop\nend: halt\n{routine}", m2=bytes(15) + b"\1")
    for _ in range(3):
        assert both.run().state == "halted"


def test_a_program_of_more_blocks_than_there_is_memory_for(both: Both) -> None:
    """It is translated again for each kind of tables, until the rest is interpreted."""
    branches = "".join(f"l{n}: aradd ar0, ar0, 1\n bnz ar0, l{n + 1}\n" for n in range(500))
    both.load(f"{branches}l500: add32 v0, v0, m2[0]\n halt", m2=bytes(15) + b"\1")
    for table in range(8):
        both.write("t0", 0, bytes([table, 2 * table] * 8 if table % 2 else [table] * 16))
        for _ in range(3):
            assert both.run().state == "halted"


def test_a_machine_without_the_level_says_so() -> None:
    assert not _iss.Machine().translate("avx1024", 1)
