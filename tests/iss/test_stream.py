"""The stream unit against models of SNOW 3G and ZUC, which are held to the standards' own vectors."""

from __future__ import annotations

import json
import random
from itertools import islice
from pathlib import Path

import pytest

import lutra
from lutra.isa import load
from lutra.iss._iss import Machine
from models import snow3g, zuc
from models.lanes import unlanes, xor
from support.run import Run

VECTORS = Path(__file__).parents[1] / "vectors"
RANDOM = random.Random(35216)
SAVE = "\n".join(f"ctxst m3[{16 * k}], c{{c}}, {k}" for k in range(6))


@pytest.mark.parametrize(("name", "keystream"), [("snow3g_ts35217", snow3g.keystream), ("zuc_ts35223", zuc.keystream)])
def test_the_models_give_the_standards_keystreams(name: str, keystream: object) -> None:
    assert callable(keystream)
    for test in json.loads((VECTORS / f"{name}.json").read_text())["tests"]:
        key, iv = bytes.fromhex(test["key"]), bytes.fromhex(test["iv"])
        chunks = test.get("keystream_chunks", [{"offset": 0, "data": test.get("keystream")}])
        for offset, data in ((c["offset"], bytes.fromhex(c["data"])) for c in chunks):
            assert keystream(key, iv, offset + len(data))[offset:] == data


def state(s: list[int], r: list[int]) -> bytes:
    """Rows 0 to 4 of a context."""
    return unlanes([*s, *r, *[0] * (4 - len(r))], 4)


def loads(rows: int, c: int) -> str:
    """Rows of m2 from 0 to the context."""
    return "\n".join(f"ctxld c{c}, {k}, m2[{16 * k}]" for k in range(rows))


def context(run_memory: bytes) -> tuple[bytes, bytes]:
    return run_memory[:80], run_memory[80:]


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("c", [0, 1])
@pytest.mark.parametrize("init", [0, 5])
def test_snow3g_clocks_as_its_model_does(init: int, c: int, rounds: int, run: Run) -> None:
    model = snow3g.Snow3g(RANDOM.randbytes(16), RANDOM.randbytes(16))
    before = state(model.s, model.r)
    for _ in range(init):
        model.lfsr(model.fsm())
    words = list(islice(model.words(), 5))
    model.lfsr()  # the generator has not clocked it yet
    clocks = f"repeat {init}, .Li\nsnowi c{c}\n.Li:\nrepeat 5, .Lw\nsnow c{c}\n.Lw:"
    ran = run(
        f"{loads(5, c)}\n{clocks}\n{SAVE.format(c=c)}\nhalt", rounds=rounds, m2=before, **{f"t{c}": snow3g.bank()}
    )
    after, buffer = context(ran.engine.read("m3", 0, 96))
    assert buffer == unlanes(words[1:], 4)
    assert after == state(model.s, model.r)


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("c", [0, 1])
@pytest.mark.parametrize("init", [0, 5])
def test_zuc_clocks_as_its_model_does(init: int, c: int, rounds: int, run: Run) -> None:
    model = zuc.Zuc(RANDOM.randbytes(16), RANDOM.randbytes(16))
    model.r = [RANDOM.getrandbits(32) for _ in model.r]
    before = state(model.s, model.r)
    for _ in range(init):
        model.clock(init=True)
    words = [model.clock() for _ in range(5)]
    clocks = "\n".join([f"zuci c{c}"] * init + [f"zuc c{c}"] * 5)  # the first one right after the load of R1
    ran = run(f"{loads(5, c)}\n{clocks}\n{SAVE.format(c=c)}\nhalt", rounds=rounds, m2=before, **{f"t{c}": zuc.bank()})
    after, buffer = context(ran.engine.read("m3", 0, 96))
    assert buffer == unlanes(words[1:], 4)
    assert after == state(model.s, [*model.r, model.w])


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("last", range(5))
def test_a_clock_has_the_row_that_was_loaded_right_before_it(last: int, rounds: int, run: Run) -> None:
    """The look-up finishes while the row is on its way to the register."""
    rows = "\n".join(f"ctxld c0, {k}, m2[{16 * k}]" for k in (*(k for k in range(5) if k != last), last))
    of_zuc = zuc.Zuc(RANDOM.randbytes(16), RANDOM.randbytes(16))
    before = state(of_zuc.s, of_zuc.r)
    of_zuc.clock()
    ran = run(f"{rows}\nzuc c0\n{SAVE.format(c=0)}\nhalt", rounds=rounds, m2=before, t0=zuc.bank())
    assert ran.engine.read("m3", 0, 80) == state(of_zuc.s, [*of_zuc.r, of_zuc.w])
    of_snow = snow3g.Snow3g(RANDOM.randbytes(16), RANDOM.randbytes(16))
    before = state(of_snow.s, of_snow.r)
    of_snow.lfsr(of_snow.fsm())
    ran = run(f"{rows}\nsnowi c0\n{SAVE.format(c=0)}\nhalt", rounds=rounds, m2=before, t0=snow3g.bank())
    assert ran.engine.read("m3", 0, 80) == state(of_snow.s, of_snow.r)


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("clocked", ["c0", "c1", "c0:c1"])
def test_two_halves_of_a_zuc_clock_make_the_whole(clocked: str, rounds: int, run: Run) -> None:
    """The state between the halves too, and a row that goes out with the first half."""
    model = zuc.Zuc(RANDOM.randbytes(16), RANDOM.randbytes(16))
    before, data = state(model.s, model.r), RANDOM.randbytes(16)
    for _ in range(5):
        model.f()
        model.lfsr(init=True)
    words = [model.clock() for _ in range(3)]
    words.append(model.f())
    between = state(model.s, [*model.r, model.w])
    model.lfsr()
    c = int(clocked[-1])
    ran = run(
        f"{loads(5, 0)}\n{loads(5, 1)}\nrepeat 5, .Li\nzucf {clocked}\nzucli {clocked}\n.Li:\n"
        f"repeat 3, .Lw\nzucf {clocked}\nzucl {clocked}\n.Lw:\nzucfx {{v0, m3[0x60]}}, {clocked}, c{c}, m2[0x50]\n"
        f"mov m3[0x70], v0\nctxst m3[0x80], c{c}, 3\nctxst m3[0x90], c{c}, 4\nzucl {clocked}\n{SAVE.format(c=c)}\nhalt",
        rounds=rounds,
        m2=before + data,
        t0=zuc.bank(),
        t1=zuc.bank(),
    )
    assert ran.row("m3", 6) == ran.row("m3", 7) == xor(unlanes(words, 4), data)
    assert ran.row("m3", 8) + ran.row("m3", 9) == between[48:]
    after, buffer = context(ran.engine.read("m3", 0, 96))
    assert buffer == unlanes(words, 4)
    assert after == state(model.s, [*model.r, model.w])


@pytest.mark.parametrize("words", [(1, 2**31 - 1), (2**31 - 1,), (1,)])
def test_a_zuc_sum_of_zero_is_written_as_the_modulus(words: tuple[int, ...], run: Run) -> None:
    """A sum that is 0 modulo 2^31-1 is written as 2^31-1."""
    model = zuc.Zuc(bytes(16), bytes(16))
    model.s = [words[i % len(words)] for i in range(16)]
    before = state(model.s, model.r)
    for _ in range(20):
        model.clock()
    ran = run(f"{loads(5, 0)}\nrepeat 20, .Lw\nzuc c0\n.Lw:\n{SAVE.format(c=0)}\nhalt", m2=before, t0=zuc.bank())
    assert ran.engine.read("m3", 0, 80) == state(model.s, [*model.r, model.w])


def test_words_enter_the_buffer_at_its_low_end_and_go_out_with_a_row(run: Run) -> None:
    key, iv, data = RANDOM.randbytes(16), RANDOM.randbytes(16), RANDOM.randbytes(16)
    model = snow3g.Snow3g(key, iv)
    before = state(model.s, model.r)
    words = list(islice(model.words(), 4))
    rows = before + data + bytes(range(16))
    ran = run(
        f"{loads(5, 0)}\nctxld c0, 5, m2[0x60]\nsnowx v0, c0, c0\nmov m3[0], v0\nsnow c0\nsnow c0\n"
        "snowx {v1, m3[0x10]}, c0, c0, m2[0x50]\nmov m3[0x20], v1\nhalt",
        m2=rows,
        t0=snow3g.bank(),
    )
    assert ran.row("m3") == bytes(range(4, 16)) + unlanes(words[:1], 4)
    assert ran.row("m3", 1) == ran.row("m3", 2) == xor(unlanes(words, 4), data)


def test_one_instruction_clocks_both_contexts(run: Run) -> None:
    """Each with its own bank, even of different contents."""
    models = [snow3g.Snow3g(RANDOM.randbytes(16), RANDOM.randbytes(16)) for _ in range(2)]
    both = [f"ctxld c{c}, {k}, m2[{80 * c + 16 * k}]" for c in range(2) for k in range(5)]
    before = b"".join(state(m.s, m.r) for m in models)
    words = [list(islice(m.words(), 4)) for m in models]
    ran = run(
        "\n".join([*both, *["snow c0:c1"] * 3, "snowx m3[0], c0:c1, c1", "ctxst m3[0x10], c0, 5", "halt"]),
        m2=before,
        t0=snow3g.bank(),
        t1=snow3g.bank(),
    )
    assert ran.row("m3") == unlanes(words[1], 4)
    assert ran.row("m3", 1) == unlanes(words[0], 4)


def test_three_messages_share_a_context(run: Run) -> None:
    """Saved to memory and restored, one word of each at a time."""
    models = [snow3g.Snow3g(RANDOM.randbytes(16), RANDOM.randbytes(16)) for _ in range(3)]
    before = b"".join(state(m.s, m.r) + bytes(16) for m in models)
    expected = [unlanes(list(islice(m.words(), 4)), 4) for m in models]
    turn = "\n".join(
        "\n".join(f"ctxld c0, {k}, m2[{96 * m + 16 * k}]" for k in range(6))
        + "\nsnow c0\n"
        + "\n".join(f"ctxst m2[{96 * m + 16 * k}], c0, {k}" for k in range(6))
        for m in range(3)
    )
    ran = run("\n".join([turn] * 4) + "\nhalt", m2=before, t0=snow3g.bank())
    assert [ran.row("m2", 6 * m + 5) for m in range(3)] == expected


def test_contexts_are_kept_by_start_and_reset_and_cleared_on_request(run: Run) -> None:
    ran = run("ctxld c0, 2, m2[0]\nhalt", m2=bytes(range(16)))
    again = ran.then("ctxst m3[0], c0, 2\nhalt")
    assert again.row("m3") == bytes(range(16))
    ran.engine.reset()
    assert ran.then("ctxst m3[0], c0, 2\nhalt").row("m3") == bytes(range(16))
    ran.engine.clear()
    assert ran.then("ctxst m3[0], c0, 2\nhalt").row("m3") == bytes(16)


@pytest.mark.parametrize(
    "text", ["snow c1", "zuci c0:c1", "snowx v0, c0, c1", "ctxld c1, 0, v0", "ctxst v0, c1, 5", "snowx v0, c1, c0"]
)
def test_c1_is_illegal_in_a_machine_of_one_context(text: str) -> None:
    words = lutra.assemble_text(f"{text}\nhalt").program
    program = b"".join(w.to_bytes(8, "little") for w in words)
    for contexts, trap in ((1, 1), (2, 0)):
        machine = Machine(contexts=contexts)
        machine.write(next(s.code for s in load().spaces if s.name == "pm"), 0, program)
        machine.start(0)
        machine.run(10)
        assert machine.trap == trap
    with pytest.raises(ValueError, match="contexts"):
        Machine(contexts=3)


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("clocked", ["c0", "c0:c1"])
def test_crc_sums_what_the_bytes_of_both_words_leave(clocked: str, rounds: int, run: Run) -> None:
    """Tables with other contents in every lane, three steps one after the other."""
    banks = [RANDOM.randbytes(4096) for _ in range(2)]
    message, register = RANDOM.randbytes(64), RANDOM.randbytes(4)
    expected = register
    for step in range(3):
        data = message[16 * step : 16 * step + 8]
        total = bytes(4)
        for word, bank in enumerate(banks[: clocked.count("c")]):
            part = data[4 * word : 4 * word + 4]
            for j, byte in enumerate(xor(part, expected) if word == 0 else part):
                total = xor(total, bank[16 * byte + 4 * j :][:4])
        expected = total
    program = f"ctxld c0, 4, m1[0]\nrepeat 3, .L\ncrc {clocked}, m2[ar0++]\n.L:\nctxst m3[0], c0, 4\nhalt"
    ran = run(program, rounds=rounds, m1=register + bytes(12), m2=message, t0=banks[0], t1=banks[1])
    assert ran.row("m3")[:4] == expected
