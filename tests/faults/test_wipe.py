"""A wipe on the simulator: what it leaves, when it is done, and what the host sees of a locked machine."""

from __future__ import annotations

import pytest

import lutra
from injection.leftovers import DATA, HOLD, MEMORIES, fill, left
from injection.programs import CIPHERS, faulty, machine
from lutra.iss.engine import Engine, EngineError, Simulator
from lutra.iss.fault import Fault


def wiping(rounds: int = 2, key_rows: int = 0) -> Engine:
    return Simulator(rounds, shadow_words=5, wipe=True, key_rows=key_rows)


def is_wiped(engine: Engine) -> bool:
    return left(engine) == [] and engine.stop().cycles == 0 and engine.stop().instructions == 0


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_wipe_leaves_nothing_but_the_programs(rounds: int) -> None:
    engine = wiping(rounds)
    fill(engine)
    assert {*left(engine)} == {*engine.registers(), *MEMORIES} - (set() if HOLD[rounds] else {"hold"})
    words = engine.read("pm", 0, engine.size("pm"))
    engine.wipe()
    assert engine.stop().state == "idle" and is_wiped(engine)
    assert engine.read("pm", 0, engine.size("pm")) == words
    assert engine.run(0).state == "waiting"


def test_a_reset_and_a_fault_wipe_too() -> None:
    engine = wiping()
    fill(engine)
    engine.reset()
    assert engine.stop().state == "idle" and is_wiped(engine)
    for cipher in CIPHERS:
        struck = wiping()
        words = machine(cipher, 0, 5).read("pm", 0, 8 * 200)
        struck.write("pm", 0, words)
        struck.write("m0", 0, DATA)
        struck.inject(Fault(90, "c0", "s3", 1))
        stop = struck.run(0)
        assert (stop.state, stop.trap, stop.pc) == ("faulted", "context-fault", 0) and is_wiped(struck)
        with pytest.raises(EngineError, match="clear its alert"):
            struck.start(0)
        struck.clear_alert()
        assert struck.stop().state == "idle"
        assert faulty(struck)[0] == "halted"


def test_an_escalation_ends_a_program_and_locks_until_the_reset() -> None:
    engine = wiping()
    fill(engine)
    engine.write("m2", 0, DATA)
    assert engine.run(0, 12).state == "running"
    engine.escalate()
    assert engine.stop().state == "locked" and engine.backend.alert
    for space in (*MEMORIES, "pm"):
        assert not any(engine.read(space, 0, engine.size(space))), space
    with pytest.raises(EngineError, match="locked"):
        engine.start(0)
    with pytest.raises(EngineError, match="locked"):
        engine.wipe()
    with pytest.raises(EngineError, match="not faulted"):
        engine.clear_alert()
    engine.write("m0", 0, DATA)
    engine.escalate()
    assert engine.stop().state == "locked"
    engine.reset()
    assert engine.stop().state == "idle" and is_wiped(engine) and not engine.backend.alert
    assert any(engine.read("pm", 0, 8)), "the program memory is as it was"


def test_a_wipe_is_refused_while_a_program_runs_and_in_a_core_without_one() -> None:
    engine = wiping()
    fill(engine)
    engine.run(0, 12)
    with pytest.raises(EngineError, match="a program runs"):
        engine.wipe()
    plain = Simulator(2, wipe=False)
    for action in (plain.wipe, plain.escalate):
        with pytest.raises(EngineError, match="this core has no wipe"):
            action()


def test_key_rows_are_written_and_not_read() -> None:
    engine = wiping(key_rows=3)
    engine.load(lutra.assemble_text("mov v0, m0[32]\nmov m3[0], v0\nmov v0, m0[48]\nmov m3[16], v0\nhalt"))
    engine.write("m0", 0, DATA[:64])
    assert engine.read("m0", 0, 64) == bytes(48) + DATA[48:64]
    assert engine.read("m0", 40, 16) == bytes(8) + DATA[48:56]
    engine.run(0)
    assert engine.read("m3", 0, 32) == DATA[32:64], "programs read them"
    # The host cannot know what else is in the row.
    engine.write("m0", 36, b"\x55" * 20)
    engine.run(0)
    assert engine.read("m3", 0, 32) == bytes(4) + b"\x55" * 20 + DATA[56:64]
    with pytest.raises(ValueError, match="key rows"):
        Simulator(2, key_rows=257)


def test_a_fault_that_waits_is_forgotten_with_the_rest() -> None:
    engine = wiping()
    engine.load(lutra.assemble_text("repeat 40, .L\nnop\n.L:\nctxst m3[0], c0, 0\nhalt"))
    engine.inject(Fault(30, "c0", "s0", 1))
    engine.wipe()
    assert engine.run(0).state == "halted"
