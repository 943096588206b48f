"""Pieces of aimed programs: words by what they do, and the random registers and rows that they take."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from lutra.coverage.words import WordPicker
from lutra.isa import Insn, Isa, Pattern
from lutra.iss.fault import Fault

Labels = Sequence[str]
Code = list[int]

REGISTER = "register"
ABSENT = "-"
SLOT_FIELDS = {"key": "ks", "data": "ds", "store": "ss"}
# An address away from both ends of a memory, its step, and an address that is out of range.
MIDDLE, STEP, FAR = 0x200, 0x10, 0xFFFF
# Rows of a memory that hold what a program needs to be known: all ones; only the last byte all ones; zero.
CONSTANTS = {"wraps": b"\xff" * 16, "carry": bytes(15) + b"\xff", "none": bytes(16)}
CONSTANT_SPACE = "m2"


class Pieces:
    """Pieces for a core with ROUNDS_PER_INSTR = rounds."""

    def __init__(self, isa: Isa, rng: random.Random, rounds: int) -> None:
        self.isa = isa
        self.rng = rng
        self.rounds = rounds
        self.words = WordPicker(isa, rng, rounds)
        self.spaces = {s.name: s for s in isa.spaces}
        self.halt = self.does("SqHalt")

    # ------------------------------------------------------------------ choices

    def register(self) -> int:
        """Draw an address register."""
        return self.rng.randrange(len(self.isa.address_registers))

    def table(self) -> str:
        """Draw a table."""
        return self.rng.choice([s.name for s in self.isa.spaces if s.banks])

    def code_of(self, kind: str) -> int:
        """Return the vector code of a kind of operand, as the plan calls it; a random one of a register."""
        general = self.isa.machine["VectorRegs"]
        if kind == REGISTER:
            return self.rng.randrange(general)
        return next(v.code for v in self.isa.vectors if v.code >= general and (v.name or v.record.lower()) == kind)

    def move(self, record: str) -> int:
        """Return the code of a move."""
        return next(m.code for m in self.isa.moves if m.record == record)

    # ------------------------------------------------------------------ words

    def does(self, function: str, **wishes: int) -> int:
        """Draw a word of an instruction that only has this function."""
        return self.words.word(self.words.does(function), **wishes)

    def any(self, **wishes: int) -> int:
        """Draw a word of any vector instruction."""
        return self.words.any_of(self.words.matching(lambda i: i.vector), **wishes)

    def reading(self, operand: str, **wishes: int) -> int:
        """Draw a word of any vector instruction, whose path begins with a register if the operand is `a`."""
        insns = self.words.matching(lambda i: i.vector and (operand != "a" or i.facts.src == "FromVector"))
        return self.words.any_of(insns, **wishes)

    def set(self, register: int, value: int) -> int:
        """Draw a word that sets an address register."""
        return self.does("AuSet", ad=register, n=value)

    def set_step(self, register: int, value: int) -> int:
        """Draw a word that sets a step."""
        return self.does("AuSetStep", ad=register, n=value)

    def set_window(self, register: int, start: int, end: int) -> int:
        """Draw a word that sets a window."""
        return self.does("AuSetWindow", ad=register, n=start, e=end)

    def repeats(self, end: int, count: int = 1) -> int:
        """Draw a word that opens a loop."""
        return self.does("SqRepeat", n=count, e=end)

    def jump(self, to: int) -> int:
        """Draw a jump."""
        return self.does("SqJump", e=to)

    def call(self, to: int) -> int:
        """Draw a call."""
        return self.does("SqCall", e=to)

    def with_slot(self, slot: str, space: str, value: int) -> int:
        """Draw a word whose slot reads or writes a space, or any for an empty name."""
        wishes = {SLOT_FIELDS[slot]: value}
        if space and slot != "key":
            wishes["db" if slot == "data" else "sb"] = self.spaces[space].code
        blocks = self.spaces[space].blocks if space and slot == "key" else ()
        return self.words.any_of(
            self.words.matching(lambda i: i.vector and set(blocks) <= set(i.facts.key_blocks)), **wishes
        )

    def constant(self, name: str, register: int) -> int:
        """Draw a word that loads a constant unchanged into a register."""
        w, layout = self.words, self.isa.slot
        row = list(CONSTANTS).index(name)
        plain = min(w.matching(lambda i: [o.kind for o in i.operands] == ["dst", "sum"]), key=lambda i: len(i.path))
        slot = 1 << layout.row_flag | row << layout.row[1]
        block = self.spaces[CONSTANT_SPACE].code
        return w.word(plain, rd=register, ra=w.row, rb=w.zero, w=0, db=block, ds=slot, sb=0, ss=0)

    # ------------------------------------------------------------------ code

    def at_end(self, insn: Insn, count: int, **wishes: int) -> Code:
        """Write the instruction as the last and only one of a loop; a return gets its call. Transfers go after it."""
        if insn.facts.sq == "SqReturn":
            # The call returns to the halt after it.
            return [self.call(2), self.halt, self.repeats(3, count), self.words.word(insn)]
        target = {"e": 2} if insn.facts.transfer and "e" in insn.fields else {}
        return [self.repeats(1, count), self.words.word(insn, **(target | wishes))]

    def nested(self, loops: int, calls: int, body: Code) -> Code:
        """Write the body within loops and calls. Each loop has an end of its own."""
        after = loops + calls + len(body)
        code = [self.repeats(after + loops - n) for n in range(loops)]
        code += [self.call(loops + n + 1) for n in range(calls)]
        return [*code, *body, *[self.words.nop] * (loops + 1)]

    def change(self, pattern: Pattern, step: int) -> int:
        """Return what a pattern adds to its register."""
        return self.isa.delta(pattern).change(self.isa.machine["VectorBytes"], step)


class Aim(ABC):
    """Makes programs for the bins of one coverpoint: what a bin is about is as it must be, all else is random."""

    point: ClassVar[str]

    def __init__(self, pieces: Pieces) -> None:
        self.p = pieces

    @abstractmethod
    def code(self, labels: Labels) -> Code:
        """Write a program for the bin with these labels; NoSuchWordError where what was drawn does not fit together.

        It ends at once; if it does not end by itself, it runs into a halt.
        """

    def faults(self, labels: Labels, code: Code) -> Sequence[Fault]:
        """Return the faults that are injected into this program."""
        return ()
