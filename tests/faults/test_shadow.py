"""The shadow of the stream contexts on the simulator: what it finds, and what leaves the core before that."""

from __future__ import annotations

import random

import pytest

from injection.programs import CIPHERS, OUTPUT, Cipher, faulty, machine
from lutra.iss.engine import Engine, EngineError, make
from lutra.iss.fault import Fault

PUBLISHED, ALL = 5, 16
FIRST = 10  # the cycle in which all rows are loaded
RANDOM = random.Random(2)


def cycles(engine: Engine) -> range:
    """The cycles of the program that has run, up to the one in which a row is saved."""
    return range(FIRST, engine.stop().cycles - 10)


def leaves_nothing_wrong(got: bytes, right: bytes) -> bool:
    """Whether the rows are the right ones up to one, and untouched from there on."""
    rows = [got[i : i + 16] for i in range(0, len(got), 16)]
    done = next((i for i, row in enumerate(rows) if row == bytes(16)), len(rows))
    return got[: 16 * done] == right[: 16 * done] and not any(got[16 * done :])


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("c", [0, 1])
@pytest.mark.parametrize("cipher", CIPHERS, ids=lambda cipher: cipher.name)
def test_every_bit_of_the_shadowed_words_is_found(cipher: Cipher, c: int, rounds: int) -> None:
    engine = machine(cipher, c, PUBLISHED, rounds)
    state, right = faulty(engine)
    assert state == "halted"
    used = cycles(engine)
    for word in range(PUBLISHED):
        for bit in range(32):
            for cycle in used[(word + bit) % 8 :: 8]:
                state, got = faulty(engine, Fault(cycle, f"c{c}", f"s{word}", 1 << bit))
                assert state == "faulted", (word, bit, cycle)
                assert leaves_nothing_wrong(got, right), (word, bit, cycle)
                engine.clear_alert()


@pytest.mark.parametrize("cipher", CIPHERS, ids=lambda cipher: cipher.name)
def test_several_bits_at_once_are_found(cipher: Cipher) -> None:
    engine = machine(cipher, 0, PUBLISHED)
    _, right = faulty(engine)
    used = cycles(engine)
    for _ in range(2000):
        cycle, words = RANDOM.choice(used), RANDOM.sample(range(PUBLISHED), RANDOM.randint(1, PUBLISHED))
        state, got = faulty(engine, *(Fault(cycle, "c0", f"s{w}", RANDOM.randint(1, 2**32 - 1)) for w in words))
        assert state == "faulted" and leaves_nothing_wrong(got, right)


@pytest.mark.parametrize("cipher", CIPHERS, ids=lambda cipher: cipher.name)
def test_a_fault_of_the_shadow_is_an_alarm_too(cipher: Cipher) -> None:
    engine = machine(cipher, 0, PUBLISHED)
    faulty(engine)
    used = cycles(engine)
    for word in range(PUBLISHED):
        state, _ = faulty(engine, Fault(RANDOM.choice(used), "c0", f"s{word}", 1 << 7, shadow=True))
        assert state == "faulted"


@pytest.mark.parametrize("cipher", CIPHERS, ids=lambda cipher: cipher.name)
def test_the_same_fault_in_word_and_shadow_is_not_found(cipher: Cipher) -> None:
    engine = machine(cipher, 0, PUBLISHED)
    _, right = faulty(engine)
    both = [Fault(60, "c0", "s2", 0x10, shadow) for shadow in (False, True)]
    state, got = faulty(engine, *both)
    assert state == "halted" and got != right


def found_words(cipher: Cipher, shadow_words: int) -> set[str]:
    """The words of which a flipped bit is found in a clock of the keystream, by a core with so many shadow words."""
    engine = machine(cipher, 0, shadow_words)
    words = (*(f"s{i}" for i in range(16)), "r1", "r2", "r3", "z3")
    return {w for w in words if faulty(engine, Fault(100, "c0", w, 1 << 9))[0] == "faulted"}


@pytest.mark.parametrize("cipher", CIPHERS, ids=lambda cipher: cipher.name)
def test_what_enters_the_shadow_is_copied_with_its_fault(cipher: Cipher) -> None:
    assert found_words(cipher, 0) == set()
    assert found_words(cipher, PUBLISHED) == {f"s{i}" for i in range(PUBLISHED)}
    assert found_words(cipher, ALL) == {f"s{i}" for i in range(ALL)}


@pytest.mark.parametrize("cipher", CIPHERS, ids=lambda cipher: cipher.name)
def test_a_core_without_a_shadow_gives_a_wrong_keystream(cipher: Cipher) -> None:
    engine = machine(cipher, 0, 0)
    _, right = faulty(engine)
    state, got = faulty(engine, Fault(100, "c0", "s3", 1))
    assert state == "halted" and got[:OUTPUT] != right[:OUTPUT]


def test_a_faulted_machine_starts_again_only_after_its_alert_is_cleared() -> None:
    engine = machine(CIPHERS[0], 0, PUBLISHED)
    _, right = faulty(engine)
    faulty(engine, Fault(100, "c0", "s0", 1))
    registers = engine.registers()
    contexts = [registers[name].value for name in registers if name.startswith(("c0.", "c1."))]
    assert contexts and all(value == bytes(16) for value in contexts)
    with pytest.raises(EngineError, match="clear its alert"):
        engine.start(0)
    engine.clear_alert()
    assert engine.run(0).state == "halted"
    assert engine.read("m3", 0, len(right)) == right
    with pytest.raises(EngineError, match="not faulted"):
        engine.clear_alert()


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (Fault(9, "c2", "s0", 1), "no stream context c2"),
        (Fault(9, "c0", "s16", 1), "no word s16"),
        (Fault(9, "c0", "s0", 0), "not a set of bits"),
        (Fault(9, "c0", "s0", 2**32), "not a set of bits"),
        (Fault(-1, "c0", "s0", 1), "cycle -1"),
        (Fault(9, "c0", "s0", 1, shadow=True), "no shadow"),
    ],
)
def test_a_fault_that_cannot_be_is_refused(fault: Fault, message: str) -> None:
    with pytest.raises(EngineError, match=message):
        make("iss").inject(fault)
