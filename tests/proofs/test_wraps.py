"""Key wrap: loops that go over an array of semiblocks again and again, and the hash of 3GPP and of GCM-SIV."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lutra.prove import Claim, check
from lutra.prove.affine import Affine
from lutra.prove.arrays import NUMBER, Array
from lutra.prove.atoms import current, fresh
from lutra.prove.bits import Bits
from lutra.prove.galois import multiplied, product
from lutra.prove.renaming import Renaming
from lutra.prove.rounds import Rewritten
from support.wrong_firmware import claim, with_instruction

MORE = pytest.mark.nightly("5 to 25 s each; by day one size is wrapped, and wrong ones are refuted")


@pytest.mark.parametrize(
    "name, direction",
    [
        ("aes-128-wrap", "encrypt"),
        *(
            pytest.param(name, direction, marks=MORE)
            for name, direction in (
                ("aes-128-wrap-pad", "decrypt"),
                ("aes-256-wrap-inv", "decrypt"),
                ("aes-128-gcm-siv", "encrypt"),
                ("aes-128-gcm-siv", "decrypt"),
                ("aes-256-nca5", "encrypt"),
                ("zuc-256-nca6", "encrypt"),
                ("zuc-256-nca6", "decrypt"),
                ("snow5g-256-nia4", "encrypt"),
            )
        ),
    ],
)
def test_wrap_and_modes_with_polyval_are_proved(name: str, direction: str) -> None:
    assert check(claim(name, direction)).state == "proved"


def lost_half() -> Claim:
    """The next block has both halves of the last one."""
    return with_instruction(claim("aes-128-wrap"), "aes128_wrap_encrypt", "and v0, v0, v7", "xor v0, v0, zero")


def lazy_check() -> Claim:
    """The check of what is unwrapped compares nothing."""
    return with_instruction(claim("aes-128-wrap", "decrypt"), "aes_wrap_check", "and v1, v1, v3", "and v1, v1, zero")


def check_that_writes() -> Claim:
    """The check leaves its verdict in the last semiblock, too: what is found is another key."""
    text = "and v0, v7, m3[ar0]"
    return with_instruction(claim("aes-128-wrap", "decrypt"), "aes_wrap_check", text, "xor {v0, m3[ar0]}, v0, v7")


@pytest.mark.parametrize("wrong", [lost_half, lazy_check, check_that_writes])
def test_wrong_key_wrap_is_refuted(wrong: Callable[[], Claim]) -> None:
    outcome = check(wrong())
    assert outcome.state == "refuted", outcome.reason
    assert outcome.counterexample is not None


def test_row_hides_what_an_array_has_at_the_same_place() -> None:
    with fresh():
        memory, ranges = Rewritten("m", 4096), {"n": (1, 100)}
        memory.lenient = True
        cells = {i: ((5, Affine.symbol(NUMBER) * 8 + i),) for i in range(8)}
        memory.arrays = (Array(Affine(24), 8, Affine.symbol("n"), cells),)
        inside = Affine.symbol("n") * 8 + 16  # the last unit
        assert memory.part(inside, ranges) == ((5, Affine.symbol("n") * 8 - 8),)
        assert memory.part(inside + 8, ranges) is None  # behind the array
        memory.write(Affine(40), Bits.unknown("row", 128), ranges)
        assert memory.part(inside, ranges) is None  # it may be in the row
        assert memory.known(Affine(40)) is not None


def test_product_of_renamed_words_is_that_of_the_others() -> None:
    """A bit that becomes a constant is multiplied by itself."""
    with fresh():
        x, y = Bits.unknown("x", 128), Bits.unknown("y", 128)
        ones = Renaming(current(), lambda name: frozenset({0}) if isinstance(name, tuple) and name[0] == "x" else None)
        assert Bits(ones(product(x, y))) == product(Bits.number(-1, 128), y)
        assert multiplied(1 << 127, 5) == 5
