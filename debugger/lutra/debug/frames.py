"""Frames at an instruction: macro expansions, loops and calls, innermost first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from lutra.asm import Place
from lutra.asm.analysis.decoded import decode
from lutra.asm.errors import plural
from lutra.debug.lines import Lines, named
from lutra.isa import load
from lutra.iss.registers import Registers


@dataclass(frozen=True)
class Frame:
    """One level.

    kind: `macro`, `loop`, `call` or `entry`, the last of which is the outermost. name: of the macro, of the routine
    (its label), or the loop's instruction. place: the line that is current in this level, of a loop that where it
    begins; None without source lines. pc: address of the next instruction in this level, of a loop that of its
    instruction. done, left: passes of a loop that are over (-1 where that is not known), and those that remain after
    the present one; 0 for all others. first, last: the addresses of a loop's body, or those of the expansion of a
    macro; of calls, all of the program.
    """

    kind: Literal["macro", "loop", "call", "entry"]
    name: str
    place: Place | None
    pc: int
    done: int = 0
    left: int = 0
    first: int = 0
    last: int = 0

    def __str__(self) -> str:
        """Return a line of a backtrace."""
        line = named(self.place) if self.place else f"pc {self.pc:#06x}"
        if self.kind != "loop":
            return f"{self.kind} {self.name} at {line}"
        done = "" if self.done < 0 else f"{plural(self.done, 'pass', 'passes')} done, "
        return f"loop {self.name} at {line}: {done}{self.left} left after this one"


@dataclass(frozen=True)
class _Loop:
    """A loop of the stack. pc: of its instruction."""

    pc: int
    start: int
    end: int
    remaining: int


class Frames:
    """Finds the frames of one moment.

    word: the program word at an address. text: it as assembly. label: of an address. turns: how many passes a loop has
    that began at an address, or None.
    """

    def __init__(
        self,
        lines: Lines,
        word: Callable[[int], int],
        text: Callable[[int], str],
        label: Callable[[int], str],
        turns: Callable[[int], int | None],
    ) -> None:
        self._lines = lines
        self._word = word
        self._text = text
        self._label = label
        self._turns = turns

    def at(self, pc: int, entry: int, registers: Registers) -> list[Frame]:
        """All frames of the instruction that comes, of a run that was started at an entry."""
        loops = list(self._loops(registers))
        calls = [int(registers[name].value) for name in _entries(registers, "call", "return")]
        found: list[Frame] = []
        for at, back in zip([pc, *(back - 1 for back in calls)], [*calls, None], strict=True):
            # An entry of the loop stack belongs to the innermost routine inside the loop.
            mine = []
            while loops and loops[0].start <= at <= loops[0].end:
                mine.append(loops.pop(0))
            found += self._level(at, mine)
            outer = self._lines.chain(at)[-1:]
            place = outer[0] if outer else None
            if back is None:
                found.append(Frame("entry", self._name(entry), place, at, last=len(self._lines)))
            else:
                target = decode(load(), self._word(back - 1))
                name = self._name(target.target if target else back)
                found.append(Frame("call", name, place, at, last=len(self._lines)))
        return found

    def _level(self, pc: int, loops: list[_Loop]) -> Iterator[Frame]:
        """Macros and loops that are open within one routine."""
        chain = self._lines.chain(pc)
        for level in range(max(1, len(chain)), 0, -1):
            while loops and len(self._lines.chain(loops[0].pc)) >= level:
                yield self._loop(loops.pop(0))
            if level > 1:
                place = chain[len(chain) - level]
                first, last = self._lines.expansion(pc, level)
                yield Frame("macro", place.macro, place, pc, first=first, last=last)

    def _loop(self, loop: _Loop) -> Frame:
        chain = self._lines.chain(loop.pc)
        turns = self._turns(loop.pc)
        done = -1 if turns is None else turns - loop.remaining
        return Frame(
            "loop",
            self._text(loop.pc),
            chain[0] if chain else None,
            loop.pc,
            done,
            loop.remaining - 1,
            loop.start,
            loop.end,
        )

    def _loops(self, registers: Registers) -> Iterator[_Loop]:
        for name in _entries(registers, "loop", "start"):
            start, end, remaining = (
                int(registers[f"{name.partition('.')[0]}.{part}"].value) for part in ("start", "end", "remaining")
            )
            yield _Loop(start - 1, start, end, remaining)

    def _name(self, pc: int) -> str:
        return self._label(pc) or f"{pc:#06x}"


def _entries(registers: Registers, base: str, part: str) -> list[str]:
    """The names of a part of all entries of a stack that are in use, innermost first."""
    depth = int(registers[f"{base}s"].value)
    return [f"{base}{n}.{part}" for n in range(depth)]
