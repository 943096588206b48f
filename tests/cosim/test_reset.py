"""Reset clears all state but the memories, whatever a program left."""

from __future__ import annotations

import pytest

import lutra

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
# What is left shows in rows 0 on of m3: registers, counter with its width, address registers, a step of zero, a window
# from 0 to 0, contexts.
SHOWN = [
    *(f"mov m3[#], {name}" for name in REGISTERS),
    "mov m3[#], ctr++",
    "mov m3[#], ctr",
    *(f"artov m3[#], ar{n}" for n in range(8)),
    *(f"mov v0, m0[ar{n}+=s]" for n in range(8)),
    *(f"artov m3[#], ar{n}" for n in range(8)),
    *(f"arset ar{n}, 0x30\nmov v0, m0[ar{n}+=s%]\nartov m3[#], ar{n}" for n in range(8)),
    *(f"ctxst m3[#], c{c}, {row}" for c in range(2) for row in range(6)),
]


def show() -> str:
    lines, row = [], 0
    for line in SHOWN:
        lines.append(line.replace("#", str(16 * row)))
        row += "#" in line
    return "\n".join([*lines, "bf .L_set", "halt", ".L_set: notify 1", "halt"])


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("name", ["iss", "rtl", "cosim"])
def test_what_a_program_left_is_gone(name: lutra.engine.EngineName, rounds: int) -> None:
    engine = lutra.make_engine(name, rounds)
    engine.load(lutra.assemble_text(LEAVE))
    engine.write("m2", 0, ONES)
    assert engine.run(0).state == "trapped"
    engine.reset()
    stop = engine.stop()
    assert (stop.state, stop.pc, stop.trap, stop.notified) == ("idle", 0, "", 0)
    assert (stop.cycles, stop.instructions, sum(stop.stalls.values())) == (0, 0, 0)
    engine.load(lutra.assemble_text(show()))
    # The clocks of the accesses do not bring it back.
    stop = engine.stop()
    assert (stop.pc, stop.cycles, stop.instructions) == (0, 0, 0)
    stop = engine.run(0)
    assert (stop.state, stop.notified) == ("halted", 0)
    rows = sum("#" in line for line in SHOWN)
    counted = REGISTERS.index("wk") + 2  # the row of ctr after ctr++
    expected = [b"\0" * 16] * rows
    expected[counted] = (1).to_bytes(16, "big")
    assert engine.read("m3", 0, 16 * rows) == b"".join(expected)
    assert engine.read("m2", 0, 16) == ONES
    # The counter's width is that of reset again: all bits.
    ran = engine.run(put_in_front(engine, "mov ctr, m2[0]\nmov m3[0], ctr++\nmov m3[0], ctr\nhalt"))
    assert ran.state == "halted"
    assert engine.read("m3", 0, 16) == b"\0" * 16


def put_in_front(engine: lutra.Engine, source: str) -> int:
    """Another program in front, memories as they are."""
    image = lutra.assemble_text(source)
    engine.write("pm", 0, b"".join(w.to_bytes(8, "little") for w in image.program))
    return 0
