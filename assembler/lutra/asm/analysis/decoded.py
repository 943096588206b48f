"""Program words as the sequencer sees them: which instruction transfers control, to where, which is a loop."""

from __future__ import annotations

from typing import NamedTuple

from lutra.isa import Insn, Isa


class Word(NamedTuple):
    """What a program word does to the flow of control."""

    insn: Insn
    does: str  # function of the sequencer's block, by its record
    target: int  # where it transfers to, or the last instruction of a loop's body; -1 without one
    turns: int | None  # turns of a loop, if the word says it

    @property
    def is_loop(self) -> bool:
        """Whether it begins a loop."""
        return self.does in LOOPS


JUMP, CALL, RETURN, HALT = "SqJump", "SqCall", "SqReturn", "SqHalt"
WAIT, NOTIFY = "SqWait", "SqNotify"
LOOPS = frozenset({"SqRepeat", "SqRepeatAr"})
_TARGETS = frozenset({"target", "loop_end"})  # kinds of operands


def decode(isa: Isa, word: int) -> Word | None:
    """What a word does; None if it is no instruction."""
    insn = isa.decode(word)
    if insn is None:
        return None
    target, turns = -1, None
    for operand in insn.operands:
        value = insn.get(word, operand.fields[0])
        if operand.kind in _TARGETS:
            target = value
        elif operand.kind == "number":
            turns = value
    return Word(insn, insn.facts.sq, target, turns)
