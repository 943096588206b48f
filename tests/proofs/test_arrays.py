"""Bytes that passes of a loop leave, each further on, are those of an array."""

from __future__ import annotations

import random

import pytest

from lutra.prove import atoms
from lutra.prove.affine import Affine
from lutra.prove.arrays import NUMBER, Array, Parts, last
from lutra.prove.bits import Bits
from lutra.prove.memory import Memory

N = Affine.symbol("n")


def parts(offset: int) -> Parts:
    """The value of a byte: pass and offset, as an address of a memory."""
    return ((2, Affine.symbol(NUMBER) * 100 + offset),)


def test_byte_that_nothing_has_read_is_lost_and_another_one_is_not() -> None:
    with atoms.fresh():
        memory = Memory("m1", 4096)
        read = memory.read(Affine(16), {}, 1)
        for at in (16, 17):
            memory.write(Affine(at), Bits.number(0, 8), {})
        assert not memory.lose(16)
        assert memory.read(Affine(16), {}, 1) == Bits.number(0, 8)
        assert memory.lose(17)
        assert memory.read(Affine(17), {}, 1) not in (Bits.number(0, 8), read)
        memory.forget()
        memory.read(Affine(18), {}, 1)
        assert not memory.lose(18)


@pytest.mark.parametrize("by", [16, 32, -16, -32])
def test_array_has_the_byte_that_was_written_last(by: int) -> None:
    rng = random.Random(by)
    for _ in range(20):
        low, size, count = rng.randrange(-40, 10), rng.randrange(1, 60), rng.randrange(1, 6)
        written = {
            1000 + by * n + offset: ((2, Affine(100 * n + offset)),)
            for n in range(count)
            for offset in range(low, low + size)
        }
        array = Array(Affine(1000), by, Affine(count), last({at: parts(at) for at in range(low, low + size)}, by))
        for at in range(700, 1300):
            found = array.parts(Affine(at), {})
            assert found is None or found == written[at]
            assert at not in written or array.meets(Affine(at), 1, {}) or found is None
        inside = [at for at in written if array.parts(Affine(at), {}) is not None]
        assert len(inside) == count * min(size, abs(by))


def test_byte_that_is_not_known_is_in_no_array() -> None:
    """A later pass overwrites the byte that is known by one that is not."""
    assert last({0: None, 16: parts(16), 1: parts(1)}, 16) == {1: parts(1)}
    assert last({0: parts(0), 16: None}, -16) == {}


def test_byte_is_known_only_where_its_pass_was_done() -> None:
    array = Array(Affine(64), 16, N + 1, {0: parts(0)})
    ranges = {"n": (0, 9), "m": (0, 9)}
    assert array.parts(N * 16 + 64, ranges) == ((2, N * 100),)
    assert array.parts(N * 16 + 80, ranges) is None  # of the pass after the last one
    assert array.parts(Affine.symbol("m") * 16 + 64, ranges) is None  # m may be more than n
    assert array.parts(N * 8 + 64, ranges) is None


def test_write_beyond_the_last_pass_does_not_meet() -> None:
    array = Array(Affine(64), -16, N + 1, {0: parts(0), 15: parts(15)})
    ranges = {"n": (0, 9)}
    assert not array.meets(N * -16 + 48, 16, ranges)
    assert array.meets(N * -16 + 49, 16, ranges)
    assert not array.meets(Affine(80), 16, ranges)
    assert array.meets(Affine(0), 16, ranges)


def test_array_follows_what_is_known_of_its_length() -> None:
    array = Array(Affine(64), 16, N + 1, {0: parts(0)}).with_("n", Affine(3))
    assert array.parts(Affine(112), {}) == ((2, Affine(300)),)
    assert array.parts(Affine(128), {}) is None


def test_bytes_that_a_loop_has_written_over_are_not_what_they_were() -> None:
    """Where none of a pass's bytes is known in an array, at the address of the last pass and at others."""
    with atoms.fresh():
        memory, ranges = Memory("m2", 4096), {"n": (0, 9)}
        before = {at: Memory("m2", 4096).read(at, ranges) for at in (Affine(0), N * 16)}
        memory.write(N * 16, Bits.number(5, 128), ranges)
        memory.keep("n", (), ranges)
        for at, was in before.items():
            assert memory.read(at, ranges) != was
            assert memory.read(at, ranges) != Bits.number(5, 128)


def test_bytes_that_no_loop_has_written_are_what_they_were() -> None:
    with atoms.fresh():
        memory, ranges = Memory("m2", 4096), {"n": (0, 9)}
        before = memory.read(N * 16, ranges)
        memory.keep("n", (), ranges)
        assert memory.read(N * 16, ranges) == before
