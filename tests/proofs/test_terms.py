"""Canonical forms: equal functions are equal terms, and terms have the values of what they stand for."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable
from typing import Any

import pytest

from lutra.prove import atoms, limits, names
from lutra.prove.affine import Affine
from lutra.prove.bits import Bits, Table, join, named, times
from lutra.prove.control import shifted
from lutra.prove.errors import Unprovable
from lutra.prove.executor import cases
from lutra.prove.functions import words_rotated
from lutra.prove.machine import Machine
from lutra.prove.memory import Memory
from lutra.prove.places import differing, lasting, value_of
from lutra.prove.renaming import Renaming
from lutra.prove.residues import PRIME, add31
from lutra.prove.splits import Split
from lutra.prove.truths import Span

TWO = {"x": 0x3A7F9C01, "y": 0x8F0412EE}


def word(name: str, width: int = 32) -> Bits:
    return Bits.unknown(name, width)


def value(universe: atoms.Atoms, bits: Bits, width: int = 32) -> int:
    return universe.values(lambda name: TWO[name[0]] >> width - 1 - name[1] & 1).number(bits)  # type: ignore[index]


@pytest.mark.parametrize("apply", [operator.xor, operator.and_, operator.or_, operator.add, operator.sub])
def test_term_has_the_value_of_its_operator(apply: Callable[..., Any]) -> None:
    with atoms.fresh() as universe:
        right: Any = apply(TWO["x"], TWO["y"])
        assert value(universe, apply(word("x"), word("y"))) == right % 2**32


def test_sums_do_not_depend_on_the_order() -> None:
    with atoms.fresh():
        x, y = word("x"), word("y")
        assert (x + y) + 5 == (y - 2) + x + 7
        assert x + y - x == y
        assert x + y != x - y


def test_complements_are_sums() -> None:
    """-x - 1 is ~x, of words, sums and words with some bits turned."""
    with atoms.fresh() as universe:
        x, y = word("x"), word("y")
        assert ~x + ~y == ~(x + y + 1)
        assert ~(x - y) + 3 == y - x + 2
        assert (x ^ 1) - (y ^ 0xFFFFFFFE) == (x ^ 1) + (y ^ 1) + 1
        assert ~x + y != x + y
        assert value(universe, ~x + y) == ((TWO["x"] ^ 0xFFFFFFFF) + TWO["y"]) % 2**32


def test_sums_of_a_bit_are_its_masks() -> None:
    """0 - b is b in all places, and b - 1 its complement."""
    with atoms.fresh():
        x = word("x", 1)
        bit, zero = join((Bits.number(0, 7), x)), Bits.number(0, 8)
        assert zero - bit == join([x] * 8)
        assert bit - 1 == ~(zero - bit)
        assert zero - (bit ^ 1) == ~join([x] * 8)
        assert bit + 6 == join((Bits.number(3, 7), x))


def test_products_are_multiplied_out() -> None:
    with atoms.fresh():
        x, y, z = (word(name, 1) for name in "xyz")
        assert (x ^ y) & z == (x & z) ^ (y & z)
        assert (x | y) == ~(~x & ~y)


def test_linear_table_is_a_sum() -> None:
    with atoms.fresh():
        x, y = word("x", 8), word("y", 8)
        turned = Table([(b << 3 | b >> 5) & 0xFF ^ 0x11 for b in range(256)])
        assert turned[x ^ y] == (x ^ y).rotated(3) ^ 0x11
        other = Table([b * b % 251 for b in range(256)])
        assert other[x] != other[y]


def test_equal_columns_of_different_tables_are_equal() -> None:
    rng = random.Random(1)
    box = [rng.randrange(256) for _ in range(256)]
    with atoms.fresh():
        x = word("x", 8)
        assert Table([(b << 1 | b >> 7) & 0xFF for b in box])[x] == Table(box)[x].rotated(1)


def test_bits_that_a_table_ignores_do_not_matter() -> None:
    rng = random.Random(5)
    box = [rng.randrange(256) for _ in range(64)]
    with atoms.fresh() as universe:
        x, y = word("x", 8), word("y", 8)
        wide = Table([box[index >> 1 & 63] for index in range(256)])
        assert wide[x] == wide[join((y[:1], x[1:7], y[7:]))] == Table(box)[x[1:7]]
        assert value(universe, Table(box)[x[1:7]], 8) == box[TWO["x"] >> 1 & 63]


@pytest.mark.parametrize("known", range(8))
def test_table_with_a_known_bit_is_the_table_of_the_others(known: int) -> None:
    rng = random.Random(6)
    box = [rng.randrange(256) for _ in range(256)]
    with atoms.fresh() as universe:
        x = word("x", 8)
        index = join((x[:known], Bits.number(1, 1), x[known + 1 :]))
        assert value(universe, Table(box)[index], 8) == box[TWO["x"] & 255 | 128 >> known]


def test_words_of_a_table_are_its_bytes() -> None:
    with atoms.fresh():
        entries = [word(f"e{n}", 32) for n in range(256)]
        x = word("x", 8)
        assert Table(entries)[x][8:16] == Table([entry[8:16] for entry in entries])[x]


def test_table_of_sums_is_a_sum_of_tables() -> None:
    """As tables of words are made of an S-box and a linear layer."""
    rng = random.Random(4)
    box = [rng.randrange(256) for _ in range(256)]
    with atoms.fresh():
        x = word("x", 8)
        mixed = Table([b ^ (b << 3 | b >> 5) & 0xFF for b in box])[x]
        assert mixed == Table(box)[x] ^ Table(box)[x].rotated(3)


def test_function_is_a_sum_of_generators_or_one_itself() -> None:
    span = Span(2)
    assert span.expressed(0b0110) == {0b1010, 0b1100}
    assert span.expressed(0b1000) == {0b1000}
    assert span.expressed(0b1110) == {0b1010, 0b1100, 0b1000}


def test_residues_are_those_of_the_standard() -> None:
    rng = random.Random(2)
    for _ in range(50):
        words = [rng.randrange(1, PRIME + 1) for _ in range(6)]
        right = sum(words) % PRIME or PRIME
        assert add31(*(Bits.number(w, 31) for w in words)).value == right


def test_conditional_word_is_a_product() -> None:
    with atoms.fresh() as universe:
        x, y = word("x"), word("y")
        assert value(universe, times(x[0], y)) == (TWO["y"] if TWO["x"] >> 31 else 0)


def test_addresses_that_may_be_equal_are_not_taken_to_be_different() -> None:
    with atoms.fresh():
        memory, ranges = Memory("m2", 4096), {"n": (0, 10)}
        memory.write(Affine(0x100), Bits.number(1, 128), ranges)
        with pytest.raises(Unprovable):
            memory.read(Affine.symbol("n") * 16 + 0x90, ranges)
        assert memory.read(Affine.symbol("n") * 16 + 0x110, ranges) != memory.read(Affine(0x100), ranges)


def test_bytes_follow_each_other() -> None:
    assert join([Bits.number(1, 8), Bits.number(2, 8)]).to_bytes() == b"\1\2"


def test_renamed_term_is_the_term_of_other_unknowns() -> None:
    """All kinds of atoms: a table, a product, an opaque one, a sum, a function."""
    box = Table([b * b % 251 for b in range(256)])

    def term(x: Bits, y: Bits) -> Bits:
        looked = join(box[byte] for byte in (x ^ y).bytes)
        linear = join(Bits((frozenset().union(*x[: i + 1]),)) for i in range(32))
        return ((looked + x) & (y + 3)) ^ (linear & ~linear.rotated(1)) ^ words_rotated((x, looked), x, y)[0]

    with atoms.fresh() as universe:
        names = {("x", i): bit for i, bit in enumerate(word("z", 32))}
        renamed = Renaming(universe, lambda name: names.get(name))  # type: ignore[call-overload]
        assert Bits(renamed(term(word("x"), word("y")))) == term(word("z"), word("y"))


def test_products_of_long_sums_are_known_by_their_factors_alone() -> None:
    """Multiplied out, sums of products are found equal that are not otherwise; both have their values."""
    for most, equal in ((limits.MOST_TERMS, True), (1, False)):
        with atoms.fresh() as universe:
            universe.most_terms = most
            x, y = word("x"), word("y")
            z = x.rotated(5) ^ y.rotated(3)
            whole, parts = (x ^ y) & z, (x & z) ^ (y & z)
            assert (whole == parts) == equal
            assert value(universe, whole) == value(universe, parts)


def test_name_of_a_sum_is_its_value_and_stands_for_it() -> None:
    """Products of names are products of atoms; the complement of a sum is that of its name."""
    with atoms.fresh() as universe:
        x, y = word("x"), word("y")
        name, other = named(x ^ y), named(x ^ y.rotated(1))
        assert Bits(universe.names.found(~(x ^ y))) == ~name != ~(x ^ y)
        assert value(universe, name & other) == (TWO["x"] ^ TWO["y"]) & value(universe, other)
        assert Bits(universe.names.found(x ^ y ^ 1)) != name
        assert named(~x) == ~x


def test_names_of_a_path_are_forgotten_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atoms, "MANY", 0)
    with atoms.fresh() as universe:
        x, y = word("x"), word("y")
        kept, mark = named(x ^ y), universe.mark()
        named(x ^ y.rotated(1))
        universe.forget(mark)
        assert named(x ^ y) == kept
        assert not set(x ^ y.rotated(1)) & set(universe.names.known)


def test_sum_that_is_too_long_gets_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "MOST", 1)
    with atoms.fresh() as universe:
        x, y = word("x"), word("y")
        assert Bits(universe.names.found(x ^ y)) == named(x ^ y)


def test_chosen_entry_of_unknown_ones_has_their_value() -> None:
    """It is the same function of equal entries, and another one of other entries."""
    with atoms.fresh() as universe:
        x, y = word("x"), word("y")
        box, same = (Table([x[:8] ^ n for n in range(256)]) for _ in range(2))
        assert box[y[:8]] == same[y[:8]] != Table([x[8:16] ^ n for n in range(256)])[y[:8]]
        assert value(universe, box[y[:8]]) == (TWO["x"] ^ TWO["y"]) >> 24
        names_ = {("x", i): bit for i, bit in enumerate(word("z"))}
        renamed = Renaming(universe, lambda name: names_.get(name))  # type: ignore[call-overload]
        z = word("z")
        assert Bits(renamed(box[y[:8]])) == Table([z[:8] ^ n for n in range(256)])[y[:8]]


def test_places_that_differ_are_those_whose_values_do() -> None:
    with atoms.fresh():
        before = Machine(memories=[Memory(f"m{n}", 4096) for n in range(4)])
        before.memories[0].write(Affine(16), word("a", 128), {})
        before.memories[1].write(Affine(0), word("b", 128), {})
        after = before.copy()
        after.memories[0].write(Affine(20), word("c", 8), {})
        after.memories[0].write(Affine(16), word("a", 128)[:8], {})  # what was there
        after.memories[1].write(Affine(0, (("n", 16),)) + 64, word("d", 8), {"n": (0, 3)})
        after.contexts[1].s[3] = word("e")
        after.ranges["n"] = 0, 3
        after.memories[0].forget()  # a loop may have written anywhere
        new = lasting(after)
        overwritten = {("memory", 0, (), at) for at in range(16, 32)}
        moving = {("memory", 1, (), at) for at in range(64, 64 + 3 * 16 + 1)}
        assert differing(before, after) == {("context", 1, "s", 3)} | overwritten | moving
        assert all(value_of(after, place) == new[place] for place in new)
        gone = value_of(after, ("memory", 0, (), 16))
        assert not gone.known
        assert gone != lasting(before)["memory", 0, (), 16]


def test_shift_by_more_than_a_job_has_is_a_case_for_each_quotient() -> None:
    """A job of up to 256 rows, in chunks of 128: rows and the quotient are known in each case but one."""
    machine = Machine(ranges={"n": (1, 256)})
    with pytest.raises(Split) as split:
        shifted(machine, Affine.symbol("n"), 7)
    found = [*cases(split.value, machine.ranges)]
    assert [case.range for case in found] == [(0, 126), (0, 127), (0, 0)]
    for quotient, case in enumerate(found):
        machine.ranges[case.symbol] = case.range
        assert shifted(machine, case.value, 7) == Affine(quotient)
    assert found[2].value == Affine(256)


def test_table_of_a_small_degree_is_a_sum_of_products() -> None:
    with atoms.fresh() as known:
        known.degree = 2
        x = word("x", 4)
        product = Table([x >> 3 & x >> 1 & 1 ^ x & 1 for x in range(16)], 1)
        assert product[x] == (x[:1] & x[2:3]) ^ x[3:]
        assert product[x] != (x[:1] & x[1:2]) ^ x[3:]
        cubic = Table([int(x & 7 == 7) for x in range(16)], 1)
        assert cubic[x] != x[1:2] & x[2:3] & x[3:]  # of degree 3: an atom of its own
        known.degree = 3
        assert cubic[x] == x[1:2] & x[2:3] & x[3:]


def test_where_multiplying_out_takes_too_much_a_bit_is_anything() -> None:
    with atoms.fresh() as known:
        known.degree = 2
        few, many = word("x", 4), Bits(frozenset[int]().union(*word(f"y{place}", 20)) for place in range(4))
        product = Table([x >> 3 & x >> 1 & 1 for x in range(16)], 1)
        assert product[few] == few[:1] & few[2:3]
        assert product[many] != many[:1] & many[2:3]
        assert many & few.rotated(1) == many & few.rotated(1)
        assert many & many.rotated(1) != many & many.rotated(1)
        assert Table([x >> 3 & 1 ^ x & 1 for x in range(16)], 1)[many] == many[:1] ^ many[3:]  # a sum of inputs


def test_bytes_that_a_write_may_meet_are_unknown() -> None:
    with atoms.fresh():
        memory, ranges = Memory("m1", 4096), {"n": (0, 10)}
        memory.lenient = True
        memory.write(Affine(40), word("a", 128), ranges)
        before = memory.read(Affine(40), ranges)
        memory.write(Affine.symbol("n") * 4, word("b", 128), ranges)
        after = memory.read(Affine(56), ranges)  # beyond what the write may meet
        assert after == memory.first(Affine(56))
        with pytest.raises(Unprovable, match="may be the same place"):
            memory.read(Affine(40), ranges)
        memory.restrict("n", Affine(10))
        now = memory.read(Affine(40), ranges)
        assert now == word("b", 128)
        assert now != before
