"""Decode program words as the sequencer does: transfers of control with their targets, and loops."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from lutra.isa import Bits, Insn, Isa


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


class _Control(NamedTuple):
    """The fields of an instruction that control flow depends on; `plain` is all of its words if there are none."""

    insn: Insn
    target: Bits | None
    turns: Bits | None
    plain: Word | None


# By the identity of an instruction, which its entry keeps alive.
_CONTROLS: dict[int, _Control] = {}


def decode(isa: Isa, word: int) -> Word | None:
    """Decode a word; None if it is not an instruction."""
    insn = isa.decode(word)
    if insn is None:
        return None
    control = _CONTROLS.get(id(insn)) or _control(insn)
    if control.plain is not None:
        return control.plain
    target = -1 if control.target is None else control.target.of(word)
    return Word(insn, insn.facts.sq, target, None if control.turns is None else control.turns.of(word))


def decode_all(isa: Isa, program: Mapping[int, int]) -> dict[int, Word | None]:
    """Decode words by program address."""
    known = {word: decode(isa, word) for word in set(program.values())}
    return {pc: known[word] for pc, word in program.items()}


def _control(insn: Insn) -> _Control:
    target = next((insn.fields[o.fields[0]] for o in insn.operands if o.kind in _TARGETS), None)
    counts = insn.facts.sq in LOOPS
    turns = next((insn.fields[o.fields[0]] for o in insn.operands if counts and o.kind == "number"), None)
    plain = Word(insn, insn.facts.sq, -1, None) if target is None and turns is None else None
    return _CONTROLS.setdefault(id(insn), _Control(insn, target, turns, plain))
