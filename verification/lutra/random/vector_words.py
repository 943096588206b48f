"""Words of vector instructions that are legal and cannot trap with the current address registers."""

from __future__ import annotations

import random

from lutra.isa import Space
from lutra.random.addresses import Addresses
from lutra.random.forms import Form, load_form
from lutra.random.operands import NOTHING, Choices, Draft, Operands, Wish


class VectorWords:
    """Makes the words of one routine; `addresses` is what they see and change."""

    def __init__(self, choices: Choices, rng: random.Random, addresses: Addresses) -> None:
        self.addresses = addresses
        self.zero = choices.isa.vector("ZERO").code
        self._choices = choices
        self._operands = Operands(choices, rng, addresses)
        self._load = load_form(choices.isa)

    def vector(self, form: Form, wish: Wish = NOTHING) -> int | None:
        """Draw a word of the instruction; None where no address register is free for what it writes.

        wish: what some fields are to hold. It has to be legal for the instruction; None too where it cannot be here.
        """
        draft = Draft(form, wish, form.insn.match, form.keys, form.insn.facts.store == "must")
        draw = self._operands.draw
        if not all(draw[step](draft, step) for step in form.steps) or not draft.complete:
            return None
        for n, pattern in draft.pending:
            self.addresses.modify(n, pattern)
        if draft.target >= 0:
            self.addresses.assign(draft.target, 0, self.addresses.top, False)
        return draft.word

    def loads(self) -> list[int]:
        """Draw words that load every vector register from a row."""
        return [self._loads(register) for register in self._choices.written]

    def _loads(self, register: int) -> int:
        choices, below = self._choices, self._operands.below
        slot = choices.slots.row(below(choices.memory_rows))
        block = below(len(choices.every_block))
        return self._load.insn.insert(
            self._load.insn.match, rd=register, ra=choices.row_code, rb=self.zero, db=block, ds=slot
        )

    def store(self, space: Space, n: int) -> int:
        """Return a word that stores a register to a space, at an address register."""
        choices = self._choices
        slot = choices.slots.at(choices.slots.plain, n)
        return self._load.insn.insert(
            self._load.insn.match,
            rd=choices.none,
            ra=self._operands.recent[-1],
            rb=self.zero,
            sb=space.code,
            ss=slot,
        )
