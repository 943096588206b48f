"""A debugging session: one job on a machine whose past is kept. All front ends stand on this."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lutra.asm import Image, Place
from lutra.debug.breakpoints import Breakpoints, Watchpoints
from lutra.debug.frames import Frame
from lutra.debug.stops import Stop, Watcher, Where
from lutra.debug.values import Value
from lutra.debug.writers import Write
from lutra.iss.engine import EngineName
from lutra.iss.job import Job
from lutra.iss.registers import Registers


@dataclass(frozen=True)
class Instruction:
    """A line of a disassembly. label: `main+2`, or "". chain: innermost macro first."""

    pc: int
    word: int
    text: str
    label: str
    chain: tuple[Place, ...]


class Session:
    """One job under the debugger. Made by `open`; used by one thread at a time.

    Every move takes a watcher, which keeps a front end alive during a long one and can end it. What is wrong raises
    DebugError (an EngineError), one line; the machine stays where it was then. `stop` is why the last move ended.
    """

    image: Image
    engine: EngineName
    rounds: int
    breakpoints: Breakpoints
    watchpoints: Watchpoints
    stop: Stop
    # The user has asked to leave (command `quit`).
    over: bool = False

    @classmethod
    def open(cls, job: Job, engine: EngineName = "iss", rounds: int = 2) -> Session:
        """At the start of a job's first entry, nothing executed. Raises EngineError."""
        raise NotImplementedError

    # ------------------------------------------------------------------ moving

    def step(self, count: int = 1, watcher: Watcher | None = None) -> Stop:
        """Instructions forward; breakpoints do not matter, the end of the program does."""
        raise NotImplementedError

    def step_back(self, count: int = 1, watcher: Watcher | None = None) -> Stop:
        """Instructions back."""
        raise NotImplementedError

    def step_line(self, watcher: Watcher | None = None) -> Stop:
        """Forward to the next line: into macros, calls and loops; breakpoints stop."""
        raise NotImplementedError

    def step_line_back(self, watcher: Watcher | None = None) -> Stop:
        """Back to the beginning of the line before."""
        raise NotImplementedError

    def next_line(self, watcher: Watcher | None = None) -> Stop:
        """Forward to the next line of this level: over macros that are used here, calls, and the rest of a loop's
        pass; breakpoints stop."""
        raise NotImplementedError

    def next_line_back(self, watcher: Watcher | None = None) -> Stop:
        """Back to the beginning of the line before in this level."""
        raise NotImplementedError

    def finish(self, watcher: Watcher | None = None) -> Stop:
        """Forward to the end of the innermost macro, loop or call."""
        raise NotImplementedError

    def go(self, watcher: Watcher | None = None) -> Stop:
        """Forward to a breakpoint, a watchpoint or the end. The entries of a job follow each other."""
        raise NotImplementedError

    def back(self, watcher: Watcher | None = None) -> Stop:
        """Back to a breakpoint, a watchpoint (before the instruction that changes the value) or the start."""
        raise NotImplementedError

    def run_to_cycle(self, cycle: int, watcher: Watcher | None = None) -> Stop:
        """To where a cycle of the present entry begins, forward or back: no instruction that comes has retired before
        it."""
        raise NotImplementedError

    def seek(self, time: int, watcher: Watcher | None = None) -> Stop:
        """To a number of retired instructions, forward or back."""
        raise NotImplementedError

    def restart(self) -> Stop:
        """Back to the start of the first entry; what has been set by hand since then is forgotten."""
        raise NotImplementedError

    # ------------------------------------------------------------------ looking

    def where(self) -> Where:
        """Where the machine is."""
        raise NotImplementedError

    def registers(self) -> Registers:
        """The architectural registers."""
        raise NotImplementedError

    def changed(self) -> frozenset[str]:
        """What the last move has changed: registers by name (`v0`, `ar3.step`), and rows (`m2[0x010]`)."""
        raise NotImplementedError

    def size(self, space: str) -> int:
        """Bytes of a space."""
        raise NotImplementedError

    def read(self, space: str, offset: int, length: int) -> bytes:
        """Bytes of a space, without effect on the run."""
        raise NotImplementedError

    def instructions(self, first: int, count: int) -> list[Instruction]:
        """Program words from an address on; fewer at the end of program memory."""
        raise NotImplementedError

    def source(self, file: str) -> Sequence[str]:
        """The lines of a source file as the image names it. Raises DebugError where it cannot be read."""
        raise NotImplementedError

    def addresses(self, file: str, line: int) -> tuple[int, ...]:
        """All program addresses that come from a line, whether in the open or through macros."""
        raise NotImplementedError

    def frames(self) -> list[Frame]:
        """Macros, loops and calls that are open, innermost first; the last is the entry."""
        raise NotImplementedError

    def pipeline(self) -> Any:
        """What each stage of the core holds in the present cycle (`lutra.iss.pipeline`)."""
        raise NotImplementedError

    def last_writer(self, text: str) -> Write | None:
        """The last instruction before now that wrote a register, row, range or table entry; None where none did."""
        raise NotImplementedError

    def history(self, text: str, count: int = 10) -> list[Write]:
        """The last of its writers, newest first."""
        raise NotImplementedError

    def evaluate(self, text: str) -> Value:
        """The value of an expression. Raises DebugError with the place in the text."""
        raise NotImplementedError

    def show(self, value: Value, form: str = "") -> str:
        """A value in one of `values.FORMS` or a view; without a form, as its source comment or its kind says. Views
        have several lines."""
        raise NotImplementedError

    def views(self) -> Sequence[str]:
        """The names of all views."""
        raise NotImplementedError

    # ------------------------------------------------------------------ changing

    def set(self, text: str, value: str) -> None:
        """Set a register, row, slice or lane to the value of an expression. The future is new from here on."""
        raise NotImplementedError

    # ------------------------------------------------------------------ the command language

    def execute(self, line: str) -> str:
        """Do one command; what it says, lines without an end. Raises DebugError. `quit` sets `over`."""
        raise NotImplementedError

    def complete(self, line: str) -> list[str]:
        """What the last word of a line can become: commands, registers, symbols, files."""
        raise NotImplementedError
