"""The symbolic machine is the simulator: every instruction on unknown values, then with values put in."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Hashable

import pytest

import lutra
from lutra.asm import AsmError
from lutra.isa import Insn, load
from lutra.prove import atoms
from lutra.prove.affine import Affine
from lutra.prove.atoms import Values
from lutra.prove.bits import Bits
from lutra.prove.errors import Unprovable
from lutra.prove.executor import run
from lutra.prove.machine import Machine, code
from lutra.prove.memory import Bank, Memory
from support.only import only
from support.operands import forms

ISA = load()
TRIALS = 6
VECTORS = (*(f"v{n}" for n in range(8)), "ctr", "wk", "hold")
HASH = ("gh", "gx", "gy")

# Everything that an instruction reads comes from rows of m2 and m3. The input of the hash unit is loaded last.
SET_UP = "\n".join(
    [
        *(f"mov {name}, m2[{16 * n}]" for n, name in enumerate(VECTORS[:-1])),
        "cam2 {v6, v7}, v6, v7, m0:m1[0], {hold, m2[0xa0]}",
        "ghkey m2[0xb0]",
        "ghset m2[0xc0]",
        *["ghstep"] * 2,
        *(f"ctxld c{c}, {n}, m2[{0x100 + 96 * c + 16 * n}]" for c in range(2) for n in range(6)),
        *(f"arset ar{n}, {0x300 + 0x50 * n}\narstep ar{n}, 16\narwin ar{n}, 0x40, 0x800" for n in range(8)),
    ]
)


def memories(rng: random.Random, known: bool) -> dict[str, bytes]:
    """Contents; known: of use as a control vector, too."""
    contents = {f"m{n}": bytearray(rng.randbytes(4096)) for n in range(4)}
    if known:
        for at in range(4096):
            contents["m2"][at] = rng.choice([rng.randrange(16), 0x80])
    for n in range(2):
        # Words of ZUC's LFSR have 31 bits and are not zero; with the first bit, SNOW 3G's have all.
        for at in range(0x100 + 96 * n, 0x140 + 96 * n, 4):
            contents["m2"][at] |= 1
    return {name: bytes(data) for name, data in contents.items()}


def symbolic(program: list[int], tables: list[bytes], known: dict[str, bytes]) -> Machine:
    """Run a program on unknown memories."""
    machine = Machine(memories=[Memory(f"m{n}", 4096) for n in range(4)], banks=[Bank("t0"), Bank("t1")])
    for memory in machine.memories:
        if memory.name in known:
            memory.write(Affine(0), Bits.of(known[memory.name]), {})
    for bank, contents in zip(machine.banks, tables, strict=True):
        for row in range(256):
            bank.write(row, Bits.of(contents[16 * row : 16 * row + 16]))
    return run(machine, program)


def compare(machine: Machine, engine: lutra.Engine, values: Values, text: str) -> None:
    """Every register and every byte of memory that the symbolic machine knows."""

    def value(bits: Bits) -> int:
        return values.number(bits)

    registers = engine.registers()
    for number, name in enumerate(VECTORS):
        got = value(machine.vector(code("HOLD") if name == "hold" else number)).to_bytes(16, "big")
        assert got == registers[name].value, (text, name)
    for name in HASH:
        assert value(getattr(machine.hash, name)).to_bytes(16, "big") == registers[name].value, (text, name)
    for n in range(8):
        assert machine.register(n).constant == registers[f"ar{n}"].value, (text, n)
    if machine.flag is not None and machine.flag.known:
        assert machine.flag.value == registers["flag"].value
    for memory in machine.memories:
        for parts in memory.written().values():
            data = engine.read(memory.name, 0, 4096)
            assert all(value(byte) == data[at] for at, byte in parts.items()), (text, memory.name)
    for bank in machine.banks:
        data = engine.read(bank.name, 0, 4096)
        assert all(value(row).to_bytes(16, "big") == data[16 * n : 16 * n + 16] for n, row in bank.rows.items()), text


def named(contents: dict[str, bytes]) -> Callable[[Hashable], int]:
    """The value of an unknown bit of a memory."""

    def of(name: Hashable) -> int:
        (space, _, _, at), place = name  # type: ignore[misc]
        return contents[space][at] >> (7 - place) & 1

    return of


def statement(insn: Insn, rng: random.Random) -> str:
    """The instruction with one of the forms of each operand."""
    operands = [o for o in insn.operands if not o.optional or rng.random() < 0.5]
    return f"{insn.mnemonic} {', '.join(rng.choice(forms(ISA, insn, o)) for o in operands)}"


@pytest.mark.parametrize("insn", only(ISA.instructions, lambda i: i.vector), ids=lambda i: i.name)
def test_unknown_values_are_computed_as_the_simulator_computes_them(insn: Insn) -> None:
    rng = random.Random(insn.name)
    done = 0
    for trial in range(40):
        if done == TRIALS:
            break
        text = statement(insn, rng)
        try:
            program = lutra.assemble_text(f"{SET_UP}\n{text}\nhalt", warnings=["no-all"]).program
        except AsmError:
            continue
        known = insn.name in ("PERM", "TBLP") or (insn.name == "VTOAR")
        contents, tables = memories(rng, known), [rng.randbytes(4096) for _ in range(2)]
        engine = lutra.make_engine("iss")
        for space, data in [*contents.items(), ("t0", tables[0]), ("t1", tables[1])]:
            engine.write(space, 0, data)
        engine.write("pm", 0, struct.pack(f"<{len(program)}Q", *program))
        stop = engine.run(0, 10_000)
        if stop.state != "halted":
            continue
        with atoms.fresh() as universe:
            machine = symbolic(program, tables, contents if known else {})
            compare(machine, engine, universe.values(named(contents)), text)
        done += 1
    assert done == TRIALS or insn.name in UNREACHED
    assert trial < 39


# Instructions that are outside of the method, and trap to `Unprovable`.
UNREACHED: dict[str, str] = {}
