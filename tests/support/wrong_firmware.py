"""Claims about firmware with an instruction that is not the right one."""

from __future__ import annotations

import dataclasses

import msgspec

from lutra.asm import Image, assemble_text
from lutra.firmware.manifest import assembled, catalogue
from lutra.prove import Claim, claims, named


def claim(name: str, direction: str = "encrypt") -> Claim:
    """The claim about the default implementation."""
    return next(c for c in claims(named(catalogue(), [name])) if c.direction == direction)


def changed(of: Claim, image: Image) -> Claim:
    """The claim about another image."""
    source = dataclasses.replace(of.implementation.image, image=image)
    return dataclasses.replace(of, implementation=msgspec.structs.replace(of.implementation, image=source))


def with_word(of: Claim, label: str, offset: int, text: str) -> Claim:
    """The claim about an image with another instruction at a place."""
    image = assembled(of.implementation.image)
    program = list(image.program)
    program[image.symbol(label).value + offset] = assemble_text(text, warnings=["no-all"]).program[0]
    return changed(of, dataclasses.replace(image, program=program))


def with_instruction(of: Claim, label: str, text: str, other: str, skipped: int = 0) -> Claim:
    """The claim about an image with another instruction for one from a label on, after so many that are the same."""
    image = assembled(of.implementation.image)
    start, word = image.symbol(label).value, assemble_text(text, warnings=["no-all"]).program[0]
    found = [pc for pc in range(start, len(image.program)) if image.program[pc] == word]
    return with_word(of, label, found[skipped] - start, other)
