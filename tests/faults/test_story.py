"""The attack on SNOW 3G by faults in five words: the plain core gives its key away, the one with a shadow nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from injection import story
from injection.attack import STRUCK, Attack, Sum
from lutra.iss.engine import Simulator, make
from models.snow3g import Snow3g

MASK = 0xFFFFFFFF


def words(key: bytes, iv: bytes, count: int, fault: tuple[int, int] | None = None) -> Iterator[int]:
    """The keystream of the model, with bits of a word flipped before the eighth."""
    model = Snow3g(key, iv)
    model.start()
    stream = model.words()
    for n in range(count):
        if fault is not None and n == 7:
            model.s[fault[0]] ^= fault[1]
        yield next(stream)


def test_the_simulator_of_a_plain_core_gives_its_key_away() -> None:
    key = random.Random(0).randbytes(16)
    told = story.attack(lambda: Simulator(2, 0), key, random.Random(1))
    assert told.found is not None and told.found[0] == key
    assert (told.wrong, told.faulted) == (told.runs, 0)


@pytest.mark.nightly(
    "the attack in lock-step, a quarter of a minute; random programs compare faults of the simulator with the core's"
)
def test_the_core_gives_the_same_keystreams_as_the_simulator() -> None:
    told = story.attack(lambda: make("cosim"), bytes(16), random.Random(1))
    assert told.found is not None and told.found[0] == bytes(16)


@pytest.mark.parametrize("shadow_words", [STRUCK, 16])
def test_a_core_with_a_shadow_gives_nothing(shadow_words: int) -> None:
    told = story.attack(lambda: Simulator(2, shadow_words), bytes(16), random.Random(1))
    assert (told.runs, told.faulted, told.wrong, told.leaked) == (story.MOST, story.MOST, 0, 0)
    assert told.found is None


def test_four_shadow_words_are_not_enough() -> None:
    told = story.attack(lambda: Simulator(2, 4), bytes(16), random.Random(1))
    assert told.wrong > 0


def test_a_few_faults_do_not_tell_the_key() -> None:
    rng = random.Random(3)
    tries = Attack(list(words(bytes(16), bytes(16), 40)))
    assert tries.key() is None
    for _ in range(10):
        tries.add(list(words(bytes(16), bytes(16), 40, (rng.randrange(5), rng.randrange(1, 2**32)))))
    assert tries.key() is None


def test_what_carries_tell_of_a_sum() -> None:
    rng = random.Random(4)
    x, y = rng.getrandbits(32), rng.getrandbits(32) | 1
    known = Sum()
    for _ in range(400):
        into = rng.getrandbits(32)
        known.add(into, (((x ^ into) + y) ^ (x + y)) & MASK)
    assert known.is_known and known.first == 0
    tops = {(o.y, sum((bit & 1) << i for i, bit in enumerate(o.x[:31]))) for o in known.candidates(1)}
    assert (y, x & 0x7FFFFFFF) in tops and len(tops) == 4
