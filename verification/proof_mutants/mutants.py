"""Mutants of an image: one field of a word, two words exchanged, or one byte of a table."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import msgspec

from lutra.asm import Image
from lutra.firmware.manifest import assembled
from lutra.isa import load
from lutra.prove import Claim
from lutra.prove.claims import firmware
from lutra.prove.entries import Firmware

# Fields by what a mutant of them is.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "row": ("ks", "ds", "ss"),
    "register": ("rd", "ra", "rb", "rc", "ad", "as"),
    "count": ("n",),
}


@dataclass(frozen=True)
class Mutant:
    """A claim about wrong firmware. kind: of the mutation; text: what it is."""

    kind: str
    text: str
    claim: Claim


def mutants(claim: Claim, rng: random.Random) -> Iterator[Mutant]:
    """Yield mutants without end, of each kind as many."""
    image = assembled(claim.implementation.image)
    fw = firmware(claim, image)
    words = sorted(reached(fw))
    makers: dict[str, Callable[[], tuple[str, Image] | None]] = {
        **{kind: partial(_field, image, words, names, rng) for kind, names in FIELDS.items()},
        "order": partial(_exchanged, image, words, rng),
        "table": partial(_entry, image, rng),
    }
    while True:
        for kind, make in makers.items():
            made = make()
            if made is not None:
                yield Mutant(kind, made[0], _with(claim, made[1]))


def reached(fw: Firmware) -> set[int]:
    """Program addresses that can follow from the entries."""
    found: set[int] = set()
    left = [*fw.set_up, *([] if fw.start is None else [fw.start]), *fw.others.values(), fw.run]
    while left:
        pc = left.pop()
        insn = load().decode(fw.program[pc]) if pc < len(fw.program) else None
        if pc in found or insn is None:
            continue
        found.add(pc)
        does = insn.facts.sq
        if "e" in insn.fields and does != "SqNext":
            left.append(insn.get(fw.program[pc], "e") + (does.startswith("SqRepeat")))
        if does not in ("SqHalt", "SqReturn") and (does != "SqJump" or insn.facts.conditional):
            left.append(pc + 1)
    return found


def _field(image: Image, words: Sequence[int], names: Sequence[str], rng: random.Random) -> tuple[str, Image] | None:
    """One bit of a field of one word."""
    pc = rng.choice(words)
    insn = load().decode(image.program[pc])
    assert insn is not None
    fields = [name for name in names if name in insn.fields]
    if not fields:
        return None
    name = rng.choice(fields)
    place = insn.fields[name]
    word = image.program[pc] ^ 1 << rng.randint(place.lsb, place.msb)
    return f"{pc:#06x}: {name} of {insn.mnemonic}", _program(image, {pc: word})


def _exchanged(image: Image, words: Sequence[int], rng: random.Random) -> tuple[str, Image] | None:
    pc = rng.choice(words)
    if pc + 1 not in words or image.program[pc] == image.program[pc + 1]:
        return None
    return f"{pc:#06x}: exchanged with the next", _program(
        image, {pc: image.program[pc + 1], pc + 1: image.program[pc]}
    )


def _program(image: Image, changes: Mapping[int, int]) -> Image:
    return replace(image, program=[changes.get(pc, word) for pc, word in enumerate(image.program)])


def _entry(image: Image, rng: random.Random) -> tuple[str, Image] | None:
    """One bit of a byte of the image's data that is not zero."""
    places = [
        (space, n, i)
        for space, parts in image.memory.items()
        for n, (_, data) in enumerate(parts)
        for i, byte in enumerate(data)
        if byte
    ]
    if not places:
        return None
    space, n, i = rng.choice(places)
    at, data = image.memory[space][n]
    changed = bytearray(data)
    changed[i] ^= 1 << rng.randrange(8)
    parts = list(image.memory[space])
    parts[n] = at, bytes(changed)
    return f"{space}@{at + i:#05x}", replace(image, memory={**image.memory, space: parts})


def _with(claim: Claim, image: Image) -> Claim:
    source = replace(claim.implementation.image, image=image)
    return replace(claim, implementation=msgspec.structs.replace(claim.implementation, image=source))
