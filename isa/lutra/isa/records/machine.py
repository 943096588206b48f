"""The machine: its spaces, vector operands and traps, its configurations, and the version of the instruction set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Bits(NamedTuple):
    """A run of bits in a word or a slot."""

    msb: int
    lsb: int

    @property
    def width(self) -> int:
        """Number of bits."""
        return self.msb - self.lsb + 1

    @property
    def top(self) -> int:
        """The largest number that fits, which is the mask of the run at bit 0."""
        return (1 << self.msb - self.lsb + 1) - 1

    def of(self, word: int) -> int:
        """The number that stands there."""
        msb, lsb = self
        return word >> lsb & (1 << msb - lsb + 1) - 1

    def insert(self, word: int, value: int) -> int:
        """The word with a number there, modulo what fits."""
        top = self.top
        return word & ~(top << self.lsb) | (value & top) << self.lsb


@dataclass(frozen=True)
class Named:
    """A code with a name and a sentence: a trap, a state of the core, an addressing delta."""

    record: str
    name: str
    code: int
    text: str


@dataclass(frozen=True)
class State(Named):
    """A state of the core. by_fault: only where a core looks for faults."""

    by_fault: bool


@dataclass(frozen=True)
class Extension(Named):
    """A part that a core can be made without. needs: the names of those that it cannot be made without itself."""

    needs: tuple[str, ...]


@dataclass(frozen=True)
class Beside(Named):
    """An effect of the hash unit next to a path. field: the one whose value has the code."""

    field: str


# What the text of a trap can show beside the machine's sizes: the program address, the instruction, where the body of
# a REPEAT would end, the place of the store slot, and the first access that lies outside of its space.
TRAP_VALUES = ("pc", "insn", "end", "store", "outside", "outside_space", "outside_bytes")


@dataclass(frozen=True)
class Trap(Named):
    """Why a program stops before its halt.

    shown: the template of its values, {NAME} for each. yields_to: names of the traps that can apply to the same
    instruction and are reported instead. by_fault: not by a program, and only where a core looks for faults.
    """

    shown: str
    yields_to: tuple[str, ...]
    by_fault: bool


@dataclass(frozen=True)
class Space:
    """A space that a host address, a store or a section can name."""

    record: str
    name: str
    code: int
    text: str
    blocks: tuple[int, ...]
    banks: tuple[int, ...]

    @property
    def is_program(self) -> bool:
        """Program memory is neither data memory nor table."""
        return not self.blocks and not self.banks

    @property
    def is_single(self) -> bool:
        """It is one data block or one table bank, and not several at once as `t0:t1` is."""
        return len(self.blocks) + len(self.banks) == 1


@dataclass(frozen=True)
class VectorName:
    """A code of the source and destination fields; `name` is empty if it is not written as a register."""

    record: str
    name: str
    code: int
    text: str
    source: bool
    second_source: bool
    destination: bool
    extension: str  # its record


@dataclass(frozen=True)
class Stage:
    """A pipeline stage and its number with two rounds and one round per instruction."""

    record: str
    name: str
    two_rounds: int
    one_round: int


@dataclass(frozen=True)
class Configuration:
    """A configuration of the core: extensions by name, built values of ROUNDS_PER_INSTR, stream contexts.

    shadow_words: words of a context's LFSR that have a copy which is compared (SHADOW_WORDS).
    """

    name: str
    text: str
    extensions: tuple[str, ...]
    rounds: tuple[int, ...]
    contexts: int
    shadow_words: int = 0

    def has_rounds(self, two: bool) -> bool:
        """Whether an instruction is legal that needs two rounds (two), or one."""
        return not two or max(self.rounds) > 1


class Version(NamedTuple):
    """The version of the instruction set; docs/decisions/0013 says what raises which part."""

    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"

    def runs(self, needed: Version) -> bool:
        """Whether a machine of this version runs what needs another one."""
        return self.major == needed.major and self.minor >= needed.minor
