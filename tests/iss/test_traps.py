"""A trap is explained with the values that made the program trap, on every engine."""

from __future__ import annotations

import pytest

import lutra
from lutra.isa import load
from lutra.isa.records.machine import TRAP_VALUES
from lutra.iss.traps import Trapped, explain

ENGINES = lutra.engine.names()


def repeat_to(last: int) -> int:
    """The word of a REPEAT with this last instruction; the assembler refuses it where it would trap."""
    return lutra.assemble_text("repeat 2, end\n" + " nop\n" * last + "end: nop").program[0]


BEYOND = "address-out-of-range: a 16-byte access does not lie within its memory block: "
NESTED = (
    "loop-nesting: a REPEAT is, or ends at, the last instruction of the loop around it, or ends before its body: "
    "its last instruction would be "
)
EXPLAINED = {
    "data slot by register": (
        "arset ar3, 0xff8\n mov v0, m2[ar3]",
        f"{BEYOND}data slot at m2[0x0ff8] (ar3 = 0x0ff8), m2 has 0x1000 bytes",
    ),
    "store slot by register": (
        "arset ar7, 0xffff\n mov m3[ar7++], v0",
        f"{BEYOND}store slot at m3[0xffff] (ar7 = 0xffff), m3 has 0x1000 bytes",
    ),
    "key slot of two blocks": (
        "arset ar1, 0x1000\n aesenc2 v0, v1, m0:m1[ar1++]",
        f"{BEYOND}key slot at m0:m1[0x1000] (ar1 = 0x1000), m0:m1 has 0x1000 bytes",
    ),
    "the second of two accesses": (
        "arset ar1, 0x2000\n xor m3[ar1], m2[ar0], v1",
        f"{BEYOND}store slot at m3[0x2000] (ar1 = 0x2000), m3 has 0x1000 bytes",
    ),
    "store into a table beyond its end": (
        "arset ar2, 0x1000\n mov t1[ar2], v0",
        f"{BEYOND}store slot at t1[0x1000] (ar2 = 0x1000), t1 has 0x1000 bytes",
    ),
    "store into both tables between rows": (
        "arset ar2, 0x18\n mov t0:t1[ar2], v0",
        "table-misaligned: a table write must be at a multiple of 16: store slot at t0:t1[0x0018] (ar2 = 0x0018)",
    ),
    "no instruction": (
        ".insn 0x1234",
        "illegal-instruction: the word is not an instruction of this machine: .insn 0x0000000000001234",
    ),
    "a jump out of the program memory": (
        "jmp 0x400",
        "fetch-out-of-range: the program counter left the program memory: 0x0400, it has 1024 words",
    ),
    "a fifth loop": (
        lutra.Image([repeat_to(last) for last in range(9, 4, -1)]),
        "loop-stack-overflow: more REPEATs are nested than the loop stack holds: 4",
    ),
    "a body that ends before it begins": (
        lutra.Image([*lutra.assemble_text("nop\n nop\n nop").program, repeat_to(2)]),
        f"{NESTED}0x0002",
    ),
    "a call within four": (
        "call a\na: call b\nb: call c\nc: call d\nd: call e\ne: halt",
        "call-stack-overflow: more calls are nested than the call stack holds: 4",
    ),
    "a return without a call": ("ret", "call-stack-underflow: a return without a call"),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("source", "text"), EXPLAINED.values(), ids=EXPLAINED)
def test_a_trap_is_explained_with_its_values(engine: str, source: str | lutra.Image, text: str) -> None:
    machine = lutra.make_engine(engine)
    machine.load(lutra.assemble_text(source) if isinstance(source, str) else source)
    assert machine.run(0).state == "trapped"
    assert explain(machine) == text


def test_every_cause_is_explained_above() -> None:
    assert {t.name for t in load().traps if not t.by_fault} == {
        text.partition(":")[0] for _, text in EXPLAINED.values()
    }


def test_an_instruction_that_needs_the_second_half_is_named_where_there_is_none() -> None:
    machine = lutra.make_engine("iss", rounds=1)
    machine.load(lutra.assemble_text("aesenc2 v0, v1, m0:m1[ar1]"))
    machine.run(0)
    insn = "aesenc2 v0, v1, m0:m1[ar1]"
    assert explain(machine).endswith(f"not an instruction of this machine: {insn}; it needs --rounds 2")


def test_what_has_not_trapped_is_not_explained() -> None:
    machine = lutra.make_engine("iss")
    machine.load(lutra.assemble_text("halt"))
    machine.run(0)
    assert explain(machine) == ""


def test_every_value_that_the_isa_may_show_has_a_text() -> None:
    machine = lutra.make_engine("iss")
    machine.load(lutra.assemble_text("arset ar3, 0xff8\n mov m2[ar3], v0"))
    machine.run(0)
    values = {name: Trapped(machine).value(name) for name in (*TRAP_VALUES, *load().machine)}
    assert values["outside_space"] == "m2" and values["pc"] == "0x0001" and values["LoopDepth"] == "4"
    assert all(isinstance(text, str) for text in values.values())
