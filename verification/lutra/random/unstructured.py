"""Programs without structure: words of any contents, most of them legal, so that traps and endless loops are likely."""

from __future__ import annotations

import random
from collections.abc import Iterable

from lutra.isa import Insn, Isa
from lutra.iss import _iss
from lutra.random.forms import Picker

LENGTH = 120
# A trap ends a start early, so there are several; each is given up after so many cycles.
STARTS = 12
CYCLES = 3000
# Of so many words about one is illegal.
WORDS_FOR_ONE_ILLEGAL = 2000
# A transfer leads forward, by so many words at most.
FARTHEST = 12
SLOTS = ("ks", "ds", "ss")


def random_word(isa: Isa, rng: random.Random, insn: Insn, pc: int) -> int:
    """A word of the instruction with random fields, mostly legal: address registers, rows and counts are small."""
    facts = insn.facts
    pair = facts.destination == "pair"
    move = rng.choice(isa.moves) if facts.move else None
    # What a move leaves free, and what it needs.
    free = {"MoveNone": "ds ss rc", "MoveHoldRow": "ss rc", "MoveHoldCtr": "ds ss rc"}
    unused = free.get(move.record, "").split() if move else []
    needed = {"MoveHoldRow": "ds", "MoveStore": "ss"}.get(move.record, "") if move else ""
    row = 1 << isa.slot.row_flag
    empty: set[str] = set()
    word = insn.match
    for name in sorted(insn.fields, key=("ds", "ss").__contains__, reverse=True):
        place = insn.fields[name]
        value = rng.getrandbits(place.msb - place.lsb + 1)
        if name in unused:
            value = 0
        elif name in SLOTS:
            value = rng.choice([0, row | value & row - 1, (value << isa.slot.register.lsb) & row - 1])
            if name == needed and value == 0:
                value = row
        elif name == "mv" and move:
            value = move.code
        elif name == "rd" and pair:
            value &= isa.machine["VectorRegs"] - 2
        elif name in ("ra", "rb") and (pair or rng.random() < 0.3):
            value &= isa.machine["VectorRegs"] - 1
        elif name in ("db", "sb") and f"{name[0]}s" in empty:
            value = 0
        elif name == "e":
            value = min(LENGTH, pc + rng.randint(1, FARTHEST))
        elif name == "n" and (facts.au == "AuSet" or facts.sq == "SqRepeat"):
            value = rng.choice([rng.getrandbits(3), rng.getrandbits(11)])
        elif name == "n" and facts.au in ("AuSetStep", "AuSetWindow"):
            value = rng.getrandbits(6)
        if value == 0:
            empty.add(name)
        word |= value << place.lsb
    return word


def picker(weighted: Iterable[tuple[Insn, float]]) -> Picker[Insn]:
    """A picker among the instructions that do not stop a program; control ones are a third as frequent."""
    return Picker(
        (insn, weight if insn.vector else weight / 3)
        for insn, weight in weighted
        if insn.facts.sq not in ("SqHalt", "SqWait")
    )


def random_words(isa: Isa, rng: random.Random, rounds: int, insns: Picker[Insn]) -> list[int]:
    """LENGTH words, all legal but for one in a while."""
    found: list[int] = []
    while len(found) < LENGTH:
        word = random_word(isa, rng, insns(rng.random()), len(found))
        if _iss.legal(word, rounds) or rng.randrange(WORDS_FOR_ONE_ILLEGAL) == 0:
            found.append(word)
    return found
