"""Control and address instructions by what they do, so that no mnemonic is written here."""

from __future__ import annotations

from collections.abc import Mapping

from lutra.isa import Insn, Isa
from lutra.random.forms import form
from lutra.random.pickers import Picker, weight_of

# Functions of the sequencer that go on at the next instruction.
GOING_ON = ("SqNext", "SqNotify", "SqWait", "SqClose")


def pack(insn: Insn, **fields: int) -> int:
    """Return the word with some fields; the others are zero."""
    return insn.insert(insn.match, **fields)


def is_plain(insn: Insn) -> bool:
    """Return whether the program goes on at the next instruction."""
    return insn.vector or (not insn.facts.conditional and insn.facts.sq in GOING_ON)


class Control:
    """The control and address instructions, and words of them that need no choice."""

    def __init__(self, isa: Isa, weights: Mapping[str, float]) -> None:
        # By function of the address unit, condition and function of the sequencer.
        self.by: dict[tuple[str, str, str], Insn] = {}
        for insn in isa.instructions:
            if not insn.vector:
                self.by.setdefault((insn.facts.au, insn.facts.cc, insn.facts.sq), insn)
        self.call = self._sequencer("SqCall")
        # Where every transfer has its target.
        self.target = self.call.fields["e"].lsb
        self.branches = Picker((i, weight_of(i, weights)) for (_, _, sq), i in self.by.items() if sq == "SqJump")
        self.test = self.by["AuKeep", "CcNonZero", "SqJump"]
        self.nop = self._sequencer("SqNext").match
        self.halt = self._sequencer("SqHalt").match
        self.ret = self._sequencer("SqReturn").match
        self.to_address = form(next(i for i in isa.instructions if i.facts.res == "ToAddress"))

    def address(self, function: str) -> Insn:
        """Return the instruction that only does this function of the address unit."""
        return self.by[function, "CcAlways", "SqNext"]

    def _sequencer(self, function: str) -> Insn:
        return self.by["AuKeep", "CcAlways", function]

    def set(self, n: int, value: int) -> int:
        """Return a word that sets an address register."""
        return pack(self.address("AuSet"), ad=n, n=value)

    def set_step(self, n: int, value: int) -> int:
        """Return a word that sets the step of an address register."""
        return pack(self.address("AuSetStep"), ad=n, n=value)

    def add(self, ad: int, source: int, value: int) -> int:
        """Return a word that sets an address register to the sum of another and a number."""
        return pack(self.address("AuAdd"), ad=ad, as_=source, n=value)

    def repeat(self, count: int) -> int:
        """Return a loop without its end."""
        return pack(self._sequencer("SqRepeat"), n=count)

    def repeat_ar(self, n: int) -> int:
        """Return a loop without its end that an address register counts."""
        return pack(self._sequencer("SqRepeatAr"), as_=n)

    def closers(self, n: int) -> list[list[int]]:
        """Return ways to count a register down and branch, without the target, while it is not zero."""
        down = self.by["AuAdd", "CcNonZero", "SqJump"]
        return [[pack(down, ad=n, as_=n)], [self.add(n, n, -1), pack(self.test, as_=n)]]
