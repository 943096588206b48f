"""Modes of blocks of half a row, registers that a pass does not read, and what is public in a state."""

from __future__ import annotations

import pytest

from lutra.asm import assemble_text
from lutra.firmware.manifest import assembled
from lutra.prove import Claim, check
from lutra.prove.claims import firmware
from lutra.prove.errors import Unprovable
from lutra.prove.goal import Goal
from lutra.prove.places import Place
from lutra.prove.registry import specification
from lutra.prove.unread import Unread
from lutra.prove.words import decode
from support.wrong_firmware import claim, with_instruction


@pytest.mark.parametrize(
    ("name", "direction"),
    [
        ("cast5-128-ctr", "decrypt"),
        ("des-64-cfb8", "encrypt"),
    ],
)
def test_mode_of_a_block_of_half_a_row_is_proved(name: str, direction: str) -> None:
    assert check(claim(name, direction)).state == "proved"


def proved(wrong: Claim) -> bool:
    return check(wrong).state == "proved"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("align v6, v6, v0, 1", "align v6, v6, v0, 2"),  # the next input of the cipher
        ("align v6, v6, v0, 1", "align v6, v0, v6, 1"),
        ("rotx v0, v6, zero, 64", "rotx v0, v6, zero, 56"),
        ("rotx v0, v6, zero, 64", "mov v0, v6"),
    ],
)
def test_wrong_input_of_the_next_byte_is_not_proved(right: str, wrong: str) -> None:
    assert not proved(with_instruction(claim("des-64-cfb8"), "des_cfb8_64_encrypt", right, wrong))


@pytest.mark.parametrize("wrong", ["add64 v6, v4, m0[{two}]", "add64 v6, v5, m0[{four}]", "add32 v6, v4, m0[{four}]"])
def test_wrong_counter_of_a_group_is_not_proved(wrong: str) -> None:
    of = claim("cast5-128-ctr")
    image = assembled(of.implementation.image)
    rows = {name: image.symbol(f"cast5_by_{name}").value for name in ("two", "four")}
    right = "add64 v6, v4, m0[{four}]".format(**rows)
    assert not proved(with_instruction(of, "cast5_ctr64", right, wrong.format(**rows)))


def unread(source: str) -> frozenset[int]:
    found = Unread()
    for word in assemble_text(source, warnings=["no-all"]).program:
        found.execute(decode(word))
    return found.registers


def test_register_is_unread_if_it_is_written_first() -> None:
    assert unread("mov v1, v2\n xor v3, v1, v4\n mov v2, zero\n") == {1, 3}
    assert unread("xor v1, v1, v2\n") == frozenset()
    assert unread("rotx v1, zero, v2, 8\n mov v2, v1\n") == {1}
    assert unread("arx {v2, v3}, v2, v0, v0, 8\n xor3 v4, v3, v5, v6\n mov v6, v4\n") == {3, 4}


def test_lengths_of_a_case_are_not_public_words(monkeypatch: pytest.MonkeyPatch) -> None:
    of = claim("helix-8")
    spec = specification(of.cipher, of.direction)
    assert spec is not None
    goal = Goal(firmware(of, assembled(of.implementation.image)), spec)

    def none(*_: object) -> None:
        raise Unprovable("far enough")

    monkeypatch.setattr(Goal, "_jobs", none)
    with pytest.raises(Unprovable, match="far enough"):
        goal.prove()
    at = goal.firmware.length
    length: set[Place] = {("memory", at.block, (), at.at + i) for i in range(16)}
    assert goal.public.places
    assert not goal.public.places & length
