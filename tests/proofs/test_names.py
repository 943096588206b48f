"""Firmware whose specification names words: bitsliced S-boxes, and registers that feed back."""

from __future__ import annotations

import dataclasses

import pytest

from lutra.asm import assemble_text
from lutra.firmware.manifest import assembled
from lutra.isa import load
from lutra.prove import check
from lutra.prove.counterexample import search
from lutra.prove.registry import specification
from support.wrong_firmware import changed, claim


@pytest.mark.parametrize(
    ("algorithm", "first", "text"),
    [
        ("serpent-128-ecb", "ORX", "andx v6, v2, v4, v0"),
        ("snowv", "MULXX16", "mov v5, zero"),
        ("kasumi-128-ecb", "ANDX", "mov v0, zero"),
    ],
)
def test_other_instruction_is_refuted(algorithm: str, first: str, text: str) -> None:
    """An S-box of Serpent's key schedule; a clock of an LFSR; blocks of KASUMI in lanes."""
    of = claim(algorithm)
    image = assembled(of.implementation.image)
    program = list(image.program)
    at = next(n for n, word in enumerate(program) if getattr(load().decode(word), "name", "") == first)
    program[at] = assemble_text(text, warnings=["no-all"]).program[0]
    wrong = changed(of, dataclasses.replace(image, program=program))
    spec = specification(of.cipher, of.direction)
    assert spec is not None
    assert search(of.cipher, of.direction, wrong.implementation, spec) is not None


@pytest.mark.nightly("a proof of 12 seconds; wrong firmware of the same algorithm is refuted by day")
def test_bitsliced_firmware_is_proved() -> None:
    assert check(claim("serpent-128-ecb")).state == "proved"
