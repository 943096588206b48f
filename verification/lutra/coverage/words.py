"""Words of instructions with wishes: the fields asked for have their values, the others are random and harmless."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

from lutra.isa import Insn, Isa
from lutra.iss import _iss

# Wishes that a legal word does not fulfil are given up after so many tries.
TRIES = 400


class NoSuchWordError(Exception):
    """No legal word fulfils the wishes."""


class WordPicker:
    """Makes words of a core with ROUNDS_PER_INSTR = rounds."""

    def __init__(self, isa: Isa, rng: random.Random, rounds: int) -> None:
        self.isa = isa
        self.rng = rng
        self.rounds = rounds
        self.insns = [i for i in isa.instructions if rounds == 2 or not i.facts.two_rounds]
        self.by_name = {i.name: i for i in self.insns}
        self.row = isa.vector("ROW").code
        self.none = isa.vector("NONE").code
        self.zero = isa.vector("ZERO").code
        self.nop = self.word(self.that(lambda i: not i.vector and not i.path))

    # ---------------------------------------------------------------- instructions

    def matching(self, wanted: Callable[[Insn], bool]) -> list[Insn]:
        """The instructions that are wanted."""
        return [i for i in self.insns if wanted(i)]

    def that(self, wanted: Callable[[Insn], bool]) -> Insn:
        """One of them."""
        found = self.matching(wanted)
        if not found:
            raise NoSuchWordError
        return self.rng.choice(found)

    def does(self, function: str, alone: bool = True) -> Insn:
        """An instruction with a function on its path, and with nothing else there if `alone`."""
        return self.that(lambda i: function in {s.function for s in i.path} and (not alone or len(i.path) == 1))

    # ----------------------------------------------------------------------- words

    def any_of(self, insns: Iterable[Insn], **wishes: int) -> int:
        """A word of one of the instructions; NoSuchWordError where none can be as wished."""
        candidates = [i for i in insns if all(name in i.fields for name in wishes)]
        for _ in range(TRIES):
            if not candidates:
                break
            word = self._draw(self.rng.choice(candidates), wishes)
            if word is not None:
                return word
        raise NoSuchWordError

    def word(self, insn: Insn, **wishes: int) -> int:
        """A word of the instruction."""
        return self.any_of([insn], **wishes)

    def _draw(self, insn: Insn, wishes: dict[str, int]) -> int | None:
        values = {name: self._harmless(insn, name) for name in insn.fields} | wishes
        # A slot and its space belong together, and the data slot to whoever takes its row.
        for slot, space in (("ds", "db"), ("ss", "sb")):
            if space in values and not values[slot]:
                if wishes.get(space):
                    values[slot] = wishes.get(slot, self.slot())
                elif space not in wishes:
                    values[space] = 0
        free = [n for n in ("ra", "rb") if n in values and n not in wishes]
        if values.get("ds") and "mv" not in values and free and self.rng.random() < 0.5:
            values[self.rng.choice(free)] = self.row
        word = insn.match
        for name, place in insn.fields.items():
            word |= values[name] << place.lsb
        return word if _iss.legal(word, self.rounds) else None

    def slot(self) -> int:
        """A fixed row in the slot's encoding; not one of those that hold constants (`aimed.CONSTANTS`)."""
        layout = self.isa.slot
        row = self.rng.randrange(16, self.isa.machine["MemoryRows"] - 1)
        return 1 << layout.row_flag | row << layout.row[1]

    def at(self, register: int, suffix: str = "") -> int:
        """An address register in the slot's encoding."""
        layout = self.isa.slot
        return self.isa.pattern_by_suffix[suffix].code << layout.pattern[1] | register << layout.register[1]

    def _harmless(self, insn: Insn, name: str) -> int:
        rng = self.rng
        if name == "ks":
            return self.slot()
        if name in ("ds", "ss"):
            return rng.choice([0, self.slot()])
        if name == "db":
            return rng.randrange(len(self.isa.memory_by_block))
        if name == "sb":
            return rng.choice([s.code for s in self.isa.spaces if not s.is_program])
        if name in ("ra", "rb"):
            return rng.choice([rng.randrange(self.isa.machine["VectorRegs"]), self.zero])
        if name == "rd":
            return rng.randrange(self.isa.machine["VectorRegs"])
        return rng.choice(insn.facts.holds(name).codes)
