"""Loops that do a bit of every unit, one loop after the other: what they leave in memory, and CFB1's decryption."""

from __future__ import annotations

import pytest

from lutra.firmware.manifest import assembled
from lutra.prove import Claim, atoms
from lutra.prove.affine import Affine
from lutra.prove.atoms import NONE
from lutra.prove.bits import Bits
from lutra.prove.claims import firmware
from lutra.prove.errors import Meets, Refuted, Unprovable
from lutra.prove.executor import cases
from lutra.prove.goal import Goal
from lutra.prove.layers import Content, Layer, Layered, Meaning, Original, least
from lutra.prove.memory import Memory
from lutra.prove.registry import specification
from lutra.prove.splits import Split
from support.wrong_firmware import claim, with_instruction

N, P = Affine.symbol("n"), Affine.symbol("p")
RANGES = {"n": (1, 50), "p": (0, 49)}
INPUT, OUTPUTS = 0, 1


def content(further: int, *, block: int = INPUT) -> Content:
    """A byte that is another one of a memory as it was."""
    return tuple((NONE, frozenset({(block, further, place)})) for place in range(8))


def memories() -> tuple[Layered, Original, list[Memory]]:
    """A memory with layers, that of outputs, and both."""
    memory, outputs = Layered("m", 4096), Original("outputs", 4096)
    return memory, outputs, [memory, outputs]


@pytest.mark.parametrize("low", [0, 1, 5, 33])
@pytest.mark.parametrize("high", [4, 33, 40, 200])
@pytest.mark.parametrize("more", [0, 7, 47])
def test_quotient_and_remainder_have_every_value_once(low: int, high: int, more: int) -> None:
    found = []
    split = Split("n", 32, more, remainder=True)
    for case in cases(split, {"n": (low, high)}) if low < high - 16 else ():
        ranges = dict(case.others) | ({case.symbol: case.range} if case.symbol else {})
        values = [case.value]
        for name, (least_, most) in ranges.items():
            values = [value.with_(name, Affine(n)) for value in values for n in range(least_, most + 1)]
        assert len({(value.constant + more) // 32 - value.constant // 32 for value in values}) == 1
        found += [value.constant for value in values]
    assert sorted(found) == ([*range(low, high + 1)] if low < high - 16 else [])


def test_least_value_is_that_of_the_last_pass() -> None:
    most = {"p": N - 1}
    assert least(N - P, RANGES, most) == 1
    assert least(N * 2 - P - 1, RANGES, most) == 1
    assert least(P - N, RANGES, most) == -50
    assert least(N - P, RANGES, {}) == -48


def test_byte_that_a_loop_has_left_is_known_by_its_address() -> None:
    with atoms.fresh():
        memory, _, both = memories()
        memory.add(Layer(Affine(64), (content(5), content(6)), N), RANGES)
        memory.most = {"p": N - 1}
        assert memory.row(both, P * 2 + 64, RANGES, 2) == Bits(
            (*memory.first(P * 2 + 69, 1), *memory.first(P * 2 + 71, 1))
        )
        for unsure in (P * 2 + 66, P + 64):  # perhaps beyond the last one, either of two
            assert memory.row(both, unsure, RANGES, 2) != memory.row(both, unsure, RANGES, 2)
        assert memory.row(both, Affine(0), RANGES) == memory.first(Affine(0))
        assert memory.row(both, N * 2 + 64, RANGES) == memory.first(N * 2 + 64)


def test_newer_layer_is_what_is_read() -> None:
    with atoms.fresh():
        memory, _, both = memories()
        memory.add(Layer(Affine(0), (content(1),), N), RANGES)
        memory.add(Layer(Affine(0), (content(2),), N - 1), RANGES)
        assert len(memory.layers) == 2
        assert memory.row(both, N - 1, RANGES, 1) == memory.first(N, 1)
        memory.most = {"p": N - 2}
        assert memory.row(both, P, RANGES, 1) == memory.first(P + 2, 1)
        memory.add(Layer(Affine(0), (content(3),), N), RANGES)
        assert len(memory.layers) == 1


def test_bytes_after_a_layer_extend_it_only_where_they_are_alike() -> None:
    with atoms.fresh():
        memory, outputs, _ = memories()
        meaning = Meaning({INPUT: memory, OUTPUTS: outputs})
        memory.add(Layer(Affine(0), (content(16),), N), RANGES)
        memory.write(N, memory.first(N + 16, 2), RANGES)
        memory.settle(meaning, RANGES)
        assert [(layer.base, layer.count) for layer in memory.layers] == [(Affine(0), N + 2)]
        memory.write(N + 2, memory.first(N + 19, 1), RANGES)
        memory.settle(meaning, RANGES)
        assert [layer.count for layer in memory.layers] == [Affine(1), N + 2]
        memory.write(N + 3, memory.first(N + 19, 1), RANGES)
        memory.settle(meaning, RANGES)
        assert N + 4 not in [layer.end for layer in memory.layers if layer.base == Affine(0)]


def test_write_that_may_meet_others_is_not_executed() -> None:
    with atoms.fresh():
        memory, _, _ = memories()
        memory.write(N, Bits.number(1, 8), RANGES)
        with pytest.raises(Meets):
            memory.write(P, Bits.number(2, 8), RANGES)


def test_bytes_before_the_input_are_those_that_are_written_first() -> None:
    with atoms.fresh():
        memory, _, both = memories()
        memory.before = 16
        known = Bits.unknown("iv", 128)
        memory.write(Affine(0), known, RANGES)
        assert memory.first(Affine(0)) == known
        assert not memory.written()
        memory.row(both, Affine(64), RANGES)
        memory.write(Affine(0), ~known, RANGES)  # read before, perhaps
        assert memory.first(Affine(0)) == known
        assert memory.row(both, Affine(0), RANGES) == ~known


def test_bytes_that_turn_out_to_be_the_same_are_renamed() -> None:
    with atoms.fresh():
        memory, _, _ = memories()
        memory.before = 16
        known, other = Bits.unknown("iv", 128), memory.first(N)
        memory.write(Affine(0), known, RANGES)
        memory.restrict("n", Affine(4))
        assert memory.first(Affine(4)) == other
        assert memory.first(Affine(0), 4) == known[:32]
        assert memory.renamed == {max(old): new for old, new in zip(known[32:], other, strict=False)}


def proved(of: Claim) -> bool:
    """Whether there is a proof, without the search for a counterexample."""
    spec = specification(of.cipher, of.direction)
    assert spec is not None
    try:
        with atoms.fresh():
            Goal(firmware(of, assembled(of.implementation.image)), spec).prove()
    except (Unprovable, Refuted):
        return False
    return True


def test_bit_of_every_byte_before_the_next_bit_of_any_is_proved() -> None:
    assert proved(claim("aes-128-cfb1", "decrypt"))


MORE = pytest.mark.nightly("seconds each; by day four wrong words and the proof")
WRONG = [
    ("rotx v0, m3[ar0++], v0, 1", "rotx v0, m3[ar0++], v0, 2"),
    ("rotx v1, m3[ar0++], v1, 1", "rotx v1, m3[ar0++], v0, 1"),
    ("and v0, v7, m3[ar1++]", "and v0, v6, m3[ar1++]"),
    ("mov m3[ar4++], v1", "mov m3[ar4], v1"),
    ("rotx v1, m2[ar4++], zero, 1", "rotx v1, m2[ar4++], zero, 2"),
    ("align m2[ar2++], v0, v1, 1", "align m2[ar2++], v0, v3, 1"),
    ("align m2[ar2++], v2, v3, 1", "align m2[ar2++], v2, v3, 2"),
    ("arset ar4, 15", "arset ar4, 14"),
    ("arset ar2, 15", "arset ar2, 16"),
    ("aradd ar7, ar6, 47", "aradd ar7, ar6, 31"),
    ("rotx m3[ar4++], v0, m2[ar2++], 121", "rotx m3[ar4++], v0, m2[ar2++], 120"),
    ("rotx m3[ar4++], v1, m2[ar2++], 121", "rotx m3[ar4++], v0, m2[ar2++], 121"),
    ("mov m3[ar0++], zero", "mov m3[ar0++], v0"),
    ("mov m2[0], m1[aes_iv]", "mov m2[0], zero"),
]


BY_DAY = {0, 5, 8, 13}


@pytest.mark.parametrize(
    ("text", "other"), [pytest.param(*words, marks=() if n in BY_DAY else MORE) for n, words in enumerate(WRONG)]
)
def test_wrong_word_of_the_loops_over_bits_is_not_proved(text: str, other: str) -> None:
    of = claim("aes-128-cfb1", "decrypt")
    where = str(assembled(of.implementation.image).symbol("aes_iv").value)
    text, other = text.replace("aes_iv", where), other.replace("aes_iv", where)
    assert not proved(with_instruction(of, "aes128_cfb1_decrypt", text, other))


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("arset ar2, 0", "arset ar2, 1"),
        ("arstep ar2, 1", "arstep ar2, 2"),
        ("mov m1[aes_iv], m2[ar2]", "mov m1[aes_iv], m2[ar0]"),
        ("arset ar0, 16", "arset ar0, 17"),
    ],
)
def test_wrong_word_of_the_loop_over_bytes_is_not_proved(text: str, other: str) -> None:
    of = claim("aes-128-cfb8", "decrypt")
    where = str(assembled(of.implementation.image).symbol("aes_iv").value)
    text, other = text.replace("aes_iv", where), other.replace("aes_iv", where)
    assert not proved(with_instruction(of, "aes128_cfb8_decrypt", text, other))
