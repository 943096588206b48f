"""The performance counters have one width on both sides: programs that run across a counter's wrap."""

from __future__ import annotations

import pytest

import lutra
from lutra.isa import load
from lutra.iss.engine import Stop

ISA = load()
PERF, STALL = 1 << ISA.machine["PerfBits"], 1 << ISA.machine["StallBits"]
# Reads that wait for a store, and a transfer: cycles, instructions and two causes of stalls pass their wraps.
SOURCE = "repeat 20, .L\nmov m3[0], v0\nmov v0, m3[0]\n.L: jmp .L_end\nnop\n.L_end: halt"
ROUNDS = ISA.configuration.rounds


def ran(name: str, rounds: int, cycles: int = 0, instructions: int = 0, stalls: int = 0) -> Stop:
    """The program, with so many counted before; its records are compared in lock-step."""
    engine = lutra.make_engine(name, rounds)
    engine.load(lutra.assemble_text(SOURCE, warnings=["no-all"]))
    engine.start(0)
    engine.step()
    engine.backend.add_counts(cycles, instructions, [stalls] * len(ISA.stalls))
    return engine.go()


@pytest.mark.parametrize("name", ["iss", "rtl", "cosim"])
@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_counter_wraps_at_its_width(name: str, rounds: int) -> None:
    plain = ran(name, rounds)
    assert plain.state == "halted" and any(plain.stalls.values())
    # All bits of each counter carry, and the last bit that it has is lost.
    wrapped = ran(name, rounds, PERF - plain.cycles + 1, PERF - plain.instructions, STALL - 1)
    assert (wrapped.cycles, wrapped.instructions) == (1, 0)
    assert wrapped.stalls == {cause: (count - 1) % STALL for cause, count in plain.stalls.items()}


@pytest.mark.parametrize("name", ["iss", "rtl", "cosim"])
def test_no_bit_of_a_counter_is_missing(name: str) -> None:
    plain = ran(name, 0)
    full = ran(name, 0, PERF // 2, PERF // 2, STALL // 2)
    assert (full.cycles, full.instructions) == (PERF // 2 + plain.cycles, PERF // 2 + plain.instructions)
    assert full.stalls == {cause: STALL // 2 + count for cause, count in plain.stalls.items()}


def test_start_clears_a_counter_that_has_wrapped() -> None:
    engine = lutra.make_engine("cosim")
    engine.load(lutra.assemble_text("halt"))
    plain = engine.run(0)
    engine.start(0)
    engine.backend.add_counts(PERF - 1, PERF - 1, [STALL - 1] * len(ISA.stalls))
    engine.go()
    assert engine.run(0) == plain
