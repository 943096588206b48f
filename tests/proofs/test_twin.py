"""The symbolic machine is the simulator: every instruction on unknown values, then with values put in."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from typing import Any

import pytest

import lutra
from lutra.asm import AsmError
from lutra.isa import Insn, load
from lutra.prove import atoms, functions
from lutra.prove.affine import Affine
from lutra.prove.bits import Bits
from lutra.prove.errors import Unprovable
from lutra.prove.executor import run
from lutra.prove.machine import Machine, code
from lutra.prove.memory import Memory
from lutra.prove.values import Values
from support.only import only
from support.operands import forms
from support.sampling import sampled

ISA = load()
VECTOR = only(ISA.instructions, lambda i: i.vector)
TRIALS, MOST = 1, 40
VECTORS = (*(f"v{n}" for n in range(8)), "ctr", "wk", "hold")
HASH = ("gh", "gx", "gy")
# Their operand decides where bytes go, or which address is accessed.
KNOWN = {"PERM", "TBLP", "VTOAR"}
# What has no canonical form yet: sums modulo 2^130 - 5, and tables written at unknown rows.
OUTSIDE = {"GPADD", "GPLAST", "GPSTEP", "TBLS"}

# Everything that an instruction reads comes from rows of m2. The input of the hash unit is loaded last.
SET_UP = "\n".join(
    [
        *(f"mov {name}, m2[{16 * n}]" for n, name in enumerate(VECTORS[:-1])),
        "cam2 {v6, v7}, v6, v7, m0:m1[0], {hold, m2[0xa0]}",
        "ghkey m2[0xb0]",
        "ghset m2[0xc0]",
        *(f"ctxld c{c}, {n}, m2[{0x100 + 96 * c + 16 * n}]" for c in range(2) for n in range(6)),
        *(f"arset ar{n}, {0x300 + 0x50 * n}\narstep ar{n}, 16\narwin ar{n}, 0x40, 0x800" for n in range(8)),
    ]
)

# A sum in the hash unit, of which only some know.
STEPS = "ghstep\nghstep"


def memories(rng: random.Random, known: bool) -> dict[str, bytes]:
    """Contents; known: of use as a control vector, too."""
    contents = {f"m{n}": rng.randbytes(4096) for n in range(4)}
    if known:
        contents["m2"] = bytes(rng.choice([rng.randrange(16), 0x80]) for _ in range(4096))
    return contents


def symbolic(program: list[int], tables: list[bytes], known: dict[str, bytes]) -> Machine:
    """Run a program on memories that are unknown, or known."""
    machine = Machine(memories=[Memory(f"m{n}", 4096) for n in range(4)])
    for memory in machine.memories:
        if memory.name in known:
            memory.write(Affine(0), Bits.of(known[memory.name]), {})
    for bank, contents in zip(machine.banks, tables, strict=True):
        for row in range(256):
            bank.write(row, Bits.of(contents[16 * row : 16 * row + 16]))
    machine = run(machine, program)
    machine.hash.load(machine.hash.gx, machine.hash.gy)  # makes the sum now
    return machine


def differences(machine: Machine, engine: lutra.Engine, values: Values) -> list[str]:
    """Registers, and bytes of memory that the symbolic machine has written, which are not the simulator's."""
    registers = engine.registers()
    pairs: list[tuple[str, Bits, object]] = []
    for number, name in enumerate(VECTORS):
        pairs.append((name, machine.vector(code("HOLD") if name == "hold" else number), registers[name].value))
    pairs += [(name, getattr(machine.hash, name), registers[name].value) for name in HASH]
    for n, context in enumerate(machine.contexts):
        rows = [(f"c{n}.{row.name}", context.row(row.code)) for row in ISA.stream_rows]
        pairs += [(name, bits, registers[name].value) for name, bits in rows]
    pairs += [(f"ar{n}", Bits.number(machine.register(n).constant, 16), registers[f"ar{n}"].value) for n in range(8)]
    if machine.flag is not None:
        pairs.append(("flag", machine.flag, registers["flag"].value))
    for memory in machine.memories:
        data = engine.read(memory.name, 0, 4096)
        for parts in memory.written().values():
            pairs += [(f"{memory.name}@{at:#05x}", byte, data[at]) for at, byte in parts.items()]
    for bank in machine.banks:
        data = engine.read(bank.name, 0, 4096)
        pairs += [(f"{bank.name}@{n}", row, data[16 * n : 16 * n + 16]) for n, row in bank.rows.items()]
    return [name for name, bits, right in pairs if not equal(values.number(bits), right)]


def equal(value: int, right: object) -> bool:
    return value == (int.from_bytes(right, "big") if isinstance(right, bytes) else right)


def named(contents: dict[str, bytes]) -> Callable[[Any], int]:
    """Return the value of an unknown bit of a memory by its name."""

    def of(name: Any) -> int:
        (space, _, _, at), place = name
        return int(contents[space][at] >> 7 - place & 1)

    return of


def statement(insn: Insn, rng: random.Random) -> str:
    """The instruction with one of the forms of each operand."""
    operands = [o for o in insn.operands if not o.optional or rng.random() < 0.5]
    return f"{insn.mnemonic} {', '.join(rng.choice(forms(ISA, insn, o)) for o in operands)}"


def trials(insn: Insn, count: int, steps: str = STEPS) -> int:
    """Compare symbolic machine and simulator on forms of an instruction; how many differ. steps: of the hash unit."""
    rng = random.Random(insn.name)
    # Few different lanes, which is faster.
    lanes = [rng.randbytes(256) for _ in range(3)]
    tables = [bytes(lanes[(lane + n) % 3][row] for row in range(256) for lane in range(16)) for n in range(2)]
    hashes = insn.facts.hashes or insn.facts.beside or insn.facts.reads_sum
    before = f"{SET_UP}\n{steps}" if hashes else SET_UP
    done = wrong = 0
    for _ in range(MOST):
        text = statement(insn, rng)
        try:
            program = lutra.assemble_text(f"{before}\n{text}\nhalt", warnings=["no-all"]).program
        except AsmError:  # forms that do not fit each other
            continue
        contents = memories(rng, insn.name in KNOWN)
        engine = lutra.make_engine("iss")
        for space, data in [*contents.items(), ("t0", tables[0]), ("t1", tables[1])]:
            engine.write(space, 0, data)
        engine.write("pm", 0, struct.pack(f"<{len(program)}Q", *program))
        if engine.run(0, 10_000).state != "halted":  # an address outside of its memory
            continue
        with atoms.fresh() as universe:
            machine = symbolic(program, tables, contents if insn.name in KNOWN else {})
            wrong += bool(differences(machine, engine, universe.values(named(contents))))
        done += 1
        if done == count:
            return wrong
    raise AssertionError(f"only {done} forms of {insn.name} run")


MORE = pytest.mark.nightly("two instructions of three; firmware that is proved is run on the simulator, too")


@pytest.mark.parametrize("insn", sampled(VECTOR, 3, MORE), ids=lambda i: i.name)
def test_symbolic_instruction_computes_what_the_simulator_computes(insn: Insn) -> None:
    if insn.name in OUTSIDE:
        with pytest.raises(Unprovable):
            trials(insn, 1)
    else:
        assert trials(insn, TRIALS) == 0


@pytest.mark.parametrize("steps", range(3, 7))
@pytest.mark.parametrize("name", ["GHOUT", "GHADD", "GHSTEP"])
def test_product_of_the_hash_unit_is_that_of_the_simulator(name: str, steps: int) -> None:
    insn = next(i for i in VECTOR if i.name == name)
    assert trials(insn, TRIALS, "\n".join(["ghstep"] * steps)) == 0


@pytest.mark.parametrize(("insn", "function"), [("AESENC2", "mix_columns"), ("ROTX32", "rotate_bits"), ("CRC", "crc")])
def test_broken_path_is_found(insn: str, function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = getattr(functions, function)
    monkeypatch.setattr(functions, function, lambda x, *others: right(x.rotated(1), *others))
    assert trials(next(i for i in ISA.instructions if i.name == insn), TRIALS) > 0
