"""Faults that an engine injects: flipped bits of a stream context (docs/faults.md)."""

from __future__ import annotations

from dataclasses import dataclass

from lutra.isa import Isa

# The words of a context: its LFSR, its finite-state machine, its buffer with the oldest keystream word first.
WORDS = (*(f"s{i}" for i in range(16)), "r1", "r2", "r3", *(f"z{i}" for i in range(4)))


class FaultError(ValueError):
    """A fault that cannot be; the message is one line."""


@dataclass(frozen=True)
class Fault:
    """Bits of a word that are flipped at the beginning of a cycle.

    cycle: counted from the start of the program, as the core's counter counts. context: `c0` or `c1`. word: one of
    WORDS. mask: the bits, of 32. shadow: of the word's copy instead, in a core that has one.
    """

    cycle: int
    context: str
    word: str
    mask: int
    shadow: bool = False

    def codes(self, isa: Isa) -> tuple[int, int, int, int, bool]:
        """The fault as a machine takes it. Raises FaultError."""
        if self.context not in isa.stream_contexts:
            raise FaultError(f"no stream context {self.context}; choose from {', '.join(isa.stream_contexts)}")
        if self.word not in WORDS:
            raise FaultError(f"a stream context has no word {self.word}; choose from {', '.join(WORDS)}")
        if not 0 < self.mask < 2**32:
            raise FaultError(f"{self.mask:#x} is not a set of bits of a word: from 0x1 to 0xffffffff")
        if not 0 <= self.cycle < 2**63:
            raise FaultError(f"cycle {self.cycle} is not from 0 to 2^63 - 1")
        index = WORDS.index(self.word)
        return self.cycle, isa.stream_contexts.index(self.context), index, self.mask, self.shadow

    def __str__(self) -> str:
        return f"{'the shadow of ' * self.shadow}{self.context}.{self.word} ^ {self.mask:#010x} at cycle {self.cycle}"
