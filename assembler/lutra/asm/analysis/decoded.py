"""Decode program words as the sequencer does: transfers of control with their targets, and loops."""

from __future__ import annotations

from typing import NamedTuple

from lutra.isa import Insn, Isa


class Word(NamedTuple):
    """The effect of a program word on control flow."""

    insn: Insn
    does: str  # function of the sequencer's block, by its record
    target: int  # target of the transfer, or last instruction of a loop's body; -1 without one
    turns: int | None  # number of passes of a loop, if the word contains it

    @property
    def is_loop(self) -> bool:
        """Whether the word begins a loop."""
        return self.does in LOOPS


JUMP, CALL, RETURN, HALT = "SqJump", "SqCall", "SqReturn", "SqHalt"
WAIT, NOTIFY = "SqWait", "SqNotify"
LOOPS = frozenset({"SqRepeat", "SqRepeatAr"})
_TARGETS = frozenset({"target", "loop_end"})  # kinds of operands


def decode(isa: Isa, word: int) -> Word | None:
    """Decode a word; None if it is not an instruction."""
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
