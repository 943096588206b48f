"""Every way to read a memory meets a row or word that is wrong: what becomes of it, in the core that is built.

A core with check bits finds it; one without goes on, as its simulator does.
"""

from __future__ import annotations

import pytest

import lutra
from lutra import EngineError
from lutra.isa import load
from lutra.iss.engine import Engine
from lutra.iss.fault import Fault

CONFIGURATION = load().configuration
FOUND = "faulted" if CONFIGURATION.protect else "halted"

# An instruction, and the memory whose first row, or lanes of whose bank, it reads. The simulator does not check what a
# stream context looks up.
READS = [
    ("aesencf v1, v0, m0[0]", "m0"),
    ("perm v1, m1[0], v0", "m1"),
    ("mov v1, m2[0]", "m2"),
    ("mov v1, m3[0]", "m3"),
    ("tbl0 v1, v0", "t0"),
    ("tbl1 v1, v0", "t1"),
    ("snow c0", "t0"),
    ("snow c1", "t1"),
]


def core(source: str, rounds: int, name: lutra.engine.EngineName = "cosim") -> Engine:
    engine = lutra.make_engine(name, rounds)
    engine.load(lutra.assemble_text(source, warnings=["no-all"]))
    return engine


@pytest.mark.parametrize(("read", "memory"), READS, ids=[read for read, _ in READS])
@pytest.mark.parametrize("rounds", [1, 2])
def test_an_instruction_that_reads_a_wrong_row_is_stopped_by_a_core_with_checks(
    read: str, memory: str, rounds: int
) -> None:
    name: lutra.engine.EngineName = "rtl" if read.startswith("snow") else "cosim"
    engine = core(f"{read}\nnop\nnop\nnop\nmov m3[16], v1\nhalt", rounds, name)
    for row in range(256 if memory in ("t0", "t1") else 1):  # a look-up may go anywhere
        engine.inject(Fault(0, memory, str(16 * row), 1))
    assert engine.run(0, 1000).state == FOUND


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_wrong_word_is_stopped_by_a_core_with_checks(rounds: int) -> None:
    engine = core("nop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nhalt", rounds)
    engine.inject(Fault(0, "pm", "6", 0x100))
    assert engine.run(0, 1000).state in ({"faulted"} if CONFIGURATION.protect else {"halted", "trapped"})


@pytest.mark.parametrize("space", ["m0", "m1", "m2", "m3", "t0", "t1", "pm"])
@pytest.mark.parametrize("rounds", [1, 2])
def test_the_host_reads_zeros_for_a_wrong_row_of_a_core_with_checks(space: str, rounds: int) -> None:
    engine = core("halt", rounds, "rtl")
    width = 8 if space == "pm" else 16
    wrong = bytes([0x5B]) + b"\x5a" * (width - 1)
    engine.write(space, 9 * width, b"\x5a" * width)
    place = 9 if space == "pm" else 9 * width
    engine.inject(Fault(engine.run(0, 1000).cycles, space, str(place), 1))
    engine.read("m1" if space == "m0" else "m0", 0, 16)  # the cycle in which the bit flips
    assert engine.read(space, 9 * width, width) == (bytes(width) if CONFIGURATION.protect else wrong)
    assert engine.backend.alert == CONFIGURATION.protect


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_wrong_row_that_the_host_reads_ends_a_program_of_a_core_with_checks(rounds: int) -> None:
    engine = core("repeat 20000, .L_end\nmov m0[0], v0\nnop\n.L_end: halt", rounds, "rtl")
    engine.write("m2", 16, b"\x5a" * 16)
    engine.start(0)
    engine.step()
    engine.inject(Fault(engine.stop().cycles + 1, "m2", "16", 1))
    engine.read("m1", 0, 32)
    got = engine.read("m2", 16, 16)
    assert got == (bytes(16) if CONFIGURATION.protect else b"\x5b" + b"\x5a" * 15)
    assert engine.go(100_000).state == FOUND


@pytest.mark.parametrize("rounds", [1, 2])
def test_an_escalation_ends_a_program_of_a_core_with_a_wipe(rounds: int) -> None:
    engine = core("repeat 20000, .L_end\nmov m0[0], v0\nnop\n.L_end: halt", rounds)
    assert engine.run(0, 50).state == "running"
    if CONFIGURATION.wipe:
        engine.escalate()
        assert engine.stop().state == "locked"
    else:
        with pytest.raises(EngineError, match="no wipe"):
            engine.escalate()
