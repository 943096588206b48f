"""A divergence stops before the instruction in which simulator and core differ, and can be gone back from."""

from __future__ import annotations

import importlib

import pytest

import lutra
from lutra.debug import Session
from lutra.debug.commands import CommandState, execute
from lutra.iss import engine as engines
from lutra.iss.engine import Engine
from support.debugging import open_session

PROGRAM = """\
main:   arset   ar0, 0x20
        repeat  300, l
        nop
l:      nop
        mov     v1, m2[ar0++]
        xor     v2, v1, m2[ar0]
        mov     m3[0], v2
        halt
"""


@pytest.fixture
def flawed(monkeypatch: pytest.MonkeyPatch) -> Session:
    """A session on a lock-step whose core has another bit in m2."""

    def make(rounds: int) -> Engine:
        engine = lutra.make_engine("cosim", rounds)
        engine.backend.rtl.write(engine.isa.space_by_name["m2"].code, 0x3F, b"\x01")
        return engine

    # An import within the test would register the lock-step in the copy only.
    importlib.import_module("lutra.cosim")
    monkeypatch.setattr(engines, "_factories", dict(engines._factories))
    engines.register("flawed", make)
    return open_session(PROGRAM, "flawed")


def test_a_divergence_stops_before_its_instruction_with_both_effects(flawed: Session) -> None:
    stop = flawed.moves.go()
    assert (stop.kind, stop.text) == ("divergence", "simulator and RTL diverge: the retirements differ")
    assert "- simulator: rd:v2=00000000000000000000000000000000" in stop.detail
    assert "+ RTL      : rd:v2=00000000000000000000000000000001" in stop.detail
    assert flawed.inspect.where().instruction == "xor v2, v1, m2[ar0]"


def test_a_divergence_is_gone_back_from_and_met_again(flawed: Session) -> None:
    flawed.moves.go()
    assert flawed.moves.step_back(2).kind == "step"
    assert flawed.inspect.where().label == "l"
    writer = flawed.history.last_writer("ar0")
    assert writer is not None
    assert writer.instruction == "arset ar0, 0x20"
    assert [flawed.moves.step(2).kind, flawed.inspect.where().instruction] == ["step", "xor v2, v1, m2[ar0]"]
    assert flawed.moves.step().kind == "divergence"
    flawed.moves.restart()
    assert flawed.inspect.where().time == 0
    assert flawed.moves.go().kind == "divergence"


def test_a_breakpoint_before_a_divergence_stops_first(flawed: Session) -> None:
    flawed.breakpoints.add("l+1")
    assert [flawed.moves.go().kind for _ in range(3)] == ["breakpoint", "divergence", "divergence"]


def test_the_command_prints_the_report(flawed: Session) -> None:
    lines = execute(CommandState(flawed), "continue").splitlines()
    assert lines[0] == "simulator and RTL diverge: the retirements differ"
    assert lines[-1] == "   6            xor     v2, v1, m2[ar0]"
    assert any("the instructions before it, on which both agree" in line for line in lines)
