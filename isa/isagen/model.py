"""The instruction set: its description, and what follows from it for each instruction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from isagen.description import Description
from isagen.facts import elaborate
from isagen.records import InsnFacts


@dataclass(frozen=True)
class Isa(Description):
    """What the emitters read."""

    @cached_property
    def facts(self) -> Mapping[str, InsnFacts]:
        """What each instruction of a sound description reads, writes and may be, by record."""
        return {insn.record: elaborate(self, insn) for insn in (*self.described, *self.insns)}
