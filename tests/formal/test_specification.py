"""The specifications of the block functions, with numbers put in, against the models of `verification/models`.

Those are what simulator and core are compared with in `tests/iss/test_functions.py`, written from the standards too.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache, partial

import pytest
import z3

from formal.hash_unit import BESIDE, ENDS, FIELD64, Hash, Port
from formal.multiplier import SUM_BITS, stepped
from formal.specification import FUNCTIONS, Bits
from formal.stream_specification import CLOCKS, Context
from models import aes, aria, camellia, field, generic, prime, snow3g, zuc
from models.lanes import align, prefix_xor, xor

RANDOM = random.Random(4)
# Linear functions are known by what they do to one bit.
ONE_BIT = [(1 << i).to_bytes(16, "big") for i in range(128)]
ANY = [RANDOM.randbytes(16) for _ in range(32)]

MODELS: dict[str, Callable[..., bytes | tuple[bytes, bytes]]] = {
    "logic_xor": xor,
    "logic_and": lambda x, y, z: xor(bytes(a & b for a, b in zip(x, y, strict=True)), z),
    "logic_or": lambda x, y, z: xor(bytes(a | b for a, b in zip(x, y, strict=True)), z),
    "logic_andn": lambda x, y, z: xor(bytes(a & ~b & 255 for a, b in zip(x, y, strict=True)), z),
    **{f"add{bits}": partial(generic.add, bits=bits) for bits in (8, 16, 32, 64, 128)},
    **{f"sub{bits}": partial(generic.subtract, bits=bits) for bits in (8, 16, 32, 64, 128)},
    "shift_rows": aes.shift_rows,
    "inv_shift_rows": aes.inv_shift_rows,
    "permute": lambda x, y: bytes(x[c % 16] if c < 128 else 0 for c in y),
    "align": align,
    "broadcast": lambda x, n: bytes([x[n]] * 16),
    "rotate_bytes": generic.rotate_bytes,
    "left_bytes": generic.left_bytes,
    "right_bytes": generic.right_bytes,
    "rotate_bits": generic.rotate_bits,
    "left_bits": generic.left_bits,
    "right_bits": generic.right_bits,
    "spread_word": generic.spread_word,
    "fold_words": generic.fold_words,
    "mix_columns": aes.mix_columns,
    "inv_mix_columns": aes.inv_mix_columns,
    "prefix_xor32": prefix_xor,
    "aria_diffusion": aria.diffusion,
    "camellia_p": camellia.p,
    "double128": field.double,
    "pair_pack": lambda x, p, y: camellia.pack(xor(p, y), xor(x, y)),
    "pair_split": lambda x, p, y: camellia.split(xor(x, p, y)),
    "pair_fl": lambda x, p, y: camellia.fl(x, p, bytes(8) + y[:8], bytes(8) + y[8:]),
    "pair_join": lambda x, p, y, z: camellia.join(xor(x, z), p, bytes(8) + y[:8], bytes(8) + y[8:]),
    "pair_xor": lambda x, p, y, z: (xor(x, y, z), p),
    "sum_turned": lambda x, p, y, n: (generic.turn_sum(x, n), generic.rotate_words(xor(p, y), n)),
    "sum_rotated": lambda x, p, y, n: (generic.rotate_words(xor(p, y), n),) * 2,
    "words_rotated": lambda x, p, y, z: (generic.rotate_each(xor(p, y), z),) * 2,
}
ARGUMENTS = {
    "logic_": 3,
    "add": 2,
    "sub": 2,
    "permute": 2,
    "align": 2,
    "pair_pack": 3,
    "pair_split": 3,
    "pair_fl": 3,
    "sum_turned": 3,
    "sum_rotated": 3,
    "words_rotated": 4,
}
SHIFTS = [f"{what}_{part}" for what in ("rotate", "left", "right") for part in ("bytes", "bits")]
IMMEDIATES = (
    {"align": 16, "broadcast": 16}
    | dict.fromkeys(SHIFTS, 248)
    | dict.fromkeys(("spread_word", "sum_turned", "sum_rotated"), 256)
)


def value(x: bytes) -> Bits:
    return z3.BitVecVal(int.from_bytes(x, "big"), 8 * len(x))


def number(x: Bits) -> int:
    found = z3.simplify(x)
    assert z3.is_bv_value(found)
    return found.as_long()


def plain(x: Bits) -> bytes:
    return number(x).to_bytes(x.size() // 8, "big")


def test_all_functions_have_a_model() -> None:
    assert set(MODELS) == set(FUNCTIONS)


@pytest.mark.parametrize("symbol", FUNCTIONS)
def test_specification_agrees_with_the_model(symbol: str) -> None:
    count = next((n for name, n in ARGUMENTS.items() if symbol.startswith(name)), 4 if symbol.startswith("pair") else 1)
    inputs = [z3.BitVec(f"input{i}", 128) for i in range(count)]

    @cache
    def terms(*immediate: int) -> tuple[Bits, ...]:
        found = FUNCTIONS[symbol].function(*inputs, *immediate)
        return found if isinstance(found, tuple) else (found,)

    for i, x in enumerate([*ONE_BIT, *ANY]):
        numbers = [x, *(ANY[(i + k) % len(ANY)] for k in range(1, count))]
        immediate = [5 * i % IMMEDIATES[symbol]] if symbol in IMMEDIATES else []
        wanted = MODELS[symbol](*numbers, *immediate)
        known = list(zip(inputs, map(value, numbers), strict=True))
        found = tuple(plain(z3.substitute(t, *known)) for t in terms(*immediate))
        assert found == (wanted if isinstance(wanted, tuple) else (wanted,))


@pytest.mark.parametrize("symbol", [*ENDS, *BESIDE])
def test_specification_of_the_hash_unit_agrees_with_the_model(symbol: str) -> None:
    step: dict[str, Callable[[bytes, bytes, bytes], bytes]] = {
        "hash_step": field.horner128,
        "BesideStep": field.horner128,
        "field_step": field.horner64,
        "field_fold": field.horner64,
        "field_add": field.horner64,
        "window_step": field.window,
        "window_next": field.window,
    }
    names = [z3.BitVec(name, 128) for name in "hgyxmr"]
    beyond = [z3.BitVec("t", 8), z3.BitVec("u", 5)]
    spec = (ENDS | BESIDE)[symbol](Hash(names[0], names[1], names[2], *beyond), Port(*names[3:]))
    assert [*spec[3:]] == beyond
    for _ in range(16):
        gh, gx, gy, x, moved, row = (RANDOM.randbytes(16) for _ in range(6))
        if symbol in FIELD64:
            gh, gy = bytes(8) + gh[8:], bytes(8) + gy[8:]
        known = list(zip(names, map(value, (gh, gx, gy, x, moved, row)), strict=True))
        found = tuple(plain(z3.substitute(t, *known)) for t in spec[:3])
        if symbol in step:
            gx, gy = field.down(gx), step[symbol](gy, gx, gh)
        wanted = {
            "to_factor": (x, gx, gy),
            "to_input": (gh, x, bytes(16)),
            "to_reversed": (gh, field.reverse(x), bytes(16)),
            "add_input": (gh, xor(x, gy), bytes(16)),
            "field_fold": (gh, xor(gx, gy), bytes(16)),
            "field_add": (gh, xor(field.reverse(x), gy), bytes(16)),
            "window_step": (x, gx, gy),
            "window_next": (x, field.reverse(row), gy),
            "BesideSum": (gh, xor(moved, gy), bytes(16)),
            "BesideRow": (gh, xor(row, gy), bytes(16)),
        }.get(symbol, (gh, gx, gy))
        assert found == wanted


def test_specification_of_the_multiplier_agrees_with_the_model() -> None:
    y = z3.BitVec("y", SUM_BITS)
    up, five = stepped(y)
    for _ in range(16):
        number, digit, h = RANDOM.getrandbits(SUM_BITS), RANDOM.getrandbits(8), RANDOM.getrandbits(128)
        found = z3.substitute(up + five, (y, z3.BitVecVal(number, SUM_BITS))) + z3.BitVecVal(digit * h, SUM_BITS)
        assert z3.is_true(z3.simplify(found == z3.BitVecVal(prime.step(number, digit, h), SUM_BITS)))


def looked_up(bank: bytes, addresses: bytes) -> bytes:
    return bytes(bank[16 * e + i] for i, e in enumerate(addresses))


def symbolic(s: list[int], r: list[int]) -> Context:
    words = [z3.BitVecVal(w, 32) for w in (*s, *r)]
    return Context(tuple(words[:16]), (words[16], words[17], words[18]), z3.BitVecVal(0, 128))


@pytest.mark.parametrize("init", [True, False])
def test_specification_of_snow_agrees_with_the_model(init: bool) -> None:
    cipher, bank = snow3g.Snow3g(RANDOM.randbytes(16), RANDOM.randbytes(16)), snow3g.bank()
    spec = CLOCKS["snow_init" if init else "snow_work"]
    assert spec.addresses
    for _ in range(40):
        before = symbolic(cipher.s, cipher.r)
        s0 = cipher.s[0]
        f = cipher.fsm()
        cipher.lfsr(f if init else 0)
        rows = looked_up(bank, plain(spec.addresses(before)))
        after = spec.clock(before, value(rows))
        assert [number(w) for w in (*after.s, *after.r)] == [*cipher.s, *cipher.r]
        assert plain(after.buffer)[12:] == (bytes(4) if init else (f ^ s0).to_bytes(4, "big"))


@pytest.mark.parametrize("init", [True, False])
def test_specification_of_zuc_agrees_with_the_model(init: bool) -> None:
    """The new LFSR word is specified as a sum."""
    cipher, bank = zuc.Zuc(RANDOM.randbytes(16), RANDOM.randbytes(16)), zuc.bank()
    spec = CLOCKS["zuc_init" if init else "zuc_work"]
    assert spec.addresses and spec.sum
    for _ in range(40):
        before = symbolic(cipher.s, [*cipher.r, 0])
        z = cipher.clock(init)
        after = spec.clock(before, value(looked_up(bank, plain(spec.addresses(before)))))
        assert [number(w) for w in (*after.s[:15], *after.r[:2])] == [*cipher.s[:15], *cipher.r]
        addends = spec.sum(before, value(looked_up(bank, plain(spec.addresses(before)))))
        assert (sum(number(x) << n for x, n in addends) - 1) % zuc.PRIME + 1 == cipher.s[15]
        assert init or plain(after.buffer)[12:] == z.to_bytes(4, "big")
