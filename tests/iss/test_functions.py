"""What every generic and AES instruction computes, against models that are not the simulator.

The models are written from the standards, on lists of bytes; each runs on the simulator and in lock-step with the RTL.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from support import aes, aria, field
from support.lanes import align, lanes, prefix_xor, rotate, unlanes, xor
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


def add32(x: bytes, y: bytes) -> bytes:
    return unlanes([(a + b) % 2**32 for a, b in zip(lanes(x, 4), lanes(y, 4), strict=True)], 4)


Model = Callable[..., bytes]

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
    "add32 v2, v0, v1": lambda a, b, d, k0, k1: add32(a, b),
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

MODELS |= {
    "dbl v2, v0": lambda a, b, d, k0, k1: field.double(a),
    "dbl v2, m2[0x20] ^ wk": lambda a, b, d, k0, k1: field.double(xor(d, WK)),
    "dbl v2, v0 ^ m2[0x20]": lambda a, b, d, k0, k1: field.double(xor(a, d)),
}
for index in range(4):
    MODELS |= {
        f"ghash v2, v0, v1, m0[0x50], {index}": lambda a, b, d, k0, k1, n=index: xor(field.digit(a, k0, n), b),
        f"ghash v2, v0, m2[0x20], m0[0x50], {index}": lambda a, b, d, k0, k1, n=index: xor(field.digit(a, k0, n), d),
    }

TWO_ROUNDS: dict[str, Model] = {
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

WK = RANDOM.randbytes(16)
A, B, D, K0, K1 = (RANDOM.randbytes(16) for _ in range(5))


def check(run: Run, text: str, model: Model, rounds: int) -> None:
    source = f"""
        mov v0, m2[0x00]
        mov v1, m2[0x10]
        mov wk, m2[0x30]
        {text}
        mov m3[0], v2
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
    assert ran.row("m3").hex() == model(A, B, D, K0, K1).hex()


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("text", MODELS)
def test_computes(text: str, rounds: int, run: Run) -> None:
    check(run, text, MODELS[text], rounds)


@pytest.mark.parametrize("text", TWO_ROUNDS)
def test_computes_two_rounds(text: str, run: Run) -> None:
    check(run, text, TWO_ROUNDS[text], 2)


@pytest.mark.parametrize("text", TWO_ROUNDS)
def test_two_rounds_trap_in_a_core_of_one(text: str, run: Run) -> None:
    ran = run(f"{text}\nhalt", rounds=1)
    assert (ran.stop.state, ran.stop.trap) == ("trapped", "illegal-instruction")


def test_every_vector_instruction_has_a_model() -> None:
    from lutra.isa import load

    tested = {t.split()[0] for t in (*MODELS, *TWO_ROUNDS)}
    elsewhere = {"movl", "vtoar", "artov", "cmp"}  # test_moves.py
    elsewhere |= {"snowi", "snow", "snowx", "zuci", "zuc", "zucx", "ctxld", "ctxst"}  # test_stream.py
    assert {i.mnemonic for i in load().instructions if i.vector} == tested | elsewhere
