"""Operands of retired instructions agree with the machine, and with what the ISA says they read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

import lutra
from lutra.asm.analysis.uses import accesses, instruction, reads
from lutra.cosim.runner import prepare
from lutra.isa import Insn, Way, load
from lutra.iss.operands import Values
from lutra.random import Generator, structured

ISA = load()
BESIDE_SUM = next(b.code for b in ISA.hash_beside if b.record == "BesideSum")
FOLLOWED = ("v", "ar", "ctr", "wk", "hold", "flag")
# The accesses of isa/hazards.td that read registers, in addition to addresses, and what their cells are called.
READ = {
    "LateA": "v{}",
    "LateB": "v{}",
    "EarlyA": "v{}",
    "EarlyB": "v{}",
    "CtrA": "ctr",
    "CtrB": "ctr",
    "CtrMoved": "ctr",
    "WkA": "wk",
    "WkB": "wk",
    "WkEnters": "wk",
    "AddressSource": "ar{}",
    "Branch": "flag",
}


STEPS = 300


def programs(rounds: int = 2, count: int = 6) -> Iterator[lutra.Engine]:
    """Engines before random programs of all kinds."""
    generator = Generator(structured(ISA), rounds=rounds)
    for seed in range(count):
        engine = lutra.make_engine("iss", rounds)
        program = generator.program(seed)
        prepare(engine, program)
        engine.start(program.base)
        yield engine


@pytest.mark.parametrize("rounds", [1, 2])
def test_registers_and_memories_that_are_followed_by_records_are_the_machines(rounds: int) -> None:
    checked = 0
    for engine in programs(rounds):
        values = Values.of(engine)
        for record in islice(engine.records(), STEPS):
            values.follow(record)
            now = {name: register.value for name, register in engine.registers().items()}
            assert all(values.registers[name] == now[name] for name in now if name.rstrip("01234567") in FOLLOWED)
            checked += 1
        for space in ISA.memory_by_block.values():
            assert values.memory(space.name) == engine.read(space.name, 0, engine.size(space.name))
    assert checked > STEPS


def test_the_rows_that_were_read_have_the_contents_that_memory_had() -> None:
    found: set[str] = set()
    for engine in programs():
        values = Values.of(engine)
        for _ in range(STEPS):
            before = {s.name: engine.read(s.name, 0, engine.size(s.name)) for s in ISA.memory_by_block.values()}
            record = engine.step()
            if record is None:
                break
            for name, value in values.inputs(record).items():
                space, bracket, address = name.rstrip("]").partition("[")
                if bracket:
                    at = int(address, 16)
                    assert value == before[space][at : at + 16].hex()
                    found.add(space)
            values.follow(record)
    assert found == {space.name for space in ISA.memory_by_block.values()}


def made(insn: Insn, word: int, way: Way) -> bool:
    """A field that an instruction does not have is fixed as the access needs it."""
    fields = all(insn.get(word, field) == value for field, value in way.fields.items() if field in insn.fields)
    return fields and all(insn.get(word, slot) for slot in way.slots)


def read(insn: Insn, word: int) -> set[str]:
    """The registers that a word reads, as the accesses of hazards say; a third register waits for nothing."""
    stores = "mv" in insn.fields and insn.get(word, "mv") == next(m.code for m in ISA.moves if m.name == "store")
    # The hash unit's sum and a third register are read as late as what a move stores.
    sums = "rc" in insn.fields and "h" in insn.fields and insn.get(word, "h") & BESIDE_SUM
    return ({f"v{insn.get(word, 'rc')}"} if stores or sums or insn.facts.third else set()) | {
        name.format(cell)
        for access, name in READ.items()
        for cell in insn.accesses.get(access, ())
        for way in ISA.access_by_name[access].ways[cell]
        if made(insn, word, way)
    }


def test_inputs_are_the_registers_that_the_instruction_reads() -> None:
    seen: set[str] = set()
    for engine in programs():
        words = {record.insn for record in engine.records() if "trap" not in record.fields}
        for word in words:
            insn = instruction(word)
            assert insn is not None
            assert set(reads(word).registers) - {"hold"} == read(insn, word), lutra.disassemble(word)
            seen.add(insn.name)
    assert len(seen) > 60


def test_an_access_has_space_and_register_or_address() -> None:
    image = lutra.assemble_text("aesenc2 {v0, t0:t1[ar2++]}, m2[0x40], m0:m1[ar1]\nhalt")
    made = {a.slot: (a.space, a.register, a.address) for a in accesses(image.program[0])}
    assert made == {"key": ("m0:m1", "ar1", 0), "data": ("m2", "", 0x40), "store": ("t0:t1", "ar2", 0)}


def test_what_is_not_known_is_left_out() -> None:
    engine = lutra.make_engine("iss")
    image = lutra.assemble_text("mov v0, m0[0]\nxor v1, v0, v2\nhalt")
    engine.load(image)
    engine.start(0)
    values = Values()
    inputs = []
    for record in engine.records():
        inputs.append(values.inputs(record))
        values.follow(record)
    assert inputs == [{}, {"v0": "00" * 16}, {}]
