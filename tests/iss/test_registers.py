"""The registers of a machine: every name of the ISA, with the value that a program has left there."""

from __future__ import annotations

import pytest

import lutra
from lutra.iss.registers import Registers

ROW = bytes(range(0x10, 0x20))
PROGRAM = """
        mov     v3, m0[16]
        mov     wk, v3
        mov     ctr, v3
        ctrw    32
        arset   ar2, 0x1f0
        arstep  ar2, 0x30
        arwin   ar2, 0x100, 0x200
        mov     v7, m0[ar2+=s%]
        ctxld   c1, context_lfsr2, v3
        ctxld   c0, context_buffer, v3
        cmp     v3, v3
        call    first
        halt
first:  repeat  5, done
        repeat  7, inner
        notify  9
        wait
        nop
inner:  nop
        nop
done:   ret
"""


def stopped(source: str, level: str = "") -> lutra.Engine:
    engine = lutra.make_engine("iss")
    image = lutra.assemble_text(source)
    engine.load(image)
    engine.write("m0", 16, ROW)
    if level:
        engine.backend.translate(level, 1)
    engine.run(image.entry)
    return engine


@pytest.mark.parametrize("level", ["", "portable"])
def test_every_register_shows_what_the_program_left_in_it(level: str) -> None:
    values = {name: register.value for name, register in stopped(PROGRAM, level).registers().items()}
    changed = {name: value for name, value in values.items() if value not in (0, bytes(16))}
    assert changed == {
        "v3": ROW,
        "ctr": ROW,
        "ctr.width": 32,
        "wk": ROW,
        "ar2": 0x100,
        "ar2.step": 0x30,
        "ar2.start": 0x100,
        "ar2.end": 0x200,
        "flag": 1,
        "c0.context_buffer": ROW,
        "c1.context_lfsr2": ROW,
        "loops": 2,
        "loop0.start": 15,
        "loop0.end": 17,
        "loop0.remaining": 7,
        "loop1.start": 14,
        "loop1.end": 19,
        "loop1.remaining": 5,
        "calls": 1,
        "call0.return": 12,
        "notify": 9,
        "resume": 17,
    }


def test_registers_stand_in_the_order_of_the_isa_and_begin_with_zero() -> None:
    engine = lutra.make_engine("iss")
    registers = engine.registers()
    isa = engine.isa
    names = [register.name for register in registers.values() if register.name == register.base]
    vectors = [name for name in isa.vector_by_name if name in names]
    assert names[: len(vectors)] == sorted(vectors, key=lambda name: (name[0] != "v", names.index(name)))
    assert set(isa.address_registers) < set(names)
    assert {f"{c}.{row.name}" for c in isa.stream_contexts for row in isa.stream_rows} < set(registers)
    assert [r.name for r in registers.values() if r.value not in (0, bytes(16))] == ["ctr.width"]
    assert registers["ctr.width"].value == 128


def test_the_text_has_a_line_a_register_and_leaves_out_what_no_stack_holds() -> None:
    lines = str(stopped(PROGRAM).registers()).splitlines()
    assert "v3      101112131415161718191a1b1c1d1e1f" in lines
    assert "ar2     0x0100  step 0x0030  start 0x0100  end 0x0200" in lines
    assert "loop1   start 0x000e  end 0x0013  remaining 5" in lines
    assert not any(line.startswith(("loop2", "call1")) for line in lines)
    assert all(len(line) <= 100 for line in lines)
    starts = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert len(starts) == len(set(starts))


def test_a_register_that_does_not_exist_has_no_value() -> None:
    registers = stopped("halt").registers()
    assert isinstance(registers, Registers)
    with pytest.raises(KeyError):
        registers["ar8"]
