"""A reset clears the state of a program and keeps its data; where the core wipes itself then, nothing is left."""

from __future__ import annotations

import pytest

import lutra
from injection.leftovers import MEMORIES, fill, left
from lutra.isa import load

ONES = b"\xff" * 16
REGISTERS = [*(f"v{n}" for n in range(8)), "wk"]
LEAVE = "\n".join(
    [
        *(f"arset ar{n}, {0x111 * (n + 1)}\narstep ar{n}, 0x40\narwin ar{n}, 0x50, 0x90" for n in range(8)),
        "ctrw 32",
        *(f"mov {name}, m2[0]" for name in [*REGISTERS, "ctr"]),
        *(f"ctxld c{c}, {row}, m2[0]" for c in range(2) for row in range(6)),
        "cmp v0, v1",
        "notify 77",
        "repeat 5, .L_end",
        "call inner",
        ".L_end: nop",
        "inner: repeat 3, .L_stop",
        "nop",
        ".L_stop: mov m3[ar6], v0",  # beyond the memory: traps within loops and a call
    ]
)
# A program with these two shows the flag and the width of the counter.
SHOW = "mov ctr, m2[0]\nmov m3[0], ctr++\nmov m3[0], ctr\nbf .L_set\nhalt\n.L_set: notify 1\nhalt"
CLEARED = ("flag", "loops", "loop", "calls", "call", "notify", "resume")
WIDTH = ("ctr.width", 128)
WIPES = load().configuration.wipe


def registers(engine: lutra.Engine) -> dict[str, int | bytes]:
    return {name: register.value for name, register in engine.registers().items()}


def nothing(value: int | bytes) -> bool:
    return not (any(value) if isinstance(value, bytes) else value)


def is_cleared(name: str) -> bool:
    return name.partition(".")[0].rstrip("0123456789") in CLEARED


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("name", ["iss", "rtl", "cosim"])
def test_the_state_of_a_program_is_gone_and_its_data_are_not(name: lutra.engine.EngineName, rounds: int) -> None:
    engine = lutra.make_engine(name, rounds)
    engine.load(lutra.assemble_text(LEAVE))
    engine.write("m2", 0, ONES)
    assert engine.run(0).state == "trapped"
    before = registers(engine)
    assert not any(nothing(before[r]) for r in (*REGISTERS, "ctr", "ar7", "ar7.step", "notify", "loops", "calls"))
    engine.reset()
    stop = engine.stop()
    assert (stop.state, stop.pc, stop.trap, stop.notified) == ("idle", 0, "", 0)
    assert (stop.cycles, stop.instructions, sum(stop.stalls.values())) == (0, 0, 0)
    after = registers(engine)
    assert after.pop(WIDTH[0]) == WIDTH[1]
    for register, value in after.items():
        assert nothing(value) if WIPES or is_cleared(register) else value == before[register], register
    assert engine.read("m2", 0, 16) == (bytes(16) if WIPES else ONES)

    engine.write("pm", 0, b"".join(w.to_bytes(8, "little") for w in lutra.assemble_text(SHOW).program))
    engine.write("m2", 0, ONES)
    # The clocks of the accesses do not bring it back.
    stop = engine.stop()
    assert (stop.pc, stop.cycles, stop.instructions) == (0, 0, 0)
    stop = engine.run(0)
    assert (stop.state, stop.notified) == ("halted", 0)
    assert engine.read("m3", 0, 16) == b"\0" * 16, "the counter counts in all of its bits"


@pytest.mark.parametrize("rounds", [1, 2])
def test_simulator_and_core_agree_after_a_reset_of_a_program_that_runs(rounds: int) -> None:
    engine = lutra.make_engine("cosim", rounds)
    for cycles in range(8, 60):
        engine.load(lutra.assemble_text(LEAVE))
        engine.write("m2", 0, ONES)
        engine.run(0, cycles)
        engine.reset()
        engine.load(lutra.assemble_text(LEAVE))
        engine.write("m2", 0, ONES)
        assert engine.run(0).state == "trapped"


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("name", ["iss", "rtl", "cosim"])
def test_the_clearing_program_leaves_nothing_in_a_register(name: lutra.engine.EngineName, rounds: int) -> None:
    engine = lutra.make_engine(name, rounds)
    fill(engine)
    engine.clear()
    assert engine.stop().state == "idle"
    assert set(left(engine)) <= set(MEMORIES)
