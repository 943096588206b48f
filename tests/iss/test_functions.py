"""Every generic and AES instruction against models that are not the simulator.

The models are written from the standards, on lists of bytes; each runs on the simulator and in lock-step with the RTL.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from models import aes, aria, camellia, field, generic
from models.lanes import align, prefix_xor, rotate, xor
from support.run import Run

RANDOM = random.Random(197)


def table(seed: int) -> bytes:
    """A bank with another table in every lane, so that a lane that looks up elsewhere shows."""
    return random.Random(seed).randbytes(4096)


T0, T1 = table(0), table(1)


def lookup(bank: bytes, x: bytes) -> bytes:
    return bytes(bank[16 * e + i] for i, e in enumerate(x))


def permute(x: bytes, control: bytes) -> bytes:
    return bytes(x[c % 16] if c < 128 else 0 for c in control)


LANES = (8, 16, 32, 64, 128)


def name(lane: int) -> str:
    """How an instruction is called after the width of its lanes: of the whole vector, not at all."""
    return "" if lane == 128 else str(lane)


Model = Callable[..., bytes]
PairModel = Callable[..., tuple[bytes, bytes]]

# Text of the instruction and its model on a, b, row of m2, K0, K1.
MODELS: dict[str, Model] = {
    "mov v2, v0": lambda a, b, d, k0, k1: a,
    "mov v2, v0 ^ v1": lambda a, b, d, k0, k1: xor(a, b),
    "mov v2, v0 ^ m2[0x20] ^ wk": lambda a, b, d, k0, k1: xor(a, d, WK),
    "mov v2, m2[0x20] ^ wk": lambda a, b, d, k0, k1: xor(d, WK),
    "mov v2, zero": lambda a, b, d, k0, k1: bytes(16),
    "xor v2, v0, v1": lambda a, b, d, k0, k1: xor(a, b),
    "xor v2, v0, m2[0x20]": lambda a, b, d, k0, k1: xor(a, d),
    "xor v2, m2[0x20], v1": lambda a, b, d, k0, k1: xor(d, b),
    "and v2, v0, v1": lambda a, b, d, k0, k1: bytes(x & y for x, y in zip(a, b, strict=True)),
    "or v2, v0, v1": lambda a, b, d, k0, k1: bytes(x | y for x, y in zip(a, b, strict=True)),
    "andn v2, v0, v1": lambda a, b, d, k0, k1: bytes(x & ~y & 255 for x, y in zip(a, b, strict=True)),
    **{f"add{n} v2, v0, v1": lambda a, b, d, k0, k1, n=n: generic.add(a, b, n) for n in LANES},
    **{f"sub{n} v2, v0, v1": lambda a, b, d, k0, k1, n=n: generic.subtract(a, b, n) for n in LANES},
    **{
        f"rotx{name(n)} v2, v0, v1, {by}": lambda a, b, d, k0, k1, n=n, by=by: xor(
            generic.rotate_lanes(a, n // 8, by), b
        )
        for n in LANES
        for by in (0, 1, n // 2 + 3, n - 1)
    },
    **{
        f"shlx{name(n)} v2, v0, v1, {by}": lambda a, b, d, k0, k1, n=n, by=by: xor(
            generic.shift_lanes(a, n // 8, by), b
        )
        for n in LANES
        for by in (0, 1, n // 2 + 3, n - 1)
    },
    **{
        f"shrx{name(n)} v2, v0, v1, {by}": lambda a, b, d, k0, k1, n=n, by=by: xor(
            generic.shift_lanes(a, n // 8, -by), b
        )
        for n in LANES
        for by in (0, 1, n // 2, n // 2 + 3, n - 1)
    },
    **{f"mulx{name(n)} v2, v0, m0[0x50]": lambda a, b, d, k0, k1, n=n: generic.mulx(a, k0, n) for n in LANES},
    **{
        f"divx{name(n)} v2, v0 ^ v1 ^ wk, m0[0x50], m2[0x20]": lambda a, b, d, k0, k1, n=n: xor(
            generic.divx(xor(a, b, WK), k0, n), d
        )
        for n in LANES
    },
    "xor3 v2, v0, m2[0x20], v1": lambda a, b, d, k0, k1: xor(a, d, b),
    "andx v2, v0, v1, v1": lambda a, b, d, k0, k1: xor(bytes(x & y for x, y in zip(a, b, strict=True)), b),
    "orx v2, v0, m2[0x20], v1": lambda a, b, d, k0, k1: xor(bytes(x | y for x, y in zip(a, d, strict=True)), b),
    "andnx v2, v0, v1, v0": lambda a, b, d, k0, k1: xor(bytes(x & ~y & 255 for x, y in zip(a, b, strict=True)), a),
    "pxor32 v2, v0, v1": lambda a, b, d, k0, k1: xor(prefix_xor(a), b),
    "perm v2, v0, v1": lambda a, b, d, k0, k1: permute(a, b),
    "perm v2, m2[0x20], v1": lambda a, b, d, k0, k1: permute(d, b),
    "tbl0 v2, v0": lambda a, b, d, k0, k1: lookup(T0, a),
    "tbl1 v2, v0": lambda a, b, d, k0, k1: lookup(T1, a),
    "tblp v2, v0, v1, m2[0x20]": lambda a, b, d, k0, k1: xor(permute(lookup(T0, a), b), d),
    "tblp v2, v0, v1": lambda a, b, d, k0, k1: permute(lookup(T0, a), b),
    "aesimc v2, v0": lambda a, b, d, k0, k1: aes.inv_mix_columns(a),
    "aesencf v2, v0, m0[0x50]": lambda a, b, d, k0, k1: xor(a, k0),
    "aesencm v2, v0 ^ wk, m0[0x50]": lambda a, b, d, k0, k1: xor(
        aes.mix_columns(aes.shift_rows(lookup(T0, xor(a, WK)))), k0
    ),
    "aesencl v2, v0, m0[0x50], m2[0x20]": lambda a, b, d, k0, k1: xor(aes.shift_rows(lookup(T0, a)), k0, d),
    "aesdecf v2, v0, m1[0x50]": lambda a, b, d, k0, k1: xor(a, k1),
    "aesdecm v2, v0, m1[0x50]": lambda a, b, d, k0, k1: xor(aes.inv_mix_columns(aes.inv_shift_rows(lookup(T1, a))), k1),
    "aesdecl v2, v0, m1[0x50], m2[0x20]": lambda a, b, d, k0, k1: xor(aes.inv_shift_rows(lookup(T1, a)), k1, d),
}

for index in range(16):
    MODELS[f"align v2, v0, v1, {index}"] = lambda a, b, d, k0, k1, n=index: align(a, b, n)
    MODELS[f"bcast v2, v0, {index}"] = lambda a, b, d, k0, k1, n=index: bytes([a[n]] * 16)

for amount in (0, 1, 7, 8, 19, 61, 64, 109, 127):
    MODELS[f"rotx v2, v0, v1, {amount}"] = lambda a, b, d, k0, k1, n=amount: xor(rotate(a, n), b)
MODELS |= {
    "ariaa v2, v0": lambda a, b, d, k0, k1: aria.diffusion(a),
    "ariafo v2, v0 ^ v1, m2[0x20]": lambda a, b, d, k0, k1: xor(aria.diffusion(lookup(T0, xor(a, b))), d),
    "ariafe v2, v0 ^ v1, m2[0x20]": lambda a, b, d, k0, k1: xor(aria.diffusion(lookup(T1, xor(a, b))), d),
    "ariao v2, v0 ^ wk, m0[0x50]": lambda a, b, d, k0, k1: xor(aria.diffusion(lookup(T0, xor(a, WK))), k0),
    "ariae v2, v0, m1[0x50]": lambda a, b, d, k0, k1: xor(aria.diffusion(lookup(T1, a)), k1),
    "arial v2, v0, m1[0x50], m2[0x20]": lambda a, b, d, k0, k1: xor(lookup(T1, a), k1, d),
}


def camellia_round(bank: bytes, x: bytes, key: bytes) -> bytes:
    return camellia.p(lookup(bank, xor(x, camellia.twice(key))))


MODELS |= {
    "camo v2, v0, v1, m0[0x50]": lambda a, b, d, k0, k1: xor(camellia_round(T0, a, k0), b),
    "came v2, v0, v1, m1[0x50]": lambda a, b, d, k0, k1: xor(camellia_round(T0, a, k1), b),
    "caml v2, v0, v1, m0:m1[0x50]": lambda a, b, d, k0, k1: camellia.join(a, b, k0, k1)[0],
    "caml v2, v0, v1, m0:m1[0x50], m2[0x20]": lambda a, b, d, k0, k1: xor(camellia.join(a, b, k0, k1)[0], d),
}

# Instructions with two results: v2 and v3.
PAIRS: dict[str, PairModel] = {
    "camw {v2, v3}, v0 ^ v1 ^ wk": lambda a, b, d, k0, k1: camellia.split(xor(a, b, WK)),
    "camw {v2, v3}, m2[0x20]": lambda a, b, d, k0, k1: camellia.split(d),
    "camfl {v2, v3}, v0, v1, m0:m1[0x50]": lambda a, b, d, k0, k1: camellia.fl(a, b, k0, k1),
}


def two_rounds(x: bytes, y: bytes, k0: bytes, k1: bytes) -> camellia.Pair:
    y = xor(y, camellia_round(T0, x, k0))
    return xor(x, camellia_round(T1, y, k1)), y


def last_rounds(a: bytes, b: bytes, d: bytes, k0: bytes, k1: bytes) -> camellia.Pair:
    first, second = camellia.join(*two_rounds(a, b, k0, k1), k0, k1)
    return xor(first, d), second


TWO_ROUNDS_PAIRS: dict[str, PairModel] = {
    **{
        f"arx {{v2, v3}}, v0, v1, v1, {n}": lambda a, b, d, k0, k1, n=n: (
            generic.turn_sum(generic.add(a, b, 32), n),
            generic.rotate_words(xor(generic.add(a, b, 32), generic.rotate_third(b, n)), n),
        )
        for n in (0, 7, 18, 32 + 31, 64 + 9, 128 + 13, 192 + 1, 255)
    },
    "cam2 {v2, v3}, v0, v1, m0:m1[0x50]": lambda a, b, d, k0, k1: two_rounds(a, b, k0, k1),
    "cam2fl {v2, v3}, v0, v1, m0:m1[0x50]": lambda a, b, d, k0, k1: two_rounds(*camellia.fl(a, b, k0, k1), k0, k1),
    "cam2p {v2, v3}, m2[0x20], v1, m0:m1[0x50]": lambda a, b, d, k0, k1: two_rounds(
        *camellia.pack(xor(b, WK), xor(d, WK)), k0, k1
    ),
    "cam2s {v2, v3}, v0 ^ m2[0x20] ^ wk, m0:m1[0x50]": lambda a, b, d, k0, k1: two_rounds(
        *camellia.split(xor(a, d, WK)), k0, k1
    ),
    "cam2l {v2, v3}, v0, v1, m0:m1[0x50], m2[0x20]": last_rounds,
    "cam2l {v2, v3}, v0, v1, m0:m1[0x50]": lambda a, b, d, k0, k1: last_rounds(a, b, bytes(16), k0, k1),
}
MODELS |= {
    "dbl v2, v0": lambda a, b, d, k0, k1: field.double(a),
    "dbl v2, m2[0x20] ^ wk": lambda a, b, d, k0, k1: field.double(xor(d, WK)),
    "dbl v2, v0 ^ m2[0x20]": lambda a, b, d, k0, k1: field.double(xor(a, d)),
}

TWO_ROUNDS: dict[str, Model] = {
    **{
        f"addrot v2, v0, v1, v0, {n}": lambda a, b, d, k0, k1, n=n: xor(
            generic.rotate_words(generic.add(a, b, 32), n), generic.rotate_third(a, n)
        )
        for n in (0, 7, 18, 32 + 31, 64 + 9, 128 + 13, 192 + 1, 255)
    },
    **{
        f"tblw v2, v0, m2[0x20], v1, {n}": lambda a, b, d, k0, k1, n=n: xor(
            generic.fold_words(lookup(T1, generic.spread_word(xor(a, d), n))), generic.rotate_third(b, n)
        )
        for n in (0, 1, 6, 7 + 64, 8 + 128, 15 + 192, 255)
    },
    **{
        f"mulxx{name(n)} v2, v0, m0[0x50], v1, m2[0x20]": lambda a, b, d, k0, k1, n=n: xor(generic.mulx(a, k0, n), b, d)
        for n in (8, 16, 128)
    },
    **{
        f"divxx{name(n)} v2, v0 ^ v1, m0[0x50], v0": lambda a, b, d, k0, k1, n=n: xor(generic.divx(xor(a, b), k0, n), a)
        for n in (8, 16, 128)
    },
    "rotv v2, v0, m2[0x20]": lambda a, b, d, k0, k1: generic.rotate_each(a, d),
    "xrotv v2, v0, v1, v1": lambda a, b, d, k0, k1: generic.rotate_each(xor(a, b), b),
    "addrotv v2, m2[0x20], m0[0x50], v1": lambda a, b, d, k0, k1: generic.rotate_each(generic.add(d, k0, 32), b),
    "xorrotv v2, v0, m0[0x50], v1": lambda a, b, d, k0, k1: generic.rotate_each(xor(a, k0), b),
    "aria2 v2, v0 ^ m2[0x20] ^ wk, m0:m1[0x50]": lambda a, b, d, k0, k1: xor(
        aria.diffusion(lookup(T1, xor(aria.diffusion(lookup(T0, xor(a, d, WK))), k0))), k1
    ),
    "aria2l v2, v0, m0:m1[0x50], m2[0x20]": lambda a, b, d, k0, k1: xor(
        lookup(T1, xor(aria.diffusion(lookup(T0, a)), k0)), k1, d
    ),
    "tbl01 v2, v0 ^ v1 ^ wk": lambda a, b, d, k0, k1: lookup(T1, lookup(T0, xor(a, b, WK))),
    "aesenc2 v2, v0 ^ m2[0x20] ^ wk, m0:m1[0x50]": lambda a, b, d, k0, k1: xor(
        aes.mix_columns(
            aes.shift_rows(lookup(T1, xor(aes.mix_columns(aes.shift_rows(lookup(T0, xor(a, d, WK)))), k0)))
        ),
        k1,
    ),
    "aesenc2l v2, v0, m0:m1[0x50], m2[0x20]": lambda a, b, d, k0, k1: xor(
        aes.shift_rows(lookup(T1, xor(aes.mix_columns(aes.shift_rows(lookup(T0, a))), k0))), k1, d
    ),
    "aesdec2 v2, v0, m0:m1[0x50]": lambda a, b, d, k0, k1: xor(
        aes.inv_mix_columns(
            aes.inv_shift_rows(lookup(T1, xor(aes.inv_mix_columns(aes.inv_shift_rows(lookup(T0, a))), k0)))
        ),
        k1,
    ),
    "aesdec2l v2, v0, m0:m1[0x50], m2[0x20]": lambda a, b, d, k0, k1: xor(
        aes.inv_shift_rows(lookup(T1, xor(aes.inv_mix_columns(aes.inv_shift_rows(lookup(T0, a))), k0))), k1, d
    ),
}

WK: bytes = RANDOM.randbytes(16)
A, B, D, K0, K1 = (RANDOM.randbytes(16) for _ in range(5))


def check(run: Run, text: str, model: Model, rounds: int) -> None:
    assert computed(run, text, rounds)[0].hex() == model(A, B, D, K0, K1).hex()


def computed(run: Run, text: str, rounds: int) -> tuple[bytes, bytes]:
    """v2 and v3 after an instruction."""
    source = f"""
        mov v0, m2[0x00]
        mov v1, m2[0x10]
        mov wk, m2[0x30]
        {text}
        mov m3[0], v2
        mov m3[0x10], v3
        halt
    """
    ran = run(
        source,
        rounds=rounds,
        m0=bytes(0x50) + K0,
        m1=bytes(0x50) + K1,
        m2=A + B + D + WK,
        t0=T0,
        t1=T1,
    )
    assert ran.stop.state == "halted"
    return ran.row("m3"), ran.row("m3", 1)


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("text", MODELS)
def test_an_instruction_computes_what_its_model_does(text: str, rounds: int, run: Run) -> None:
    check(run, text, MODELS[text], rounds)


@pytest.mark.parametrize("text", TWO_ROUNDS)
def test_an_instruction_of_two_rounds_computes_what_its_model_does(text: str, run: Run) -> None:
    check(run, text, TWO_ROUNDS[text], 2)


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("text", PAIRS)
def test_an_instruction_of_a_pair_computes_what_its_model_does(text: str, rounds: int, run: Run) -> None:
    assert computed(run, text, rounds) == PAIRS[text](A, B, D, K0, K1)


@pytest.mark.parametrize("text", TWO_ROUNDS_PAIRS)
def test_two_rounds_of_a_pair_compute_what_their_model_does(text: str, run: Run) -> None:
    assert computed(run, text, 2) == TWO_ROUNDS_PAIRS[text](A, B, D, K0, K1)


@pytest.mark.parametrize("op", ["cam2", "cam2fl"])
def test_moves_leave_the_rounds_beside_them_alone(op: str, run: Run) -> None:
    """hold takes a row, or the counter; a register goes to memory with a row; the rounds are as without a move."""
    a, b, x, y, z = (random.Random(op).randbytes(16) for _ in range(5))
    ran = run(
        f"""
        mov v0, m2[0x00]
        mov v1, m2[0x10]
        mov ctr, m2[0x40]
        {op} {{v2, v3}}, v0, v1, m0:m1[0x50], {{hold, m2[0x20]}}
        mov m3[0x00], hold
        {op} {{v2, v3}}, v2, v3, m0:m1[0x50], {{hold, ctr++}}
        xor m3[0x10], hold, v1
        mov m3[0x20], ctr
        {op} {{v4, v5}}, v2, v3, m0:m1[0x50], {{m3[0x30], v3 ^ m2[0x30]}}
        {op} {{v6, v7}}, v4, v5, m0:m1[0x50], {{m3[0x40], v5}}
        mov m3[0x50], v6
        halt
        """,
        m0=bytes(0x50) + K0,
        m1=bytes(0x50) + K1,
        m2=a + b + x + y + z,
        t0=T0,
        t1=T1,
    )
    state = [(a, b)]
    for _ in range(4):
        before = camellia.fl(*state[-1], K0, K1) if op == "cam2fl" else state[-1]
        state.append(two_rounds(*before, K0, K1))
    counter = (int.from_bytes(z, "big") + 1) % 2**128
    rows = [x, xor(z, b), counter.to_bytes(16, "big"), xor(state[2][1], y), state[3][1], state[4][0]]
    assert [ran.row("m3", n).hex() for n in range(6)] == [r.hex() for r in rows]


@pytest.mark.parametrize("text", [*TWO_ROUNDS, *TWO_ROUNDS_PAIRS])
def test_two_rounds_trap_in_a_core_of_one(text: str, run: Run) -> None:
    ran = run(f"{text}\nhalt", rounds=1)
    assert (ran.stop.state, ran.stop.trap) == ("trapped", "illegal-instruction")


def test_every_vector_instruction_has_a_model() -> None:
    from lutra.isa import load

    tested = {t.split()[0] for t in (*MODELS, *TWO_ROUNDS, *PAIRS, *TWO_ROUNDS_PAIRS)}
    elsewhere = {"movl", "vtoar", "artov", "cmp"}  # test_moves.py
    elsewhere |= {"tbls"}  # test_scatter.py
    elsewhere |= {
        "snowi",
        "snow",
        "snowx",
        "zuci",
        "zuc",
        "zucx",
        "zucf",
        "zucfx",
        "zucli",
        "zucl",
        "ctxld",
        "ctxst",
        "crc",
    }  # test_stream.py
    elsewhere |= {
        i.mnemonic for i in load().instructions if i.facts.hashes or i.facts.reads_sum
    }  # test_hash.py, test_multiplier.py
    assert {i.mnemonic for i in load().instructions if i.vector} == tested | elsewhere
