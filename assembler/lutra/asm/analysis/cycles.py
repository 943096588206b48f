"""The cycles of a routine from its start to its halt, as far as its control is static: no machine, no data.

Address registers are followed by value. What a routine loads into one, as a rule the length of a job, can be given; so
can the cycles of a job be computed for every length.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from lutra.asm.analysis import formulas
from lutra.asm.analysis.decoded import CALL, HALT, JUMP, RETURN, WAIT, Word
from lutra.asm.analysis.graph import Graph
from lutra.asm.analysis.interlock import Interlock, Issue
from lutra.isa import Insn, Window, load

# Instructions that are followed at most, unless said otherwise.
MOST = 100_000


class Load(NamedTuple):
    """An address register takes a lane of a row.

    pc: where. lane: number of the lane. space, address: of the row, in bytes; space is "" where the lane is a
    register's or the row's address is not known.
    """

    pc: int
    lane: int
    space: str
    address: int


# What a load gives; None where that is not known.
Inputs = Callable[[Load], int | None]


@dataclass(frozen=True)
class Cycles:
    """The cycles of a routine, as the machine counts them when it halts; None where they are not static.

    instructions: that were issued. stalls: cycles by cause. at, reason: the word from which on control is not known,
    and why; -1 and "" where it is.
    """

    total: int | None
    instructions: int
    stalls: dict[str, int]
    at: int = -1
    reason: str = ""


def cycles(
    graph: Graph,
    entry: int,
    rounds: int = 2,
    inputs: Inputs | None = None,
    visit: Callable[[int, Issue], None] | None = None,
    most: int = MOST,
) -> Cycles:
    """The cycles of the routine at an address; the host is taken to resume it at once where it waits.

    rounds: ROUNDS_PER_INSTR. visit: is told the address and the issue of every word, in turn. most: instructions that
    are followed.
    """
    return _Walk(graph, rounds, inputs or (lambda _: None), visit or (lambda pc, issue: None), most).run(entry)


class _UnknownError(Exception):
    """Control cannot be followed; the text says why."""


@dataclass
class _Loop:
    """A loop that runs: the first and last word of its body, and the passes that remain, this one too."""

    begin: int
    end: int
    remaining: int


@dataclass
class _Walk:
    graph: Graph
    rounds: int
    inputs: Inputs
    visit: Callable[[int, Issue], None]
    most: int
    loops: list[_Loop] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    registers: dict[int, int | None] = field(default_factory=dict)

    def run(self, entry: int) -> Cycles:
        self.isa, self.interlock = load(), Interlock(self.rounds)
        stalls: dict[str, int] = {stall.name: 0 for stall in self.isa.stalls}
        pc, count, reason = entry, 0, ""
        try:
            while pc >= 0:
                at, word = pc, self.graph.words.get(pc)
                if word is None:
                    raise _UnknownError("there is no instruction")
                if count == self.most:
                    raise _UnknownError(f"it runs for more than {self.most} instructions")
                issue = self.interlock.issue(self.graph.program[pc], pc)
                count += 1
                for wait in issue.waits:
                    stalls[wait.cause] += wait.cycles
                self.visit(pc, issue)
                pc = self._after(pc, word)
        except _UnknownError as unknown:
            reason = str(unknown)
        if reason:
            return Cycles(None, count, stalls, at, reason)
        return Cycles(self.interlock.cycles, count, stalls)

    def _after(self, pc: int, word: Word) -> int:
        """Where control goes; -1: it ends. At the last word of a body the loop counts first, whatever that word is."""
        to = pc + 1
        if self.loops and self.loops[-1].end == pc:
            self.loops[-1].remaining -= 1
            to = self.loops[-1].begin if self.loops[-1].remaining else to
            if not self.loops[-1].remaining:
                self.loops.pop()
        if word.does == HALT:
            return -1
        if word.does == WAIT:
            self.interlock.resume()
        if word.is_loop:
            return self._loop(pc, word)
        if word.insn.vector:
            self._vector(pc, word.insn)
            return to
        taken = self._address(pc, word.insn)
        if word.does not in (JUMP, CALL, RETURN) or taken is False:
            return to
        if taken is None:
            raise _UnknownError("the branch depends on what is not known")
        return self._transfer(word, to)

    def _transfer(self, word: Word, to: int) -> int:
        self.interlock.taken()
        if word.does == CALL:
            if len(self.calls) == self.isa.machine["CallDepth"]:
                raise _UnknownError("the call stack overflows")
            self.calls.append(to)
        if word.does == RETURN:
            if not self.calls:
                raise _UnknownError("it returns to a caller")
            return self.calls.pop()
        return word.target

    def _loop(self, pc: int, word: Word) -> int:
        turns = word.turns
        if turns is None:
            turns = self.registers.get(word.insn.get(self.graph.program[pc], "as"))
        if turns is None:
            raise _UnknownError("the number of turns is not known")
        if turns == 0:
            self.interlock.taken()
            return word.target + 1
        if len(self.loops) == self.isa.machine["LoopDepth"]:
            raise _UnknownError("the loop stack overflows")
        self.loops.append(_Loop(pc + 1, word.target, turns))
        return pc + 1

    def _address(self, pc: int, insn: Insn) -> bool | None:
        """Follow an address instruction; whether its transfer is taken."""
        word = self.graph.program[pc]
        source = self.registers.get(insn.get(word, "as")) if insn.facts.reads_address else None
        written, taken = formulas.computed(insn, word, source, None)
        if insn.facts.writes_address:
            self.registers[insn.get(word, "ad")] = written
        return taken

    def _vector(self, pc: int, insn: Insn) -> None:
        """Follow what a vector instruction does to address registers: its slots modify them, a lane loads one."""
        word = self.graph.program[pc]
        loaded = self._loaded(pc, insn) if insn.facts.writes_address else None
        for slot in ("ks", "ds", "ss"):
            if slot in insn.fields and insn.get(word, slot) and not self._row(insn.get(word, slot)):
                self._modify(insn.get(word, slot))
        if loaded is not None:
            self.registers[insn.get(word, "ad")] = self.inputs(loaded)

    def _row(self, slot: int) -> bool:
        return bool(slot >> self.isa.slot.row_flag & 1)

    def _modify(self, slot: int) -> None:
        register = self.isa.slot.register.of(slot)
        pattern = self.isa.pattern_by_code[self.isa.slot.pattern.of(slot)]
        value = self.registers.get(register)
        # Steps and windows are not followed.
        by_steps = self.isa.delta(pattern).steps or self.isa.wrap(pattern).comparison
        if value is not None and pattern.modifies:
            self.registers[register] = None if by_steps else self.isa.modified(pattern, value, 0, Window(0, 0))

    def _loaded(self, pc: int, insn: Insn) -> Load:
        word = self.graph.program[pc]
        slot = insn.get(word, "ds") if "ds" in insn.fields else 0
        lane = insn.get(word, "n")
        if not slot:
            return Load(pc, lane, "", 0)
        space = self.isa.memory_by_block[insn.get(word, "db")].name
        if self._row(slot):
            return Load(pc, lane, space, self.isa.slot.row.of(slot) * self.isa.machine["VectorBytes"])
        address = self.registers.get(self.isa.slot.register.of(slot))
        return Load(pc, lane, "" if address is None else space, address or 0)
