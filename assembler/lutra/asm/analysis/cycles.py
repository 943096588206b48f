"""Cycles of a routine from start to halt, computed without a machine or data as long as its control flow is static.

Values of address registers are tracked. The value that a routine loads into one, usually the length of a job, can be
given, so that the cycles of a job can be computed for every length.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from lutra.asm.analysis import formulas
from lutra.asm.analysis.decoded import CALL, HALT, JUMP, RETURN, WAIT, Word
from lutra.asm.analysis.graph import Graph
from lutra.asm.analysis.interlock import Interlock, Issue
from lutra.isa import Insn, load

# Default limit of instructions to follow.
MOST = 100_000


class Load(NamedTuple):
    """A load of an address register from a lane of a row.

    pc: address of the instruction. lane: number of the lane. space, address: place of the row, in bytes; space is "" if
    the lane is from a register or the address of the row is unknown.
    """

    pc: int
    lane: int
    space: str
    address: int


# Returns the value that a load gives; None if unknown.
Inputs = Callable[[Load], int | None]


@dataclass(frozen=True)
class Cycles:
    """Cycles of a routine, as the machine counts them when it halts; None if they are not static.

    instructions: number of issued instructions. stalls: cycles by cause. at, reason: the word after which control is
    unknown, and why; -1 and "" if it is known.
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
    """Return the cycles of the routine at an address, assuming that the host resumes it at once after a wait.

    rounds: ROUNDS_PER_INSTR. visit: called with address and issue of every word, in order. most: limit of instructions
    to follow.
    """
    return _Walk(graph, rounds, inputs or (lambda _: None), visit or (lambda pc, issue: None), most).run(entry)


class _UnknownError(Exception):
    """Control cannot be followed; the text says why."""


@dataclass
class _Loop:
    """A running loop: first and last word of its body, and the remaining passes including this one."""

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
        self.top = (1 << self.isa.machine["AddressBits"]) - 1
        stalls: dict[str, int] = {stall.name: 0 for stall in self.isa.stalls}
        pc, count, reason = entry, 0, ""
        try:
            while pc >= 0:
                at, word = pc, self.graph.words.get(pc)
                if word is None:
                    raise _UnknownError("there is no instruction at this address")
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
        """Return the next address, -1 at the end. After the last word of a body, whatever it is, the loop counts."""
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
            raise _UnknownError("the branch depends on an unknown value")
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
            raise _UnknownError("the loop count is unknown")
        if turns == 0:
            self.interlock.taken()
            return word.target + 1
        if len(self.loops) == self.isa.machine["LoopDepth"]:
            raise _UnknownError("the loop stack overflows")
        self.loops.append(_Loop(pc + 1, word.target, turns))
        return pc + 1

    def _address(self, pc: int, insn: Insn) -> bool | None:
        """Follow an address instruction; return whether its transfer is taken."""
        word = self.graph.program[pc]
        source = self.registers.get(insn.get(word, "as")) if insn.facts.reads_address else None
        written, taken = formulas.computed(insn, word, source, None)
        if insn.facts.writes_address:
            self.registers[insn.get(word, "ad")] = written
        return taken

    def _vector(self, pc: int, insn: Insn) -> None:
        """Track the address registers of a vector instruction: its slots modify them, a lane may load one."""
        word = self.graph.program[pc]
        loaded = self._loaded(pc, insn) if insn.facts.writes_address else None
        for register, change in _moves(word):
            value = self.registers.get(register)
            if value is not None:
                self.registers[register] = None if change is None else (value + change) & self.top
        if loaded is not None:
            self.registers[insn.get(word, "ad")] = self.inputs(loaded)

    def _loaded(self, pc: int, insn: Insn) -> Load:
        word = self.graph.program[pc]
        slot = insn.get(word, "ds") if "ds" in insn.fields else 0
        lane = insn.get(word, "n")
        if not slot:
            return Load(pc, lane, "", 0)
        space = self.isa.memory_by_block[insn.get(word, "db")].name
        if _is_row(slot):
            return Load(pc, lane, space, self.isa.slot.row.of(slot) * self.isa.machine["VectorBytes"])
        address = self.registers.get(self.isa.slot.register.of(slot))
        return Load(pc, lane, "" if address is None else space, address or 0)


@functools.cache
def _moves(word: int) -> tuple[tuple[int, int | None], ...]:
    """Which address registers the slots of a vector instruction change, and by how much; None by a step or in a window.

    These two are not tracked. Kept by word, since a loop has few.
    """
    isa = load()
    insn = isa.decode(word)
    assert insn is not None
    found: list[tuple[int, int | None]] = []
    for slot in (insn.get(word, name) for name in ("ks", "ds", "ss") if name in insn.fields):
        pattern = isa.pattern_by_code[isa.slot.pattern.of(slot)] if slot and not _is_row(slot) else None
        if pattern is not None and pattern.modifies:
            delta, bounded = isa.delta(pattern), bool(isa.wrap(pattern).comparison)
            change = None if delta.steps or bounded else delta.change(isa.machine["VectorBytes"], 0)
            found.append((isa.slot.register.of(slot), change))
    return tuple(found)


def _is_row(slot: int) -> bool:
    return bool(slot >> load().slot.row_flag & 1)
