"""Find mistakes from the flow of a program: registers read before they are set, unreachable words, and results that
are overwritten before they are read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from functools import cached_property

from lutra.asm.analysis.graph import Graph
from lutra.asm.analysis.overwritten import Overwritten
from lutra.asm.analysis.routines import Before, Registers, Routines
from lutra.asm.errors import Line
from lutra.asm.image import Image
from lutra.asm.passes.contents import Contents
from lutra.asm.passes.nodes import Instruction
from lutra.asm.reporter import Reporter
from lutra.isa import load


def zero_after_reset() -> Registers:
    """Return the registers whose reset value a program may use if it starts only once: all address registers."""
    registers = load().address_registers
    return frozenset(f"{r}{part}" for r in registers for part in ("", ".step", ".start", ".end")) | {"ctr.width"}


class Lint:
    """These checks of a program. given: start address -> registers that the host has set by then. image: symbols and
    entry of the program."""

    def __init__(
        self,
        graph: Graph,
        contents: Contents,
        routines: Routines,
        given: Mapping[int, Registers],
        image: Image,
        reporter: Reporter,
    ) -> None:
        self._graph = graph
        self._owners = contents.owners
        self._given = given
        self._entry = image.entry
        self._labels = image.labels(load().program.name)
        self._reporter = reporter
        self._routines = routines

    def check(self) -> None:
        self._check_unset()
        self._check_unreachable()
        self._check_overwritten()

    def _report(self, name: str, pc: int, text: str, hint: str, *notes: str, word: str = "") -> None:
        """Report a finding about an instruction, or about a word in it."""
        item = self._owners[pc]
        begin, end = item.body.col, item.body.end
        found = re.compile(rf"\b{re.escape(word)}\b").search(item.line.text, end) if word else None
        if found is not None:
            begin, end = found.span()
        self._reporter.check(name, item.line, text, begin, end, hint, *notes)

    @cached_property
    def _words(self) -> dict[tuple[str, int], set[int]]:
        """The words of each line as it is written."""
        words: dict[tuple[str, int], set[int]] = {}
        for pc, item in self._owners.items():
            words.setdefault((item.line.file, item.line.number), set()).add(pc)
        return words

    def _whole_lines(self, found: Set[int]) -> set[int]:
        """Keep only words whose source line has no correct expansion: a macro is right if one of its calls is."""
        return {pc for pc in found if self._words[(line := self._owners[pc].line).file, line.number] <= found}

    # ---------------------------------------------------------------------- read before set

    def _check_unset(self) -> None:
        ways: dict[int, Before] = {}
        for pc, unset in self._routines.before(self._given).unset():
            ways = ways or {start: self._routines.before({start: given}) for start, given in self._given.items()}
            for register in sorted(unset):
                base, _, part = register.partition(".")
                if base in unset and part:
                    continue  # reported for the register itself
                origin = next(s for s, way in ways.items() if pc in way and register not in way.at(pc))
                name = self._labels.get(origin, "")
                since = f", on a path from '{name}'" if name else ""
                text = f"{_SHOWN.get(part, '{}').format(base)} is read before it is set{since}"
                also = f", or name it in Inputs of the header of '{name}'" if name else ""
                self._report("unset-register", pc, text, f"set it on every path to here{also}", word=base)

    # ---------------------------------------------------------------------- unreachable

    def _check_unreachable(self) -> None:
        reached = self._routines.reached | self._graph.reach([self._entry, *self._empty_loops()])
        dead = {pc for pc in self._owners if pc not in reached and self._is_own_instruction(pc)}
        shown = self._whole_lines(dead)
        for pc in sorted(shown):
            file = self._owners[pc].line.root.file
            same = {other for other in shown if self._owners[other].line.root.file == file}
            if pc - 1 in same:
                continue
            last = pc
            while last + 1 in same:
                last += 1
            more = f" and the {last - pc} after it" if last > pc else ""
            text = f"this instruction{more} cannot be reached"
            self._report("unreachable", pc, text, "make its label .global if the host starts there, or remove it")

    def _empty_loops(self) -> list[int]:
        """Return the bodies of loops with no passes, whose count may be a symbol that is zero here."""
        loops = (pc for pc in self._routines.reached if self._graph.words[pc].is_loop)
        return [pc + 1 for pc in loops if not self._graph.words[pc].turns]

    def _is_own_instruction(self, pc: int) -> bool:
        """Whether a word comes from an instruction of the source file itself, or of a macro that it calls."""
        item = self._owners[pc]
        return isinstance(item.body, Instruction) and item.line.flow[0] == item.line.root.file

    # ---------------------------------------------------------------------- overwritten

    def _check_overwritten(self) -> None:
        unread = Overwritten(self._graph, self._routines.reached & self._owners.keys())
        found = dict(unread.find())
        for pc in sorted(self._whole_lines(found.keys())):
            by = unread.overwriting(pc, found[pc])
            if not all(_is_within(self._owners[other].line, self._owners[pc].line) for other in by):
                continue  # the last result of a macro, which its other calls may need
            what = " and ".join(sorted(found[pc]))
            lines = dict.fromkeys(self._owners[other].line for other in by)
            notes = [f"{line.file}:{line.number}: note: overwritten here" for line in lines]
            self._report("overwritten", pc, f"{what} is overwritten before it is read", "remove it", *notes)


# Names of a register's parts in messages.
_SHOWN = {
    "step": "the step of {}",
    "start": "the window of {}",
    "end": "the window of {}",
    "width": "the width of {}",
}


def _expansions(line: Line) -> list[int]:
    """Return the macro calls and repetitions around a line, innermost first; all passes of a repetition are one."""
    found = []
    while (origin := line.origin) is not None:
        if origin.macro or origin.names:
            found.append(id(origin) if origin.macro else id(origin.line))
        line = origin.line
    return found


def _is_within(line: Line, other: Line) -> bool:
    """Whether a line is in the innermost macro call or repetition around another line."""
    inner = _expansions(other)[:1]
    return not inner or inner[0] in _expansions(line)
