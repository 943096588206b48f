"""The lock-step finds a difference, and its report says what, where, and what came before."""

from __future__ import annotations

import pytest

import lutra

PROGRAM = """
        .global main
main:   arset ar0, 0x20
        mov v1, m2[ar0++]
        xor v2, v1, m2[ar0]
        mov m3[0], v2
        halt
"""


def disturbed(space: str, offset: int, data: bytes) -> lutra.Engine:
    """A lock-step whose RTL alone has other memory contents."""
    engine = lutra.make_engine("cosim")
    engine.load(lutra.assemble_text(PROGRAM, name="program.s"))
    engine.write("m2", 0, bytes(4096))
    code = next(s.code for s in engine.isa.spaces if s.name == space)
    engine.backend.rtl.write(code, offset, data)
    return engine


def test_register_difference_is_reported_with_place_and_history() -> None:
    with pytest.raises(lutra.Divergence) as caught:
        disturbed("m2", 0x3F, b"\x01").run(0)
    report = str(caught.value)
    assert "xor v2, v1, m2[ar0]" in report.splitlines()[1]
    assert "program.s:5" in report
    assert f"- simulator: rd:v2={'00' * 16}" in report
    assert f"+ RTL      : rd:v2={'00' * 15}01" in report
    history = report[report.index("before it") :]
    assert "arset ar0" in history and "mov v1, m2[ar0++]" in history and "xor" not in history


def test_a_difference_that_shows_later_is_reported_where_it_shows() -> None:
    with pytest.raises(lutra.Divergence, match="mov v1"):
        disturbed("m2", 0x20, b"\xff").run(0)


def test_another_instruction_in_the_rtl_is_a_divergence() -> None:
    nop = lutra.assemble_text("nop").program[0].to_bytes(8, "little")
    with pytest.raises(lutra.Divergence) as caught:
        disturbed("pm", 3 * 8, nop).run(0)
    assert "- simulator: store" in str(caught.value) and "+ RTL      : no store" in str(caught.value)


def test_memory_is_compared_when_read() -> None:
    engine = disturbed("m1", 7, b"\x01")
    with pytest.raises(lutra.Divergence, match="memory contents differ at byte 7"):
        engine.read("m1", 0, 16)


def test_a_program_that_ends_earlier_in_the_rtl_is_a_divergence() -> None:
    halt = lutra.assemble_text("halt").program[0].to_bytes(8, "little")
    with pytest.raises(lutra.Divergence):
        disturbed("pm", 2 * 8, halt).run(0)


def test_the_state_of_a_stream_context_is_compared() -> None:
    engine = lutra.make_engine("cosim")
    engine.load(lutra.assemble_text("nop\nsnow c0\nhalt"))
    engine.write("t0", 0, bytes(4096))
    code = next(s.code for s in engine.isa.spaces if s.name == "t0")
    engine.backend.rtl.write(code, 4, b"\x01")  # SQ, lane 4: only r3 shows it
    with pytest.raises(lutra.Divergence) as caught:
        engine.run(0)
    report = str(caught.value)
    assert "snow c0" in report.splitlines()[1]
    assert "- simulator: contexts:c0=" in report and "+ RTL      : contexts:c0=" in report
