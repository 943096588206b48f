"""After every stop and reset the whole state of simulator and core is compared, and any difference is reported."""

from __future__ import annotations

import random
import re

import pytest

import lutra
from injection.leftovers import DATA, FILL, HOLD
from lutra.isa import load

ROUNDS = (1, 2)
ISA = load()
LOOPS, CALLS = ISA.machine["LoopDepth"], ISA.machine["CallDepth"]
VECTORS = [*(f"v{n}" for n in range(ISA.machine["VectorRegs"])), "wk", "ctr"]


def ready(source: str, rounds: int = 2) -> lutra.Engine:
    engine = lutra.make_engine("cosim", rounds)
    engine.load(lutra.assemble_text(source))
    engine.write("m2", 0, DATA)
    return engine


def in_core_alone(engine: lutra.Engine, source: str) -> None:
    """Registers of the core after a program; the simulator has not run it, memories are as before."""
    core, code = engine.backend.rtl, ISA.program.code
    words = b"".join(word.to_bytes(8, "little") for word in lutra.assemble_text(source).program)
    before = core.read(code, 0, len(words))
    core.write(code, 0, words)
    core.start(0)
    core.run(1000)
    core.write(code, 0, before)


@pytest.mark.parametrize("rounds", ROUNDS)
def test_every_register_of_the_core_is_compared(rounds: int) -> None:
    engine = ready(HOLD[rounds] + FILL, rounds)
    assert engine.run(0).state == "waiting"
    registers = engine.registers()
    assert list(registers.values()) == list(engine.registers().values())
    filled = {name for name, register in registers.items() if register.value not in (0, bytes(16))}
    assert filled == set(registers) - (set() if HOLD[rounds] else {"hold"})
    assert engine.backend.state_differences() == []
    other = ready("halt", rounds)
    clear = other.registers()
    in_core_alone(other, HOLD[rounds] + FILL)
    lines = other.backend.state_differences()
    assert lines == [
        f"register {name}: simulator {clear[name].text}, RTL {registers[name].text}"
        for name in registers
        if name in filled
    ]


WRITES = (
    *((f"mov {name}, m2[0]", [name]) for name in VECTORS),
    ("ctrw 32", ["ctr.width"]),
    *((f"arset ar{n}, 5", [f"ar{n}"]) for n in range(8)),
    *((f"arstep ar{n}, 5", [f"ar{n}.step"]) for n in range(8)),
    *((f"arwin ar{n}, 5, 6", [f"ar{n}.start", f"ar{n}.end"]) for n in range(8)),
    ("cmp v0, v0", ["flag"]),
    *((f"ctxld {c}, {r.name}, m2[0]", [f"{c}.{r.name}"]) for c in ISA.stream_contexts for r in ISA.stream_rows),
    ("ghkey m2[0]", ["gh"]),
    ("ghset m2[0]", ["gx"]),
    ("ghkey m2[0]\nghset m2[0]\nghstep", ["gh", "gx", "gy"]),
    ("gpadd m2[0]", ["gx", "gt"]),
    ("ghkey m2[224]\ngplast m2[224]\ngpstep\ngpstep", ["gh", "gx", "gy", "gt", "gu"]),
    ("notify 3", ["notify"]),
)


@pytest.mark.parametrize(
    ("written", "names", "rounds"),
    [*((*write, rounds) for rounds in ROUNDS for write in WRITES), (HOLD[2], ["hold"], 2)],
)
def test_a_register_that_only_the_core_has_changed_is_reported_after_the_stop(
    written: str, names: list[str], rounds: int
) -> None:
    engine = ready("halt", rounds)
    in_core_alone(engine, f"{written}\nhalt")
    with pytest.raises(lutra.Divergence) as caught:
        engine.run(0)
    assert caught.value.state
    report = str(caught.value).splitlines()
    assert report[0] == "simulator and RTL diverge: the states differ after the stop: halted"
    assert "halt" in report[1]
    assert re.findall(r"register (\S+): simulator", str(caught.value)) == names
    assert len(report) == 2 + len(names)


@pytest.mark.parametrize("rounds", ROUNDS)
@pytest.mark.parametrize("space", [*ISA.memory_by_block.values(), *ISA.bank_by_number.values(), ISA.program])
def test_memory_that_only_the_core_has_changed_is_reported_after_a_trap(space: lutra.isa.Space, rounds: int) -> None:
    engine = ready("ret", rounds)
    bytes_of_entry = 8 if space.is_program else 16
    offset = engine.size(space.name) - bytes_of_entry
    engine.backend.rtl.write(space.code, offset, b"\x5a")
    with pytest.raises(lutra.Divergence) as caught:
        engine.run(0)
    at = offset // 8 if space.is_program else offset
    assert caught.value.state
    report = str(caught.value).splitlines()
    assert report[0].endswith("the states differ after the stop: trap call-stack-underflow")
    assert report[2].startswith(f"  {space.name}[{at:#06x}]: simulator 0") and "5a" in report[2].split("RTL")[1]


@pytest.mark.parametrize("space", [*ISA.memory_by_block.values(), *ISA.bank_by_number.values()])
def test_every_byte_of_a_memory_is_compared(space: lutra.isa.Space) -> None:
    engine = lutra.make_engine("cosim")
    rng = random.Random(space.name)
    before = bytearray(rng.randbytes(engine.size(space.name)))
    engine.write(space.name, 0, bytes(before))
    assert engine.backend.state_differences() == []
    places = [
        *range(16),
        *(16 * row + row % 16 for row in range(len(before) // 16)),
        *rng.choices(range(len(before)), k=64),
    ]
    for at in places:
        engine.backend.rtl.write(space.code, at, bytes([before[at] ^ 0x10]))
        (line,) = engine.backend.state_differences()
        assert line.startswith(
            f"{space.name}[{at & ~15:#06x}]: simulator {before[at & ~15 : (at | 15) + 1].hex()}, RTL "
        )
        engine.backend.rtl.write(space.code, at, bytes([before[at]]))
    assert engine.backend.state_differences() == []


def test_a_write_of_the_simulator_alone_is_reported_too() -> None:
    engine = ready("halt")
    engine.backend.iss.write(ISA.space_by_name["m3"].code, 0x123, b"\x01")
    with pytest.raises(lutra.Divergence, match=r"m3\[0x0120\]: simulator 00000001"):
        engine.run(0)


def test_every_stop_is_compared_a_wait_and_what_follows_too() -> None:
    engine = ready("wait\nmov v1, m2[0]\nhalt")
    engine.run(0)
    engine.backend.iss.write(ISA.space_by_name["t1"].code, 0, b"\x01")
    with pytest.raises(lutra.Divergence, match=r"halted\n.*\n  t1\[0x0000\]"):
        engine.resume()


def test_without_the_comparison_of_the_state_nobody_sees_it() -> None:
    engine = ready("halt")
    engine.backend.compare_state = False
    in_core_alone(engine, "arset ar3, 0x13\nhalt")
    assert engine.run(0).state == "halted"


def test_registers_after_a_reset_are_compared() -> None:
    engine = ready("wait\nhalt")
    engine.run(0)
    assert engine.backend.divergence is None
    engine.reset()
    assert engine.backend.divergence is None and engine.backend.state_differences() == []


@pytest.mark.parametrize("name", ["iss", "rtl", "cosim"])
def test_all_engines_show_the_same_registers(name: lutra.engine.EngineName) -> None:
    engine = lutra.make_engine(name)
    image = lutra.assemble_text(HOLD[2] + FILL)
    engine.load(image)
    engine.write("m2", 0, DATA)
    engine.run(0)
    expected = lutra.make_engine("iss")
    expected.load(image)
    expected.write("m2", 0, DATA)
    expected.run(0)
    assert list(engine.registers().values()) == list(expected.registers().values())
