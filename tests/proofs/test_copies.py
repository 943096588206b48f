"""Outputs that a loop has copied are found by the number of their unit, and nothing else is."""

from __future__ import annotations

import pytest

from lutra.prove import atoms, copies
from lutra.prove.affine import Affine
from lutra.prove.arrays import Copy
from lutra.prove.bits import Bits, join
from lutra.prove.errors import Meets
from lutra.prove.machine import Machine
from lutra.prove.memory import Memory
from lutra.prove.specifications.snow3g import Snow3g
from lutra.prove.splits import Split
from lutra.prove.sweeps import Sweeps
from lutra.prove.track import INPUT, Track

N, PASS = Affine.symbol("n"), Affine.symbol("pass")
WORD = 4


def copying(total: Affine) -> tuple[Track, Track]:
    """A job whose outputs have been compared, in front of a loop over them and after a pass of it."""
    ranges = {"n": (0, 100), "pass": (0, 99)}
    machine = Machine(memories=[Memory(f"m{n}", 4096) for n in range(4)], ranges=ranges)
    cipher = Snow3g(Bits.number(1, 128))
    state, none = cipher.begin(Bits.unknown("iv", 128)), Affine(0)
    before = Track(machine, cipher, state, none, total, none, none, 0)
    before.sweeps = Sweeps(machine.copy(), state, compared=(state, total), loop=(0, 1), silent=True)
    end = before.copy()
    assert end.sweeps is not None
    end.done = PASS
    end.state = {name: join(end.sweeps.after(PASS, name, word)) for name, word in state.items()}
    return before, end


def write(end: Track, at: Affine, *data: Bits) -> None:
    end.machine.memories[INPUT].write(at, join(data), end.machine.ranges)


def test_copy_of_each_output_at_its_place_is_found() -> None:
    with atoms.fresh():
        before, end = copying(N)
        write(end, PASS * WORD, *end.ahead(1)[1])
        assert copies.found(before, end, "pass", 1)
        assert copies.have(end.machine)
        assert end.machine.memories[INPUT].arrays == (Copy.of(Affine(0), WORD, PASS + 1),)


@pytest.mark.parametrize("by", [WORD, -WORD, 1])
def test_output_at_the_place_of_another_one_is_not_a_copy(by: int) -> None:
    with atoms.fresh():
        before, end = copying(N)
        write(end, PASS * WORD + by, *end.ahead(1)[1])
        assert not copies.found(before, end, "pass", 1)
        assert not copies.have(end.machine)


def test_another_output_or_the_input_is_not_a_copy() -> None:
    for other in (1, 2, None):
        with atoms.fresh():
            before, end = copying(N)
            write(end, PASS * WORD, end.unit(0) if other is None else end.ahead(3)[1][other])
            assert not copies.found(before, end, "pass", 1)


def test_pass_that_writes_anything_else_there_copies_nothing() -> None:
    """A later pass might write it to what has been copied."""
    for other in (Affine(400), PASS * WORD + 2, PASS * WORD + WORD, PASS * 8):
        with atoms.fresh():
            before, end = copying(N)
            end.machine.memories[INPUT].lenient = True
            write(end, other, Bits.unknown("other", 32))
            write(end, PASS * WORD, *end.ahead(1)[1])
            assert not copies.found(before, end, "pass", 1)


def test_every_second_output_is_not_a_copy() -> None:
    with atoms.fresh():
        before, end = copying(N)
        end.done = PASS * 2
        write(end, end.place(), *end.ahead(1)[1])
        assert not copies.found(before, end, "pass", 1)


def known(track: Track, n: int) -> bool:
    """Whether the memory has the output of a unit after those that are done."""
    memory, place = track.machine.memories[INPUT], track.place(n)
    bytes_ = [memory.known(place + i) for i in range(WORD)]
    return None not in bytes_ and join(byte for byte in bytes_ if byte is not None) == track.ahead(n + 1)[1][n]


def test_units_ahead_are_known_only_where_every_pass_has_them() -> None:
    for less, units in ((0, 1), (1, 2), (2, 3)):
        with atoms.fresh():
            _, end = copying(N)
            end.machine.memories[INPUT].arrays = (Copy.of(Affine(0), WORD, N),)
            copies.put(end, Affine(0), N - less)
            assert [known(end, n) for n in range(3)] == [n < units for n in range(3)]


def test_first_units_are_known_after_the_loop_if_there_are_so_many() -> None:
    with atoms.fresh():
        before, end = copying(N + 3)
        write(end, PASS * WORD, *end.ahead(1)[1])
        assert copies.found(before, end, "pass", 1)
        few = before.copy()
        few.total = N + 2
        with pytest.raises(Split):
            copies.begin(few, end, "pass", N + 2)
        copies.begin(before, end, "pass", N + 3)
        assert end.machine.ranges["pass"] == (2, 99)
        first = before.copy()
        first.machine = end.machine
        assert [known(first, n) for n in range(3)] == [True] * 3


def test_copy_that_is_written_again_is_none() -> None:
    with atoms.fresh():
        _, end = copying(N)
        memory = end.machine.memories[INPUT]
        memory.lenient, memory.arrays = True, (Copy.of(Affine(0), WORD, N + 1),)
        write(end, N * WORD + WORD, Bits.unknown("behind", 32))
        assert copies.have(end.machine)
        write(end, N * WORD, Bits.unknown("last", 32))
        assert not copies.have(end.machine)


def test_known_byte_is_read_until_something_may_be_written_there() -> None:
    with atoms.fresh():
        memory, ranges = Memory("m3", 4096), {"n": (0, 10)}
        memory.lenient = True
        memory.write(N * 16, Bits.unknown("a", 128), ranges)
        with pytest.raises(Meets):
            memory.read(Affine(0), ranges)
        for i in range(16):
            memory.know(Affine(i), Bits.number(i, 8))
        assert memory.read(Affine(0), ranges) == join(Bits.number(i, 8) for i in range(16))
        memory.write(N * 16 + 8, Bits.unknown("b", 128), ranges)
        with pytest.raises(Meets):
            memory.read(Affine(0), ranges)


def test_word_of_the_state_is_made_of_one_some_units_before() -> None:
    """A loop ends with passes that are done one by one; what others have left is compared after as many units."""
    with atoms.fresh():
        _, end = copying(N + 3)
        assert end.sweeps is not None
        since, m = end.copy(), Affine.symbol("m")
        since.done, end.machine.ranges["m"] = m, (0, 99)
        since.state = {name: join(end.sweeps.after(m, name, word)) for name, word in since.state.items()}
        for name, word in end.state.items():
            end.state = {**end.state, name: join(end.sweeps.after(N + 2, name, word))}
        end.restrict("n", m - 1, since)
        assert end.state == since.ahead(1)[0]
        assert end.total == m + 2


def test_read_that_may_meet_other_bytes_finds_anything_outside_of_loops() -> None:
    with atoms.fresh():
        _, end = copying(N)
        machine, row = end.machine, Bits.unknown("row", 128)
        machine.memories[INPUT].write(N * 16, row, machine.ranges)
        with pytest.raises(Meets):
            machine._read(INPUT, Affine(16))
        machine.vague = True
        found = machine._read(INPUT, Affine(16))
        assert found not in (row, machine._read(INPUT, Affine(16)), machine.memories[INPUT].first(Affine(16)))
        assert machine._read(INPUT, N * 16) == row
