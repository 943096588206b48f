"""Vector instructions as the generator sees them: where fields are and what they take, all from the ISA tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lutra.isa import Insn, Isa

# Steps in which a word is drawn, one per field. A slot includes its block or space; `data` decides whether the path
# takes a row, before the sources are chosen. h and g say what the hash unit does next to the path.
STEPS = ("ad", "ks", "data", "ra", "rb", "w", "mv", "rc", "ds", "rd", "ss", "n", "e", "h", "g", "as", "c", "o")


@dataclass(frozen=True)
class Form:
    """A vector instruction as its words are drawn.

    at: bit position of each field.
    keys: mask of the blocks that the key slot reads.
    rows: sources that may name a memory row.
    codes: legal contents of each field that has a list of them.
    steps: those of STEPS that the instruction needs.
    """

    insn: Insn
    at: Mapping[str, int]
    keys: int
    rows: frozenset[str]
    codes: Mapping[str, Sequence[int]]
    steps: tuple[str, ...]


def form(insn: Insn) -> Form:
    """Make the form of a vector instruction."""
    facts = insn.facts
    return Form(
        insn=insn,
        at={name: place.lsb for name, place in insn.fields.items()},
        keys=sum(1 << b for b in facts.key_blocks),
        rows=frozenset(s.field for s in facts.sources if s.row),
        codes={contents.field: contents.codes for contents in facts.contents},
        steps=tuple(step for step in STEPS if _needs(insn, step)),
    )


def _needs(insn: Insn, step: str) -> bool:
    if step == "data":
        return insn.facts.data == "path"
    if step == "rc":  # of a move, it belongs to `mv`
        return insn.facts.third
    return step in insn.fields


def load_form(isa: Isa) -> Form:
    """Make the form that moves rows and registers: a sum of two sources into one register, by the shortest path."""
    sums = [i for i in isa.instructions if [o.kind for o in i.operands] == ["dst", "sum"]]
    return form(min(sums, key=lambda i: len(i.path)))
