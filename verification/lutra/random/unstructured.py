"""Programs without structure: words of any contents, most of them legal, so that traps and endless loops are likely."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from lutra.isa import Insn, Isa, Named
from lutra.iss import _iss
from lutra.random.pickers import Picker, weight_of
from lutra.random.weights import (
    CHANCES,
    LENGTH,
    NUMBER_BITS,
    SKIPPED,
    STEP_BITS,
    UNSTRUCTURED_CONTROL,
    WORDS_PER_ILLEGAL,
    Weights,
)

# Slots that say whether their block or space is used: they are drawn before it.
BEFORE = ("ds", "ss")
# What a move leaves free, and the slot that it needs.
UNUSED = {"MoveNone": ("ds", "ss", "rc"), "MoveHoldRow": ("ss", "rc"), "MoveHoldCtr": ("ds", "ss", "rc")}
NEEDED = {"MoveHoldRow": "ds", "MoveStore": "ss"}

GENERAL, _ = CHANCES["chance:general"]


@dataclass
class _Draft:
    """A word that is being drawn; empty: its fields that are zero."""

    isa: Isa
    rng: random.Random
    insn: Insn
    pc: int
    general: float
    move: Named | None
    empty: set[str] = field(default_factory=set)


def random_word(isa: Isa, rng: random.Random, insn: Insn, pc: int, general: float = GENERAL) -> int:
    """Draw a word of the instruction with random fields, mostly legal: address registers, rows and counts are small."""
    draft = _Draft(isa, rng, insn, pc, general, rng.choice(isa.moves) if insn.facts.move else None)
    unused = UNUSED.get(draft.move.record, ()) if draft.move else ()
    word = insn.match
    for name in sorted(insn.fields, key=BEFORE.__contains__, reverse=True):
        place = insn.fields[name]
        value = rng.getrandbits(place.msb - place.lsb + 1)
        if name in unused:
            value = 0
        elif name in _DRAW:
            value = _DRAW[name](draft, name, value)
        if value == 0:
            draft.empty.add(name)
        word |= value << place.lsb
    return word


def _slot(draft: _Draft, name: str, bits: int) -> int:
    """Draw nothing, a row, or an address register with a pattern."""
    layout = draft.isa.slot
    row = 1 << layout.row_flag
    value = draft.rng.choice([0, row | bits & row - 1, (bits << layout.register.lsb) & row - 1])
    needed = draft.move is not None and NEEDED.get(draft.move.record) == name
    return row if needed and value == 0 else value


def _space(draft: _Draft, name: str, bits: int) -> int:
    return 0 if f"{name[0]}s" in draft.empty else bits


def _move(draft: _Draft, name: str, bits: int) -> int:
    return bits if draft.move is None else draft.move.code


def _destination(draft: _Draft, name: str, bits: int) -> int:
    return bits & draft.isa.machine["VectorRegs"] - 2 if draft.insn.facts.destination == "pair" else bits


def _source(draft: _Draft, name: str, bits: int) -> int:
    general = draft.insn.facts.destination == "pair" or draft.rng.random() < draft.general
    return bits & draft.isa.machine["VectorRegs"] - 1 if general else bits


def _target(draft: _Draft, name: str, bits: int) -> int:
    return min(LENGTH, draft.pc + draft.rng.randint(*SKIPPED))


def _number(draft: _Draft, name: str, bits: int) -> int:
    facts = draft.insn.facts
    if facts.au == "AuSet" or facts.sq == "SqRepeat":
        return draft.rng.choice([draft.rng.getrandbits(few) for few in NUMBER_BITS])
    if facts.au in ("AuSetStep", "AuSetWindow"):
        return draft.rng.getrandbits(STEP_BITS)
    return bits


# Other fields take any contents.
_DRAW: Mapping[str, Callable[[_Draft, str, int], int]] = {
    **dict.fromkeys(("ks", "ds", "ss"), _slot),
    **dict.fromkeys(("db", "sb"), _space),
    "mv": _move,
    "rd": _destination,
    **dict.fromkeys(("ra", "rb"), _source),
    "e": _target,
    "n": _number,
}


def picker(isa: Isa, weights: Weights) -> Picker[Insn]:
    """Make a picker of the instructions that do not stop a program."""
    return Picker(
        (i, weight_of(i, weights) * (1 if i.vector else UNSTRUCTURED_CONTROL))
        for i in isa.instructions
        if i.facts.sq not in ("SqHalt", "SqWait")
    )


def random_words(isa: Isa, rng: random.Random, rounds: int, insns: Picker[Insn], general: float) -> list[int]:
    """Draw LENGTH words, all legal but for one in a while."""
    found: list[int] = []
    while len(found) < LENGTH:
        word = random_word(isa, rng, insns(rng.random()), len(found), general)
        if _iss.legal(word, rounds) or rng.randrange(WORDS_PER_ILLEGAL) == 0:
            found.append(word)
    return found
