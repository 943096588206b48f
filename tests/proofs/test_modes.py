"""Modes that are more than blocks: messages with a tag, and ciphertext stealing."""

from __future__ import annotations

import dataclasses

import pytest

from lutra.asm import assemble_text
from lutra.firmware.manifest import assembled
from lutra.isa import load
from lutra.prove import Claim, Outcome, check
from lutra.prove.counterexample import Counterexample, search
from lutra.prove.registry import specification
from support.wrong_firmware import changed, claim, with_word

MORE = pytest.mark.nightly("seconds each; by day a mode with a tag is proved, and modes of other tests")


@pytest.mark.parametrize(
    ("name", "direction"),
    [
        ("aes-128-gcm", "decrypt"),
        ("camellia-128-ccm", "encrypt"),  # whose specification names words
        pytest.param("aes-128-ccm", "encrypt", marks=MORE),
        pytest.param("aes-128-cbc-cs2", "encrypt", marks=MORE),
    ],
)
def test_mode_is_proved(name: str, direction: str) -> None:
    assert check(claim(name, direction)).state == "proved"


def after(of: Claim, label: str, name: str, text: str, further: int = 0) -> Claim:
    """The claim with another instruction for the first one of a name from a label on, or for one after that."""
    image = assembled(of.implementation.image)
    start = image.symbol(label).value
    found = (pc for pc in range(start, len(image.program)) if load().decode(image.program[pc]).name == name)  # type: ignore[union-attr]
    program = list(image.program)
    program[next(found) + further] = assemble_text(text, warnings=["no-all"]).program[0]
    return changed(of, dataclasses.replace(image, program=program))


def differs(of: Claim) -> Counterexample | None:
    """A message on which the firmware of a claim is wrong; it refutes the claim where no proof is found."""
    spec = specification(of.cipher, of.direction)
    assert spec is not None
    return search(of.cipher, of.direction, of.implementation, spec)


def test_bytes_that_are_shifted_in_are_proved_in_decryption() -> None:
    """CFB8, whose chaining value is the input of sixteen bytes before."""
    of = claim("aes-128-cfb8", "decrypt")
    assert check(of).state == "proved"
    assert differs(with_word(of, "aes128_cfb8_decrypt", 7, "arset ar2, 1")) is not None


def test_segment_of_a_bit_that_keeps_its_first_one_is_refuted() -> None:
    wrong = after(claim("aes-128-cfb1"), "aes128_cfb1_encrypt", "ANDN", "mov v2, v4")
    assert differs(wrong) is not None


def test_register_that_a_crc_leaves_is_compared() -> None:
    """A CRC has neither output nor tag."""
    of = claim("crc-32")
    assert check(of).state == "proved"
    assert differs(of) is None
    assert "row 0" in refuted(check(after(of, "crc", "CTXST", "mov v1, zero")))


def test_two_messages_by_turns_are_proved_and_exchanged_ones_refuted() -> None:
    of = claim("zuc-128-x2")
    assert check(of).state == "proved"
    wrong = after(of, "zuc_two", "ZUCX", "zucx m3[ar1++], c0:c1, c1, m2[ar0++]")
    assert "row " in refuted(check(wrong))


def refuted(outcome: Outcome) -> str:
    """The message that refutes a claim."""
    assert outcome.state == "refuted"
    assert outcome.counterexample is not None
    return str(outcome.counterexample)


def test_block_that_is_hashed_before_its_product_is_done_is_refuted() -> None:
    """One of the four steps of a product does nothing."""
    assert "row " in refuted(check(after(claim("aes-128-gcm"), "aes128_gcm_tag", "GHSTEP", "mov v7, zero")))


def test_wrong_tag_that_is_accepted_is_refuted() -> None:
    """The word after the branch, which makes the verdict zero, does something else."""
    wrong = after(claim("aes-128-gcm", "decrypt"), "aes128_gcm_verify", "BF", "mov v7, zero", further=1)
    assert "a wrong tag is accepted" in refuted(check(wrong))


def test_branch_on_more_than_the_tag_is_refuted() -> None:
    """All bits of the tag are compared, not those of the mask: the time depends on bits that are not of the tag."""
    wrong = after(claim("aes-128-gcm", "decrypt"), "aes128_gcm_verify", "AND", "mov v7, zero")
    outcome = check(wrong)
    assert outcome.state == "refuted"
    assert "branch depends on data" in outcome.reason


def test_mac_of_another_order_is_refuted() -> None:
    """The first row of the MAC's input is left out."""
    wrong = after(claim("aes-128-ccm"), "aes128_ccm_absorb", "ARSET", "arset ar0, 16")
    assert check(wrong).state == "refuted"


def test_stolen_bytes_at_another_place_are_refuted() -> None:
    """CS1 in place of CS2."""
    outcome = check(with_word(claim("aes-128-cbc-cs2"), "aes128_cs2_encrypt", 0, "arset ar7, 0"))
    assert "row " in refuted(outcome)
