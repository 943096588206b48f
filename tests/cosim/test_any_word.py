"""Words with any contents, at any address: what is illegal traps in both, what is legal does the same in both."""

from __future__ import annotations

import random
import struct
from collections.abc import Mapping

import pytest

import lutra
from lutra.isa import load
from lutra.iss import _iss

BY_DAY = 16
MORE = pytest.mark.nightly("three times as many words of each instruction, with other seeds of the same kinds")
CYCLES = 300


@pytest.mark.parametrize("words", [BY_DAY, pytest.param(3 * BY_DAY, marks=MORE)])
@pytest.mark.parametrize("rounds", [1, 2])
def test_simulator_and_core_agree_on_any_contents_of_every_instruction(rounds: int, words: int) -> None:
    rng = random.Random(rounds)
    engine = lutra.make_engine("cosim", rounds)
    halt = lutra.assemble_text("halt").program
    illegal = 0
    for insn in load().instructions:
        others = ~insn.mask & (1 << 64) - 1
        for n in range(words):
            word = insn.match | rng.getrandbits(64) & others
            # One field wrong in an otherwise legal word shows each rule of the decoder alone.
            if n % 3 and insn.fields:
                word = _wrong(rng, insn.match, insn.fields, rounds)
            illegal += not _iss.legal(word, rounds)
            engine.write("pm", 0, struct.pack("<4Q", word, *halt * 3))
            stop = engine.run(0, CYCLES)
            if engine.closed:
                engine.wipe()
            if stop.state == "running":
                engine.reset()
    assert illegal > 10 * words


def _wrong(rng: random.Random, match: int, fields: Mapping[str, tuple[int, int]], rounds: int) -> int:
    word = match
    for _ in range(200):
        word = match
        for msb, lsb in fields.values():
            word |= rng.choice([0, rng.getrandbits(msb - lsb + 1)]) << lsb
        if _iss.legal(word, rounds):
            break
    msb, lsb = rng.choice(list(fields.values()))
    width = msb - lsb + 1
    return word & ~((1 << width) - 1 << lsb) | rng.choice([0, rng.getrandbits(width)]) << lsb


@pytest.mark.parametrize("rounds", [1, 2])
def test_simulator_and_core_agree_on_any_entry_and_target(rounds: int) -> None:
    rng = random.Random(rounds)
    engine = lutra.make_engine("cosim", rounds)
    jumps = [i for i in load().instructions if i.facts.transfer and "e" in i.fields]
    sets = [i for i in load().instructions if not i.vector and "ad" in i.fields and "n" in i.fields]
    for _ in range(60):
        assert engine.run(rng.randrange(1024, 1 << 16), CYCLES).trap == "fetch-out-of-range"
        words = []
        for insn in [*rng.choices(sets, k=12), *rng.choices(jumps, k=6)]:
            word = insn.match
            for msb, lsb in insn.fields.values():
                word |= rng.getrandbits(msb - lsb + 1) << lsb
            words.append(word)
        base = rng.randrange(1000)
        engine.write("pm", 8 * base, struct.pack(f"<{len(words)}Q", *words))
        if engine.run(base, CYCLES).state == "running":
            engine.reset()


def test_an_image_of_both_banks_and_of_the_program_can_be_read() -> None:
    engine = lutra.make_engine("rtl")
    engine.write("t0:t1", 0, bytes(range(16)))
    assert engine.read("t0", 0, 16) == engine.read("t1", 0, 16) == bytes(range(16))
    assert engine.read("t0:t1", 0, 16) == bytes(16)  # a host reads one bank at a time
    engine.write("pm", 8, bytes(range(8)))
    assert engine.read("pm", 8, 8) == bytes(range(8))
