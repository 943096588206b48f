"""Outputs of tables that are taken again by the next path: for its own inputs, and by nothing that is still in use."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

from lutra.prove import atoms, check
from lutra.prove.bits import Bits, Table, join, named, once
from lutra.prove.errors import SpecificationError
from lutra.prove.kept import Kept
from lutra.prove.specifications import cmac
from lutra.prove.values import Values
from support import keeping
from support.keeping import BOXES, Specification
from support.wrong_firmware import claim, with_word

Pair = tuple[Bits, int]  # a word, and its value for those of the unknowns
UNKNOWNS = 4


@pytest.fixture(autouse=True)
def universe() -> Iterator[atoms.Atoms]:
    with atoms.fresh() as made:
        yield made


def unknown(n: int) -> int:
    """The value of an unknown byte."""
    return 0x35 * n + 0x5C & 0xFF


def values(universe: atoms.Atoms) -> Values:
    return universe.values(lambda name: unknown(name[0]) >> 7 - name[1] & 1)  # type: ignore[index]


def looked_up(x: Pair, n: int) -> Pair:
    return BOXES[n][x[0]], BOXES[n].entries[x[1]].value


@once
def mixed(x: Bits, y: Bits) -> Bits:
    return BOXES[0][named(x + BOXES[1][y])] ^ x


def made(rng: random.Random, words: list[Pair]) -> Pair:
    """A word made of those that there are."""
    (x, a), (y, b) = rng.sample(words, 2)
    match rng.randrange(9):
        case 0:
            return x ^ y, a ^ b
        case 1:
            return x + y, a + b & 0xFF
        case 2:
            return x & y, a & b
        case 3:
            inner = a + looked_up((y, b), 1)[1] & 0xFF
            return mixed(x, y), BOXES[0].entries[inner].value ^ a
        case 4:
            return named(x ^ y, rng.choice(words)[0]), a ^ b
        case 5:
            return Bits(atoms.current().names.found(x ^ y)), a ^ b
        case 6:
            z, c = rng.choice(words)
            return Bits(atoms.current().names.found(x ^ y ^ z)), a ^ b ^ c
    return looked_up((x, a), rng.randrange(2))


def split(universe: atoms.Atoms, rng: random.Random, words: list[Pair], depth: int) -> None:
    """A path, and those that split off, as `executor.paths` does them."""
    words = list(words)
    for _ in range(rng.randrange(4, 9)):
        words.append(made(rng, words))
    mark = universe.mark()
    for _ in range(3 if depth else 0):
        universe.forget(mark)
        split(universe, rng, words, depth - 1)
    now = values(universe)
    assert [now.number(word) for word, _ in words] == [value for _, value in words]


@pytest.mark.parametrize("seed", range(20))
def test_words_of_a_path_have_their_values_whatever_came_before(universe: atoms.Atoms, seed: int) -> None:
    words = [(Bits.unknown(n, 8), unknown(n)) for n in range(UNKNOWNS)]
    split(universe, random.Random(seed), words, 2)


def test_next_path_takes_outputs_for_inputs_of_its_own(universe: atoms.Atoms) -> None:
    x, y = Bits.unknown(0, 8), Bits.unknown(1, 8)
    before = universe.mark()
    first = BOXES[0][x]
    universe.forget(before)
    assert BOXES[0][y] == first, "the same atoms"
    assert BOXES[0][x] != first
    assert values(universe).number(first) == BOXES[0].entries[unknown(1)].value


def test_next_path_takes_names_for_sums_of_its_own(universe: atoms.Atoms) -> None:
    x, y, z = (Bits.unknown(n, 8) for n in range(3))
    before = universe.mark()
    first = BOXES[0][named(x ^ y, z)]
    universe.forget(before)
    assert BOXES[0][named(x ^ z)] == first, "the same atoms"
    assert Bits(universe.names.found(x ^ y)) == x ^ y
    assert Bits(universe.names.found(x ^ z ^ y)) == x ^ y ^ z
    assert named(x ^ z, y) == named(x ^ z) == Bits(universe.names.found(x ^ z ^ y)) ^ y
    assert values(universe).number(first) == BOXES[0].entries[unknown(0) ^ unknown(2)].value


def test_outputs_of_a_result_that_is_found_again_are_in_use(universe: atoms.Atoms) -> None:
    x, y = (Bits.unknown(0, 8), unknown(0)), (Bits.unknown(1, 8), unknown(1))
    before = universe.mark()
    first = mixed(x[0], y[0])
    right = values(universe).number(first)
    universe.forget(before)
    assert mixed(x[0], y[0]) == first
    assert looked_up(y, 0)[0] != first
    assert values(universe).number(first) == right


def test_outputs_that_a_path_has_left_to_do_are_not_taken(universe: atoms.Atoms) -> None:
    x, y = Bits.unknown(0, 8), Bits.unknown(1, 8)
    first = BOXES[0][x]
    universe.forget(universe.mark())
    assert BOXES[0][y] != first == BOXES[0][x]


def test_results_stay_where_a_path_has_made_little_itself(
    universe: atoms.Atoms, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The memory is that of what came before it, which forgetting would not free."""
    monkeypatch.setattr(atoms, "MANY", 64)
    made: list[int] = []

    def result(n: int) -> Bits:
        def word() -> Bits:
            made.append(n)
            return Bits.unknown(n, 8)

        found: Bits = universe.results.once(n, word)
        return found

    for n in range(10):
        result(n)
    for begin, own in ((10, 0), (10, 9)):
        mark = universe.mark()
        for n in range(begin, begin + own):
            result(n)
        universe.forget(mark)
        made.clear()
        result(0)
        assert bool(made) == bool(own)


def test_bits_that_may_be_anything_are_taken_again_by_the_next_path_only(universe: atoms.Atoms) -> None:
    mark = universe.mark()
    first = [universe.anything.bit() for _ in range(2)]
    assert len({*first}) == 2
    inner = universe.mark()
    own = universe.anything.bit()
    assert own not in first
    universe.forget(inner)
    assert universe.anything.bit() == own
    universe.forget(mark)
    assert [universe.anything.bit() for _ in range(2)] == first


def test_result_with_new_bits_that_may_be_anything_is_not_found_where_others_come_next(universe: atoms.Atoms) -> None:
    """Two bits of a path that may be anything must not be found equal."""

    def result() -> Bits:
        found: Bits = universe.results.once("result", lambda: Bits((universe.anything.bit(),)))
        return found

    mark = universe.mark()
    first = result()
    assert result() != first
    universe.forget(mark)
    other = Bits((universe.anything.bit(),))
    assert result() != other


def test_what_is_made_of_bits_that_may_be_anything_may_be_anything(universe: atoms.Atoms) -> None:
    universe.degree = 2
    x, anything = Bits.unknown(1, 1), Bits((universe.anything.bit(),))
    assert x & anything != x & anything
    table = Table([0, 0, 0, 1], 1)
    assert table[join((x, anything))] != table[join((x, anything))]
    (found,) = universe.names.found(x ^ anything)
    assert not {found} & {*x, *anything, *(x ^ anything)}


@pytest.mark.parametrize("keep", keeping.WAYS, ids=lambda keep: keep.__name__)
def test_word_that_is_kept_is_refused(universe: atoms.Atoms, keep: Callable[[Specification, Bits], None]) -> None:
    of = Specification()
    universe.unused = Kept(of).check
    mark = universe.mark()
    keep(of, BOXES[0][Bits.unknown(1, 8)])
    with pytest.raises(SpecificationError, match="keeps a word that it has made, in "):
        universe.forget(mark)
    Specification.shared = ()
    Specification.cached.cache_clear()


def test_word_that_a_module_keeps_is_refused(universe: atoms.Atoms) -> None:
    module = ModuleType("specification_of_otter")
    exec("def function(x):\n    global last\n    last = x", vars(module))
    universe.unused = Kept(module.function).check
    mark = universe.mark()
    module.function(BOXES[0][Bits.unknown(1, 8)])
    with pytest.raises(SpecificationError, match="in specification_of_otter"):
        universe.forget(mark)


def test_constants_and_words_of_the_key_may_be_kept(universe: atoms.Atoms) -> None:
    of = Specification()
    universe.unused = Kept(of).check
    mark = universe.mark()
    assert BOXES[0][Bits.unknown(1, 8)] != of.keys[0]
    of.constants[1] = BOXES[0][Bits.number(7, 8)]
    of.more.append(of.keys[0][2:5])
    universe.forget(mark)


def test_specification_with_a_state_of_its_own_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """CMAC that has the last block in an attribute."""
    monkeypatch.setattr(cmac.Cmac, "step", keeping.step(cmac.Cmac.step))
    with pytest.raises(SpecificationError, match=r"in Cmac\.chain"):
        check(claim("aes-128-cmac"))


def test_mac_that_is_wrong_for_some_lengths_is_refuted() -> None:
    """Padded blocks, of which each length is a path, meet no subkey."""
    assert check(with_word(claim("aes-128-cmac"), "aes128_cmac", 37, "mov v7, zero")).state == "refuted"
