"""Translated look-ups: by what the tables hold, as long as they hold it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, reduce
from itertools import product
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, modes
from cryptography.hazmat.primitives.ciphers.algorithms import AES

from lutra.firmware import device
from lutra.firmware.device.session import DeviceSession, process
from lutra.firmware.request import Request
from lutra.isa import load
from lutra.iss import translation
from lutra.iss.timeline import Timeline
from lutra.random import Generator, Program, defaults
from models import aes
from support.devices import aes as aes_pack
from support.devices import create, otter
from support.translation import LEVELS, Both

ISA = load()
LANES, ROWS = 16, 256
LOOKUPS = {i.name for i in ISA.instructions if i.facts.lookups}
Table = Sequence[int]


@pytest.fixture(params=LEVELS)
def both(request: pytest.FixtureRequest) -> Both:
    """Simulator and translation of each level."""
    return Both(request.param)


def bank(tables: Sequence[Table]) -> bytes:
    """A bank with a table in each lane, by rows."""
    return bytes(table[row] for row in range(ROWS) for table in tables)


# ------------------------------------------------------------------ kinds of tables


def sbox(x: int) -> int:
    """The S-box of FIPS 197 5.1.1."""
    power = 1
    for _ in range(254):
        power = aes.multiply(power, x)
    return 0x63 ^ power ^ reduce(lambda sum_, n: sum_ ^ (power << n | power >> 8 - n) & 0xFF, range(1, 5), 0)


SBOX = bytes(map(sbox, range(ROWS)))
INVERSE = bytes(SBOX.index(y) for y in range(ROWS))


def linear(rng: random.Random) -> bytes:
    """A map that is linear and has an inverse, by its values."""
    while True:
        columns = [rng.randrange(1, ROWS) for _ in range(8)]
        values = [0]
        for column in columns:
            values += [value ^ column for value in values]
        if len(set(values)) == ROWS:
            return bytes(values)


def affine(rng: random.Random) -> bytes:
    """Inversion between two affine maps: AES's S-box is one already."""
    before, after = linear(rng), linear(rng)
    a, b = rng.randrange(ROWS), rng.randrange(ROWS)
    return bytes(after[SBOX[before[x] ^ a]] ^ b for x in range(ROWS))


def some(rng: random.Random) -> bytes:
    return rng.randbytes(ROWS)


def spread(rng: random.Random, tables: Sequence[bytes], counts: Sequence[int]) -> bytes:
    """A bank with so many lanes of each table, in any order."""
    lanes = [table for table, count in zip(tables, counts, strict=True) for _ in range(count)]
    rng.shuffle(lanes)
    return bank(lanes)


# By name: what makes a bank of this kind.
KINDS = {
    "AesForward": (lambda rng: bank([SBOX] * LANES),),
    "AesInverse": (lambda rng: bank([INVERSE] * LANES),),
    "AffineOne": (lambda rng: bank([affine(rng)] * LANES),),
    "AffineTwo": (
        lambda rng: spread(rng, [affine(rng), affine(rng)], [8, 8]),
        lambda rng: spread(rng, [SBOX, INVERSE], [8, 8]),
    ),
    "AffineFour": (
        lambda rng: spread(rng, [affine(rng) for _ in range(4)], [4, 4, 4, 4]),
        lambda rng: spread(rng, [affine(rng), affine(rng)], [9, 7]),
        lambda rng: spread(rng, [affine(rng) for _ in range(3)], [8, 7, 1]),
        lambda rng: spread(rng, [affine(rng) for _ in range(4)], [1, 1, 6, 8]),
    ),
    "OneTable": (lambda rng: bank([some(rng)] * LANES), lambda rng: bank([linear(rng)] * LANES)),
    "TwoTables": (lambda rng: spread(rng, [some(rng), affine(rng)], [5, 11]),),
    "FourTables": (
        lambda rng: spread(rng, [some(rng) for _ in range(4)], [3, 3, 3, 7]),
        lambda rng: spread(rng, [some(rng) for _ in range(3)], [14, 1, 1]),
        lambda rng: spread(rng, [affine(rng) for _ in range(4)], [9, 5, 1, 1]),
    ),
    "Any": (
        lambda rng: rng.randbytes(LANES * ROWS),
        lambda rng: spread(rng, [some(rng) for _ in range(5)], [12, 1, 1, 1, 1]),
    ),
}


@cache
def looking_up() -> list[Program]:
    """Random programs with all look-ups, that write no table."""
    weights = defaults(ISA)
    for i in ISA.instructions:
        if i.vector and i.name not in LOOKUPS:
            weights[f"insn:{i.mnemonic}"] *= 0.2
    generator = Generator(weights, "mixed", ISA.configuration.rounds[-1])
    nop = ISA.lookup("nop")[0].match
    programs = [generator.program(seed) for seed in range(5)]
    return [replace(p, words=tuple(nop if writes_table(w) else w for w in p.words)) for p in programs]


def writes_table(word: int) -> bool:
    insn = ISA.decode(word)
    if insn is None or "sb" not in insn.fields:
        return insn is not None and insn.mnemonic == "tbls"
    return bool(insn.get(word, "ss")) and any(s.banks and s.code == insn.get(word, "sb") for s in ISA.spaces)


def used(programs: Sequence[Program]) -> set[str]:
    words = {word for program in programs for word in program.words}
    return {found.name for word in words if (found := ISA.decode(word)) is not None}


def test_the_programs_have_every_look_up() -> None:
    assert used(looking_up()) >= LOOKUPS


@pytest.mark.parametrize(("first", "second"), list(product(KINDS, KINDS)))
def test_look_ups_in_tables_of_all_kinds(first: str, second: str) -> None:
    rng = random.Random(f"{first} {second}")
    for level in LEVELS:
        machines = Both(level)
        for program in rng.sample(looking_up(), 2):
            t0, t1 = rng.choice(KINDS[first])(rng), rng.choice(KINDS[second])(rng)
            prepared = replace(program, memory={**program.memory, "t0": t0, "t1": t1})
            assert machines.pair.difference(prepared) is None
            assert machines.contents == (first, second)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "Any"])
def test_one_lane_that_changes_makes_another_kind(kind: str, both: Both) -> None:
    """A byte of a lane, between two runs."""
    rng = random.Random(kind)
    t0 = bytearray(KINDS[kind][0](rng))
    prepared = replace(looking_up()[0], memory={**looking_up()[0].memory, "t0": bytes(t0), "t1": bank([SBOX] * LANES)})
    assert both.pair.difference(prepared) is None
    assert both.contents == (kind, "AesForward")
    for row, lane in ((0, 0), (ROWS - 1, LANES - 1), (rng.randrange(ROWS), rng.randrange(LANES))):
        t0[LANES * row + lane] ^= 1 << rng.randrange(8)
        changed = replace(prepared, memory={**prepared.memory, "t0": bytes(t0)})
        assert both.pair.difference(changed) is None
        assert both.contents[0] != kind or kind == "FourTables"
        t0[LANES * row + lane] = prepared.memory["t0"][LANES * row + lane]


# ------------------------------------------------------------------ firmware and hosts that write tables


def work(label: str) -> str:
    """Encryption and look-ups in a loop that ends before a label."""
    return f"""
        mov     v0, m2[0]
        repeat  200, {label}
        aesenc2 v0, v0, m0:m1[0]
        tbl0    v1, v0
        tbl1    v2, v1
        mov     m3[0], v2
{label}: xor    v0, v0, v1
"""


MEMORIES = {name: random.Random(name).randbytes(256) for name in ("m0", "m1", "m2")}
TABLES = {"t0": bank([SBOX] * LANES), "t1": bank([SBOX] * LANES)}
WRITES = {
    "a row of t0": "mov t0[0x530], m2[0x10]",
    "a row of t1": "mov t1[0x530], m2[0x10]",
    "a row of both": "mov t0:t1[0x530], m2[0x10]",
    "a row by register": "arset ar0, 0x530\n mov t1[ar0++], m2[0x10]",
    "a scatter": "mov v3, m2[0x10]\n tbls v3, zero, v3",
}


@pytest.mark.parametrize("name", WRITES)
def test_firmware_writes_a_table_that_was_recognised(name: str, both: Both) -> None:
    """In the middle of a job, which looks at the tables again when it has not written them for a while."""
    both.load(f"{work('l1')} {WRITES[name]}\n {work('l2')} halt", **MEMORIES, **TABLES)
    both.run()
    assert "Any" in both.contents
    for _ in range(3):
        both.run()
    for space, data in TABLES.items():
        both.write(space, 0, data)
    both.run()
    both.program(f"{work('l3')} halt")
    for space, data in TABLES.items():
        both.write(space, 0, data)
    for _ in range(3):
        both.run()
    assert both.contents == ("AesForward", "AesForward")


@pytest.mark.parametrize("name", WRITES)
def test_firmware_writes_a_table_in_each_turn_of_a_loop(name: str, both: Both) -> None:
    both.load(f"repeat 5, all\n {work('l4')} {WRITES[name]}\n tbl0 v4, v0\n add32 v5, v5, m2[0]\nall: halt", **MEMORIES)
    for tables in ({}, TABLES, {}):
        for space, data in tables.items():
            both.write(space, 0, data)
        for _ in range(3):
            both.run()


@pytest.mark.parametrize("space", ["t0", "t1", "t0:t1"])
@pytest.mark.parametrize("size", [1, 16])
def test_the_host_writes_a_table_between_runs_and_while_waiting(space: str, size: int, both: Both) -> None:
    """One byte of the S-box, or a row."""
    both.load(f"again: {work('l5')} wait\n jmp again", **MEMORIES, **TABLES)
    for _ in range(3):
        assert both.run().state == "waiting"
        assert both.contents == ("AesForward", "AesForward")
        both.write(space, 0x537, b"\x07" * size)
        assert both.resume().state == "waiting"
        changed = [f"t{n}" in space for n in range(2)]
        assert [kind != "AesForward" for kind in both.contents] == changed
        both.write("t0:t1", 0, TABLES["t0"])
        assert both.resume().state == "waiting"
        assert both.contents == ("AesForward", "AesForward")


def test_the_host_writes_another_program_between_runs_and_while_waiting(both: Both) -> None:
    both.load(f"again: {work('l6')} wait\n jmp again\n nop\n nop", **MEMORIES, **TABLES)
    for other in (
        f"again: {work('l7')} add32 v0, v0, m2[0]\n wait\n jmp again",
        f"again: {work('l8')} wait\n jmp again",
    ):
        both.run(times=2)
        for _ in range(3):
            both.resume()
        both.program(other)
        for _ in range(3):
            assert both.resume(100_000).state in ("waiting", "trapped")
            if both.engines[0].stop().state != "waiting":
                break
        both.run(times=2)


def test_the_host_writes_a_part_of_a_word(both: Both) -> None:
    both.load(f"{work('l9')} xor v3, v0, v1\n halt", **MEMORIES, **TABLES)
    at = 8 * 7
    for byte, value in ((6, 0x50), (6, 0x70), (6, 0x30)):  # another destination
        both.run(times=3)
        both.write("pm", at + byte, bytes([value]))
    both.run(times=3)


def test_a_machine_goes_back_to_another_program_and_other_tables(both: Both) -> None:
    """By a timeline, whose past has both; it runs on from there in translated code."""
    both.load(f"again: {work('l10')} tbl01 v0, v1\n wait\n jmp again", **MEMORIES, **TABLES)
    both.run(times=3)
    timelines = [Timeline(engine) for engine in both.engines]
    for timeline in timelines:
        timeline.resume()
        timeline.run()
        timeline.write("t0", 0, KINDS["AffineFour"][0](random.Random(5)))
        timeline.write("pm", 8, bytes(8))
        timeline.reset()
    both.program(f"again: {work('l11')} tbl01 v0, v2\n wait\n jmp again")
    both.write("t1", 0, KINDS["Any"][0](random.Random(6)))
    both.run(times=3)
    assert both.contents == ("AffineFour", "Any")
    for timeline in timelines:
        timeline.seek(timeline.latest - 1)
    assert both.go().state == "waiting"
    assert both.resume().state == "waiting"
    assert both.contents == ("AesForward", "AesForward")
    both.run(times=3)


@pytest.mark.parametrize("level", LEVELS)
def test_a_device_takes_other_firmware_while_it_runs(
    level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both in translated code: the second pack's program and tables replace the first one's."""
    monkeypatch.setenv(translation.VARIABLE, level)
    monkeypatch.setattr(translation, "PATIENCE", 1)
    key, iv, text = bytes(range(16)), bytes(range(16, 32)), bytes(992)
    with device.opened(create(tmp_path / "dev", slots=64 * 1024)) as opened:
        opened.update(otter())
        session = DeviceSession(opened)
        assert opened.core.engine.backend.level == level
        first = [process(session, Request(session.catalogue.cipher("otter-128-ctr"), "encrypt", key, iv), text)] * 2
        assert first[0] == first[1]
        opened.update(aes_pack("1.0.0", 1))
        session = DeviceSession(opened)
        counter = Cipher(AES(key), modes.CTR(iv)).encryptor().update(text)
        for _ in range(3):
            request = Request(session.catalogue.cipher("aes-128-ctr"), "encrypt", key, iv)
            assert process(session, request, text) == counter
