"""Writes one routine word by word. What a routine is made of is given to it: it knows none of the shapes."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from lutra.isa import Insn, Isa
from lutra.random.addresses import Addresses, Register
from lutra.random.control import Control
from lutra.random.control_words import ControlWords
from lutra.random.forms import Form
from lutra.random.operands import Choices
from lutra.random.pairs import Pair
from lutra.random.pickers import Picker
from lutra.random.program import Target
from lutra.random.vector_words import VectorWords
from lutra.random.weights import FILLERS, FILLERS_SKEW, WAITS


@dataclass(frozen=True)
class Tables:
    """Choices by the weights of a mode, for a value of ROUNDS_PER_INSTR; they do not depend on the seed.

    body: words of the longest body of a loop. plain: instructions without a transfer.
    """

    isa: Isa
    weights: Mapping[str, float]
    rounds: int
    body: int
    pairs: Sequence[Pair]
    forms: Mapping[str, Form]
    plain: Picker[Insn]
    shapes: Picker[Write]
    roles: Picker[str]
    choices: Choices = field(repr=False)
    control: Control = field(repr=False)


@dataclass
class Routine:
    """A subroutine: its code, and what a call of it costs and leaves."""

    words: list[int]
    targets: dict[int, Target]
    calls: dict[int, int]
    cost: int
    loops: int
    depth: int
    after: list[Register]


class Writer:
    """Writes one routine.

    scratch: address registers that subroutines may change. routines: those that it may call. alone: nothing has to
    come after it.
    """

    def __init__(
        self,
        made: Tables,
        rng: random.Random,
        scratch: frozenset[int],
        routines: list[Routine],
        alone: bool = False,
    ) -> None:
        self.made = made
        self.isa = made.isa
        self.rng = rng
        self.rand = rng.random
        self.scratch = scratch
        self.routines = routines
        self.alone = alone and not routines
        self.words: list[int] = []
        self.targets: dict[int, Target] = {}
        self.calls: dict[int, int] = {}
        self.addresses = Addresses(made.isa)
        self.vectors = VectorWords(made.choices, rng, self.addresses)
        self.control = ControlWords(made.isa, made.control, rng, made.weights, self.addresses)
        self.limit = (made.isa.machine["MemoryRows"] - 1) * made.isa.machine["VectorBytes"]
        self.loops = 0  # on the loop stack here, and at most
        self.most_loops = 0
        self.depth = 1  # of calls
        self.nested = 0
        self.waits = WAITS
        self.at_end = False  # the program is to end with the program memory
        self.joined = -1  # where a branch or loop led last: a body's end must come after it

    def chance(self, name: str) -> bool:
        """Draw a decision of `weights.CHANCES`."""
        return self.rand() < self.made.weights[f"chance:{name}"]

    def emit(self, word: int) -> int:
        """Write a word; returns its index."""
        self.words.append(word)
        return len(self.words) - 1

    def lead(self, at: int, to: int, offset: int = 0) -> None:
        """Give a transfer its target."""
        self.targets[at] = Target(self.made.control.target, to, offset)

    def join(self) -> None:
        """Note that a branch or loop leads here."""
        self.joined = len(self.words)

    def end(self, at: int) -> None:
        """End the loop opened at `at` here."""
        self.lead(at, len(self.words), -1)
        self.join()

    def block(self, size: int, budget: int) -> int:
        """Write about `size` words that retire about `budget` instructions; returns how many at most."""
        used = 0
        end = len(self.words) + size
        while len(self.words) < end and used < budget:
            shape = self.made.shapes(self.rand())
            used += shape(self, end - len(self.words), budget - used)
        return used

    def plain(self) -> int:
        """Write an instruction without a transfer; it counts as one."""
        while True:
            words = self._plain(self.made.plain(self.rand()))
            if words:
                self.words += words
                # The window of a circular buffer is three words and retires three instructions, so budgets are exceeded
                # by a little. A right count would change the programs of all seeds.
                return 1

    def _plain(self, insn: Insn) -> list[int]:
        if insn.vector:
            word = self.vectors.vector(self.made.forms[insn.name])
            return [] if word is None else [word]
        if insn.facts.sq == "SqWait":
            if self.nested or not self.waits:
                return []
            self.waits -= 1
        return self.control.words(insn)

    def set(self, n: int, value: int) -> int:
        """Set an address register."""
        self.addresses.assign(n, value, value, value % self.addresses.row == 0)
        self.emit(self.made.control.set(n, value))
        return 1

    def fill(self) -> int:
        """Write a few plain instructions, most often none."""
        return sum(self.plain() for _ in range(int(self.rand() ** FILLERS_SKEW * FILLERS)))


# Writes a structure of about so many words that retires about so many instructions; returns how many at most.
Write = Callable[[Writer, int, int], int]
