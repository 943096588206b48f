"""Faults that an engine injects: flipped bits of a stream context or of a memory (docs/faults.md)."""

from __future__ import annotations

from dataclasses import dataclass

from lutra.isa import Isa

# The words of a context: its LFSR, its finite-state machine, its buffer with the oldest keystream word first.
OF_MEMORY = 8  # codes of spaces begin here, after those of contexts (fault.hpp)
WORDS = (*(f"s{i}" for i in range(16)), "r1", "r2", "r3", *(f"z{i}" for i in range(4)))


class FaultError(ValueError):
    """A fault that cannot be; the message is one line."""


@dataclass(frozen=True)
class Fault:
    """Bits of a word that are flipped at the beginning of a cycle.

    cycle: counted from the start of the program, as the core's counter counts. context: `c0` or `c1`; or the memory,
    table or program memory that the word is in. word: one of WORDS; or the number of a byte or program word. mask: the
    bits, of 32, 8 or 64. shadow: of the word's copy instead, or of its check bits, in a core that has them.
    """

    cycle: int
    context: str
    word: str
    mask: int
    shadow: bool = False

    def codes(self, isa: Isa) -> tuple[int, int, int, int, bool]:
        """The fault as a machine takes it. Raises FaultError."""
        if not 0 <= self.cycle < 2**63:
            raise FaultError(f"cycle {self.cycle} is not from 0 to 2^63 - 1")
        spaces = {s.name: s for s in isa.spaces if s.is_program or s.is_single}
        if self.context in spaces:
            return self._of_memory(spaces[self.context].code, spaces[self.context].is_program)
        if self.context not in isa.stream_contexts:
            raise FaultError(f"no stream context {self.context}; choose from {', '.join(isa.stream_contexts)}")
        if self.word not in WORDS:
            raise FaultError(f"a stream context has no word {self.word}; choose from {', '.join(WORDS)}")
        if not 0 < self.mask < 2**32:
            raise FaultError(f"{self.mask:#x} is not a set of bits of a word: from 0x1 to 0xffffffff")
        index = WORDS.index(self.word)
        return self.cycle, isa.stream_contexts.index(self.context), index, self.mask, self.shadow

    def _of_memory(self, code: int, is_program: bool) -> tuple[int, int, int, int, bool]:
        try:
            place = int(self.word, 0)
        except ValueError:
            place = -1
        if not 0 <= place < 2**16:
            raise FaultError(f"{self.word} is not a place of {self.context}; give the number of a byte or program word")
        bits = 64 if is_program else 8
        if self.shadow:
            bits = 8 if is_program else 1
        if not 0 < self.mask < 2**bits:
            raise FaultError(f"{self.mask:#x} is not a set of bits of {self.context}: from 0x1 to {2**bits - 1:#x}")
        return self.cycle, OF_MEMORY + code, place, self.mask, self.shadow

    def __str__(self) -> str:
        return f"{'the shadow of ' * self.shadow}{self.context}.{self.word} ^ {self.mask:#010x} at cycle {self.cycle}"
