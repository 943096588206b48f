"""Loops that go over a message one after the other: names by numbers of units, products, and bytes written last."""

from __future__ import annotations

import random
from typing import Any

import pytest

from lutra.prove import atoms, specification
from lutra.prove.affine import Affine
from lutra.prove.bits import Bits, join
from lutra.prove.echoes import places
from lutra.prove.errors import Unprovable
from lutra.prove.executor import MOST_PASSES, cases, taken
from lutra.prove.galois import multiplied, product
from lutra.prove.jobs import Delayed, Following, Remembered, completed
from lutra.prove.machine import Machine
from lutra.prove.memory import Memory
from lutra.prove.specifications.snow3g import Snow3g
from lutra.prove.splits import Split
from lutra.prove.sweeps import AFTER, Sweeps
from lutra.prove.track import INPUT, OUTPUT, Track
from support.wrong_firmware import claim

N = Affine.symbol("n")


def block(name: str) -> Bits:
    return Bits.unknown(name, 128)


def test_product_is_linear_in_constants_of_its_factors() -> None:
    rng = random.Random(4)
    with atoms.fresh() as universe:
        known = {"x": rng.getrandbits(128), "h": rng.getrandbits(128)}
        x, h = block("x"), block("h")
        c, d = (Bits.number(rng.getrandbits(128), 128) for _ in range(2))
        assert product(x ^ c, h) ^ product(x ^ d, h) == product(c ^ d, h)
        assert product(h, c) == product(c, h)
        assert product(x ^ c, h) != product(x, h)
        made = [(a, b, product(a, b)) for a, b in ((x ^ c, h), (c, h ^ d), (x ^ c, h ^ d), (c, d))]
        values = universe.values(lambda name: known[name[0]] >> 127 - name[1] & 1)  # type: ignore[index]
        for a, b, found in made:
            assert values.number(found) == multiplied(values.number(a), values.number(b))


def job(total: Affine, silent: bool = False) -> Track:
    """A job of SNOW 3G whose loops begin with the first word each."""
    machine = Machine(memories=[Memory(f"m{n}", 4096) for n in range(4)], ranges={"n": (0, 100), "m": (0, 100)})
    cipher = Snow3g(Bits.number(1, 128)).twice()
    state = {**cipher.begin(Bits.unknown("iv", 128)), **cipher.begin_job()}
    none = Affine(0)
    track = Track(machine, cipher, state, none, total, none, none, 0)
    track.sweeps = Sweeps(machine.copy(), state, silent=silent)
    return track


def test_word_of_the_state_is_known_by_the_number_of_units() -> None:
    with atoms.fresh():
        track = job(N)
        track.machine.vectors[0] = join((Bits.unknown((AFTER, (N * 4, "sum")), 128),))
        track.machine.vectors[1] = track.machine.memories[INPUT].first(N * 16)
        other = track.copy()
        track.restrict("n", Affine.symbol("m"))
        assert track.machine.vectors[0] == Bits.unknown((AFTER, (Affine.symbol("m") * 4, "sum")), 128)
        assert track.machine.vectors[1] == track.machine.memories[INPUT].first(Affine.symbol("m") * 16)
        other.restrict("n", Affine(1))
        assert other.sweeps is not None
        after = other.sweeps.state
        for n in range(4):
            after, _ = other.job.step(after, other.machine.memories[INPUT].first(Affine(4 * n), 4))
        assert other.machine.vectors[0] == after["sum"]


def test_late_words_are_the_last_outputs() -> None:
    """A row is two of them and the next two, turned by a bit as often as another one follows."""
    with atoms.fresh():
        track = job(N)
        assert isinstance(track.job, Delayed)
        assert not track.delays_wrongly(3)
        state, outputs = track.ahead(6)
        first = join((Bits.number(0, 64), *outputs[:2]))
        assert state["sum"] == first.rotated(1) ^ join(outputs[2:])
        assert state["late"] == join(outputs[3:])


def test_second_computation_is_a_word_ahead() -> None:
    """After any unit, and from any state: these words are made of the others."""
    with atoms.fresh():
        track = job(N)
        following = Remembered(track.job)
        assert isinstance(following, Following)
        state = completed(following, track.state)
        after, (first, *_) = track.ahead(1)
        assert state["word"] == first ^ track.unit(0)
        assert (state["lfsr ahead"], state["fsm ahead"]) == (after["lfsr"], after["fsm"])
        assert following.step(state, track.unit(0))[0] == completed(following, after)
        other = {**state, "lfsr": Bits.unknown("lfsr", 512), "word": Bits.unknown("word", 32)}
        assert completed(following, other)["lfsr ahead"][:480] == other["lfsr"][32:]
        assert completed(following, other)["word"] not in (state["word"], other["word"])
        assert completed(track.job.cipher, other) == other  # type: ignore[attr-defined]


def test_output_that_has_not_been_compared_is_not_known() -> None:
    with atoms.fresh():
        track = job(N, silent=True)
        assert track.sweeps is not None
        track.sweeps.loop, track.sweeps.compared = (0, 4), (track.state, Affine(8))
        track.put_outputs(Affine(12))
        assert not track.machine.memories[OUTPUT].written()
        track.put_outputs(Affine(8))
        assert track.output(0, 4) == track.ahead(1)[1][0]


def test_rows_of_a_unit_that_are_missing_are_carried_on() -> None:
    with atoms.fresh():
        assert places(job(N), echoes=False) == range(0)
        assert places(job(N), echoes=True) == range(-16, 0)
        six = job(N)
        six.job.unit_bytes = 96  # type: ignore[misc]
        assert places(six, echoes=False) == range(96)


def test_longest_job_is_a_case_of_its_own() -> None:
    ranges = {"n": (2, 40)}
    longest, others = cases(Split("n", last=True), ranges)
    assert (longest.value, others.range) == (Affine(40), (0, 37))
    assert others.value == Affine.symbol("n<") + 2
    with atoms.fresh():
        track = job(N)
        track.machine.ranges |= ranges
        done = taken(track, longest, "n")
        assert (done.machine.inductive, track.machine.inductive) == (MOST_PASSES, 0)


def test_bytes_that_were_written_last_are_known() -> None:
    with atoms.fresh():
        memory, ranges = Memory("m3", 4096), {"n": (0, 10)}
        memory.lenient = True
        memory.write(N * 16, block("a"), ranges)
        memory.write(Affine(32), block("b"), ranges)
        assert memory.read(Affine(32), ranges) == block("b")
        with pytest.raises(Unprovable):
            memory.read(N * 16, ranges)
        again = memory.copy()
        again.write(N * 16 + 8, block("c"), ranges)
        with pytest.raises(Unprovable):
            again.read(Affine(32), ranges)
        memory.forget()
        assert memory.read(Affine(32), ranges) != block("b")


def test_write_to_what_nothing_has_written_is_asked_for_by_each_read() -> None:
    with atoms.fresh():
        memory, ranges = Memory("m2", 4096), {"n": (0, 10)}
        memory.lenient = True
        memory.read(N * 16, ranges)
        memory.write(Affine(32), block("a"), ranges)
        with pytest.raises(Unprovable):
            memory.read(N * 16, ranges)


def test_twofold_specification_is_that_of_the_standard() -> None:
    for name in ("snow3g", "zuc-128"):
        of = claim(name)
        spec = specification(of.cipher, of.direction)
        assert spec is not None
        one: Any = spec.job(Bits.number(7, 128))
        two = one.twice()
        state = one.begin(Bits.number(5, 128))
        also = {**two.begin(Bits.number(5, 128)), **two.begin_job()}
        for n in range(9):
            state, out = one.step(state, Bits.number(n, 32))
            also, same = two.step(also, Bits.number(n, 32))
            assert out == same
            assert out.known
