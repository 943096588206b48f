"""Find loops that trap whenever their body runs, and loops that cross.

From every outermost loop the program is followed as the sequencer would run the first pass of each loop, through calls,
up to a conditional branch or the end of the loop. So findings do not depend on data: the trap happens whatever else is
on the stacks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from lutra.asm.analysis.decoded import CALL, HALT, JUMP, RETURN, Word
from lutra.asm.errors import plural
from lutra.asm.passes.contents import Contents
from lutra.asm.reporter import Reporter
from lutra.isa import Isa


class _Loop(NamedTuple):
    """A loop: its place, the last instruction of its body, and its passes if the word contains them."""

    pc: int
    end: int
    turns: int | None


class _Call(NamedTuple):
    """A call: its place, and whether it is the last instruction of a loop, which has ended when the call returns."""

    pc: int
    ends_loop: bool


@dataclass
class _Stacks:
    """The loops and the calls that are running."""

    loops: list[_Loop] = field(default_factory=list)
    calls: list[_Call] = field(default_factory=list)


def check(isa: Isa, contents: Contents, words: Mapping[int, Word | None], reporter: Reporter) -> None:
    """Report loops that overflow the loop stack, end at one place, or cross."""
    _Walker(isa, words, contents, reporter).walk_all()


class _Walker:
    def __init__(self, isa: Isa, words: Mapping[int, Word | None], contents: Contents, reporter: Reporter) -> None:
        self._depth = isa.machine["LoopDepth"]
        self._calls = isa.machine["CallDepth"]
        self._words = words
        self._contents = contents
        self._reporter = reporter
        self._met: set[int] = set()  # loops that were reached from another one

    def walk_all(self) -> None:
        for pc in sorted(self._words):
            word = self._words[pc]
            if word is not None and word.is_loop and pc not in self._met:
                self._walk(pc)

    def _walk(self, pc: int) -> None:
        """Follow control from the loop at an address, one pass per loop, until it ends or is uncertain."""
        stacks = _Stacks()
        seen: set[tuple[int, int, int]] = set()
        while (word := self._words.get(pc)) is not None:
            if (state := (pc, len(stacks.loops), len(stacks.calls))) in seen:
                return  # runs forever
            seen.add(state)
            if word.is_loop:
                if self._traps(pc, word, stacks):
                    return
                self._met.add(pc)
                if word.turns != 0:
                    stacks.loops.append(_Loop(pc, word.target, word.turns))
                pc = word.target + 1 if word.turns == 0 else pc + 1
            else:
                to = self._after(pc, word, stacks)
                if to is None:
                    return
                pc = to

    def _after(self, pc: int, word: Word, stacks: _Stacks) -> int | None:
        """Return the next address; None if control ends or is uncertain."""
        does = word.does
        if does == HALT or word.insn.facts.conditional:
            return None
        loop = stacks.loops[-1] if stacks.loops and stacks.loops[-1].end == pc else None
        if does not in (JUMP, CALL, RETURN):
            if loop is not None:
                stacks.loops.pop()  # after its last pass
            return pc + 1
        # A transfer from the end of a body leaves the loop on the stack, unless this is its last turn.
        stays = loop is not None and loop.turns is not None and loop.turns > 1
        if loop is not None and not stays:
            if loop.turns is None:
                return None
            stacks.loops.pop()
        if does == JUMP:
            return word.target
        if does == CALL:
            if len(stacks.calls) == self._calls:
                return None
            stacks.calls.append(_Call(pc, stays))
            return word.target
        if not stacks.calls:
            return None
        call = stacks.calls.pop()
        if call.ends_loop and stacks.loops.pop().end != call.pc:
            return None  # the routine has left a loop of its own on the stack
        return call.pc + 1

    def _traps(self, pc: int, word: Word, stacks: _Stacks) -> bool:
        """Report a loop that traps or crosses; return whether it traps."""
        loops = stacks.loops
        end = loops[-1].end if loops else -1
        if word.turns != 0 and len(loops) == self._depth:
            text = f"loops nested {len(loops) + 1} deep"
            self._report("loop-depth", pc, text, f"the loop stack holds {plural(self._depth, 'loop')}", stacks)
        elif loops and end == word.target:
            hint = "put an instruction between the two ends"
            self._report("loop-end", pc, "this loop ends where the loop around it ends", hint, stacks)
        elif loops and end == pc:
            hint = "put an instruction after its body, within the loop around it"
            self._report("loop-end", pc, "this loop is the last instruction of the loop around it", hint, stacks)
        else:
            if loops and loops[-1].pc < pc < end < word.target:
                hint = "the outer loop runs one pass only, and stays on the loop stack"
                self._report("loop-crossing", pc, "this loop begins in another one and ends after it", hint, stacks)
            return False
        return True

    def _report(self, name: str, pc: int, text: str, hint: str, stacks: _Stacks) -> None:
        around = stacks.loops if name == "loop-depth" else stacks.loops[-1:]
        notes = [(loop.pc, "within this loop") for loop in around]
        notes += [(call.pc, "called from here") for call in stacks.calls]
        item = self._contents.owners[pc]
        self._reporter.check(
            name, item.line, text, item.body.col, item.body.end, hint, *(self._note(at, what) for at, what in notes)
        )

    def _note(self, pc: int, what: str) -> str:
        line = self._contents.owners[pc].line
        return f"{line.file}:{line.number}: note: {what}"
