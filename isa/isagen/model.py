"""The instruction set: its description, and what follows from it for each instruction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from isagen.description import Description
from isagen.facts import elaborate
from isagen.records import InsnFacts, State, Trap


@dataclass(frozen=True)
class Isa(Description):
    """A description with the facts that the emitters read."""

    @cached_property
    def program_traps(self) -> tuple[Trap, ...]:
        """The traps that programs bring about; all others come from a fault."""
        return tuple(t for t in self.traps if not t.by_fault)

    @cached_property
    def program_states(self) -> tuple[State, ...]:
        """The states that programs bring about."""
        return tuple(s for s in self.states if not s.by_fault)

    @cached_property
    def facts(self) -> Mapping[str, InsnFacts]:
        """Facts of each instruction of a sound description, by record."""
        return {insn.record: elaborate(self, insn) for insn in (*self.described, *self.insns)}
