"""Firmware whose specification names words: bitsliced S-boxes, and registers that feed back."""

from __future__ import annotations

import dataclasses

import pytest

from lutra.asm import assemble_text
from lutra.firmware.manifest import assembled
from lutra.isa import load
from lutra.prove import atoms, check
from lutra.prove.affine import Affine
from lutra.prove.bits import Bits
from lutra.prove.counterexample import search
from lutra.prove.machine import Machine
from lutra.prove.memory import Memory
from lutra.prove.registry import specification
from lutra.prove.specifications.snow1 import Snow1
from lutra.prove.track import Track
from support.wrong_firmware import changed, claim


@pytest.mark.parametrize(
    ("algorithm", "first", "text"),
    [
        ("serpent-128-ecb", "ORX", "andx v6, v2, v4, v0"),
        ("snowv", "MULXX16", "mov v5, zero"),
        ("kasumi-128-ecb", "ANDX", "mov v0, zero"),
        ("ascon-aead128", "ANDNX", "mov v5, zero"),
        ("snow5g-256-nea4", "MULXX16", "mov v0, zero"),
        ("snow1-128", "ADDROT", "mov v5, zero"),
    ],
)
def test_other_instruction_is_refuted(algorithm: str, first: str, text: str) -> None:
    """An S-box of Serpent's key schedule or of Ascon; clocks of LFSRs; blocks of KASUMI in lanes."""
    of = claim(algorithm)
    image = assembled(of.implementation.image)
    program = list(image.program)
    at = next(n for n, word in enumerate(program) if getattr(load().decode(word), "name", "") == first)
    program[at] = assemble_text(text, warnings=["no-all"]).program[0]
    wrong = changed(of, dataclasses.replace(image, program=program))
    spec = specification(of.cipher, of.direction)
    assert spec is not None
    assert search(of.cipher, of.direction, wrong.implementation, spec) is not None


@pytest.mark.nightly("proofs of 4 to 16 seconds; wrong firmware of the same algorithms is refuted by day")
@pytest.mark.parametrize("algorithm", ["serpent-128-ecb", "ascon-aead128", "snowv", "snow1-128"])
def test_firmware_with_names_is_proved(algorithm: str) -> None:
    assert check(claim(algorithm)).state == "proved"


def test_output_that_is_written_later_must_be_that_of_its_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    with atoms.fresh():
        job = Snow1(Bits.unknown("key", 128))
        state = {name: Bits.unknown(name, len(word)) for name, word in job.begin(Bits.number(0, 0)).items()}
        machine = Machine(memories=[Memory(f"m{n}", 4096) for n in range(4)])
        none = Affine(0)
        track = Track(machine, job, state, none, none, none, none, 0)
        assert not track.delays_wrongly(4)
        monkeypatch.setattr(Snow1, "earlier", lambda self, state, units, unit: unit)
        assert track.delays_wrongly(4)
