"""MACs of stream ciphers: polynomials over GF(2^64), windows of a keystream, lengths that firmware adds up."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from lutra.prove import Claim, check
from lutra.prove.atoms import current, fresh
from lutra.prove.bits import Bits, join
from lutra.prove.galois import product64
from lutra.prove.hash_unit import ENDS, GF64, HashUnit
from lutra.prove.specifications import zuc
from models.snow3g import mul64
from support.wrong_firmware import claim, with_instruction

MORE = pytest.mark.nightly("20 s; by day the MAC of SNOW 3G is proved, and a wrong one of ZUC refuted")
VALUES = random.Random(1)


@pytest.mark.parametrize("name", ["uia2", pytest.param("128-eia3", marks=MORE)])
def test_mac_of_a_stream_cipher_is_proved(name: str) -> None:
    assert check(claim(name)).state == "proved"


def wrong_length() -> Claim:
    """The length in 16 bits per word."""
    return with_instruction(claim("uia2"), "snow3g_f9_update", "rotx v2, v2, zero, 5", "rotx v2, v2, zero, 4")


def lost_block() -> Claim:
    """The second block of a row is multiplied once only."""
    return with_instruction(claim("uia2"), "snow3g_f9", "gffold", "gfstep")


def wrong_window() -> Claim:
    """The windows of the message one bit further on."""
    return with_instruction(claim("128-eia3"), "zuc_eia3", "ghsetr v5", "ghset v5")


@pytest.mark.parametrize("wrong", [wrong_length, lost_block, wrong_window])
def test_wrong_mac_of_a_stream_cipher_is_refuted(wrong: Callable[[], Claim]) -> None:
    outcome = check(wrong())
    assert outcome.state == "refuted", outcome.reason
    assert "row 0 of the result is wrong" in outcome.reason


def value(word: Bits, known: dict[str, int]) -> int:
    """The value of a word where unknown words of 64 bits have values."""
    return current().values(lambda name: known[name[0]] >> 63 - name[1] & 1).number(word)  # type: ignore[index]


def test_product_in_gf_2_64_has_the_value_of_the_standard() -> None:
    with fresh():
        v, p = Bits.unknown("v", 64), Bits.unknown("p", 64)
        made, one = product64(v, p), Bits.number(1, 64)
        known = {name: VALUES.getrandbits(64) for name in "vp"}
        assert value(made, known) == mul64(known["v"], known["p"])
        assert product64(Bits.number(3, 64), Bits.number(1 << 63, 64)).value == mul64(3, 1 << 63)
        assert product64(v, one) == v == product64(one, v)
        assert product64(v, p) is not made
        assert product64(v, p) == made


def test_two_steps_in_gf_2_64_are_a_product_whatever_has_been_multiplied_before() -> None:
    """Bits are in reverse in the hash unit. After one step the sum is a part of the product."""
    with fresh():
        v, p, unit = Bits.unknown("v", 64), Bits.unknown("p", 64), HashUnit()
        known, none = {name: VALUES.getrandbits(64) for name in "vp"}, Bits.number(0, 64)
        ENDS["ToFactor"](unit, join((none, p.reversed())), none)
        ENDS["ToInput"](unit, join((none, v.reversed())), none)
        ENDS["FieldStep"](unit, none, none)
        halves = value(unit.gy[64:].reversed(), known)
        assert halves == mul64(known["v"] >> 32, known["p"])
        begun = unit.begun
        ENDS["FieldStep"](unit, none, none)
        assert unit.gy == join((none, product64(v, p).reversed()))
        assert begun not in (unit.begun, 0)
        ENDS["FieldStep"](unit, none, none)
        assert value(unit.gy[64:].reversed(), known) == mul64(mul64(known["v"], known["p"]), 1 << 32)
        other = HashUnit()
        other.begun = begun
        assert (other.field, other.steps) == (GF64, 1)


def test_windows_of_a_keystream_are_in_the_middle_of_a_product() -> None:
    """So the row that firmware keeps has T, for all words."""
    with fresh():
        text, z = Bits.unknown("text", 32), Bits.unknown("z", 128)
        selected = zuc.windows(text, z)
        assert zuc.coefficients(text, z)[zuc.FIRST : zuc.FIRST + zuc.WORD] == selected


def test_sum_of_words_that_end_with_constants_is_that_of_shorter_ones() -> None:
    with fresh() as atoms:
        count, before = Bits.unknown("count", 11), Bits.unknown("before", 32)
        length = join((Bits.number(0, 16), count, Bits.number(21, 5)))
        wide = join((Bits.number(0, 21), count))
        assert before + length == Bits(atoms.add([(before, 1), (wide, 32)], 21))
        assert (before + length) - before == length
        assert before + length != before + (length ^ 1)


def test_tag_of_bits_of_a_word_is_that_of_a_word_with_others_after_them() -> None:
    """Bits beyond the message do not count, and neither does what is around T."""
    job = zuc.Eia3(Bits.of(bytes(range(16))))
    state = job.begin(Bits.of(bytes(16)))
    around = join((Bits.number(-1, zuc.FIRST), Bits.number(0, zuc.WORD), Bits.number(-1, 128 - zuc.FIRST - zuc.WORD)))
    other = {**state, "sum": state["sum"] ^ around}
    tags = {job.tag(of, Bits.number(0xABCDE << 12 | beyond, 32), 20) for of in (state, other) for beyond in (0, 5)}
    assert len(tags) == 1
