"""Breakpoints: where a run stops before an instruction, or after a trap or a notify."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from typing import Literal

from lutra.asm import Image, Place
from lutra.debug.errors import DebugError
from lutra.debug.lines import Lines
from lutra.debug.points import Point, Points
from lutra.iss.engine import EngineError
from lutra.iss.places import address, number

Kind = Literal["line", "label", "macro", "address", "trap", "notify"]
EVENTS: tuple[Kind, ...] = ("trap", "notify")


@dataclass(frozen=True)
class Breakpoint(Point):
    """A point at which a run stops, before the instruction; at the events `trap` and `notify` after it.

    addresses: all program addresses of it (a line within a macro has one for each use). place: the line that it is
    really at. message: why it is not verified, or is elsewhere than asked.
    """

    kind: Kind = "address"
    addresses: tuple[int, ...] = ()
    place: Place | None = None
    temporary: bool = False
    verified: bool = True
    message: str = ""


class Breakpoints(Points[Breakpoint]):
    """All breakpoints of a session, in the order of their numbers. here: the present file, or ""."""

    def __init__(
        self, image: Image, lines: Lines, here: Callable[[], str], numbers: count[int], check: Callable[[str], None]
    ) -> None:
        super().__init__("breakpoint", numbers, check)
        self._image = image
        self._lines = lines
        self._here = here

    def add(self, text: str, condition: str = "", ignore: int = 0, temporary: bool = False) -> Breakpoint:
        """A breakpoint at `FILE:LINE`, `LINE` of the present file, `LABEL`, `LABEL+N`, `MACRO`, `*0x12` (an address),
        `trap` or `notify`. A line without an instruction takes the next one of its file that has one. Raises
        DebugError."""
        return self._keep(replace(self._at(text.strip()), temporary=temporary), condition, ignore)

    def add_line(self, file: str, line: int, condition: str = "", ignore: int = 0) -> Breakpoint:
        """The same for front ends: one that fits nothing is not verified, and its message says why. file: as in the
        chain of a place, or a path that ends so. Raises DebugError for the condition."""
        text = f"{file}:{line}"
        try:
            found = self._at_line(text, self._lines.file(file), line)
        except DebugError as error:
            found = Breakpoint(0, text, kind="line", verified=False, message=str(error))
        return self._keep(found, condition, ignore)

    def add_address(self, pc: int, condition: str = "", ignore: int = 0) -> Breakpoint:
        """At a program address. Raises DebugError beyond the program."""
        return self._keep(self._at_address(f"*{pc:#x}", pc), condition, ignore)

    def _at(self, text: str) -> Breakpoint:
        if not text:
            raise DebugError("break where? write FILE:LINE, LINE, LABEL, MACRO, *ADDRESS, trap or notify")
        if text in EVENTS:
            return Breakpoint(0, text, kind=text)
        file, colon, line = text.rpartition(":")
        try:
            if text.startswith(("*", "0x")):
                return self._at_address(text, number(text.removeprefix("*")))
            if colon:
                return self._at_line(text, self._lines.file(file), number(line))
            if addresses := self._lines.macro(text):
                return Breakpoint(0, text, kind="macro", addresses=addresses, place=self._lines.chain(addresses[0])[0])
            if not text.isdigit():
                return replace(self._at_address(text, address(self._image, text)), kind="label")
        except EngineError as error:
            raise DebugError(str(error)) from None
        if not self._here():
            raise DebugError(f"line {text} of which file? write FILE:{text}, or *{text} for a program address")
        return self._at_line(text, self._here(), _line_number(text))

    def _at_line(self, text: str, file: str, line: int) -> Breakpoint:
        real = self._lines.line_with_instruction(file, line)
        addresses = self._lines.addresses(file, real)
        place = next(p for p in self._lines.chain(addresses[0]) if (p.file, p.line) == (file, real))
        message = "" if real == line else f"line {line} has no instruction; moved to line {real}"
        return Breakpoint(0, text, kind="line", addresses=addresses, place=place, message=message)

    def _at_address(self, text: str, pc: int) -> Breakpoint:
        if pc >= len(self._image.program):
            raise DebugError(f"{text}: the program ends at {len(self._image.program):#x}")
        return Breakpoint(0, text, addresses=(pc,), place=next(iter(self._lines.chain(pc)), None))

    def at(self, pc: int) -> Breakpoint | None:
        """The first breakpoint at a program address, disabled ones too."""
        return next((b for b in self if pc in b.addresses), None)

    def of(self, kind: Kind) -> Breakpoint | None:
        """The first breakpoint of an event that is enabled."""
        return next((b for b in self.active if b.kind == kind), None)

    @property
    def addresses(self) -> frozenset[int]:
        """Return the places where a run may stop."""
        return frozenset(pc for b in self.active for pc in b.addresses)


def _line_number(text: str) -> int:
    """Parse the number of a line. Raises DebugError for a number that no file can have."""
    if not text.isascii() or len(text) > 9:
        raise DebugError(f"{text[:20]!r} is not the number of a line")
    return int(text)
