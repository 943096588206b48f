"""The debugger line by line: commands from scripts, from standard input, or from a terminal without a screen."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TextIO

from lutra.debug.commands import COMMANDS, CommandState, complete, execute, shown
from lutra.debug.commands.complete import ended
from lutra.debug.errors import DebugError, printable
from lutra.debug.session import Session
from lutra.debug.stops import Watcher
from lutra.iss.engine import EngineError

PROMPT = "(lutra) "


class Console:
    """Does commands, and writes what they say."""

    def __init__(self, session: Session, out: TextIO) -> None:
        self._state = CommandState(session)
        self._out = out

    @property
    def over(self) -> bool:
        """Whether the user has left."""
        return self._state.over

    def _say(self, text: str) -> None:
        if text:
            print(text, file=self._out, flush=True)

    def opened(self) -> None:
        """Say where the session begins."""
        self._say(shown.stop(self._state, self._state.session.moves.stop))

    def command(self, line: str) -> None:
        """Do a command, which is shown first. Raises EngineError."""
        self._say(f"{PROMPT}{printable(line.strip())}")
        self._say(execute(self._state, line))

    def stream(self, lines: TextIO, errors: TextIO) -> bool:
        """Do the commands of a stream to its end; whether all of them worked. What does not is reported."""
        good = True
        for line in lines:
            try:
                self.command(line)
            except EngineError as error:
                print(f"lutra: error: {error}", file=errors, flush=True)
                good = False
            if self.over:
                break
        return good

    def terminal(self) -> None:
        """Ask for commands, with completion. An empty line does the last one again where that makes sense; an
        interrupt ends a move or gives a line up, and leaves the debugger as it is."""
        self._completing()
        last = ""
        while not self.over:
            try:
                line = input(PROMPT)
            except EOFError:
                print(file=self._out)  # the prompt stands at the end of the line
                return
            except KeyboardInterrupt:  # as gdb does: a line is given up, not the session
                self._say("\n`quit` leaves the debugger")
                continue
            line = line if line.strip() else last
            last = line if _repeats(line) else ""
            try:
                with _interrupts() as watcher:
                    self._say(execute(self._state, line, watcher))
            except EngineError as error:
                self._say(f"error: {error}")

    def _completing(self) -> None:
        try:
            import readline
        except ImportError:  # a Python without it still reads lines
            return
        found: list[str] = []

        def completed(_: str, state: int) -> str | None:
            nonlocal found
            if not state:
                found = complete(self._state, readline.get_line_buffer()[: readline.get_endidx()])
                found = [ended(found[0])] if len(found) == 1 else found
            return found[state] if state < len(found) else None

        readline.set_completer(completed)
        readline.set_completer_delims(" \t=+*&|^()[")
        readline.parse_and_bind("tab: complete")


def _repeats(line: str) -> bool:
    words = line.split()
    try:
        return bool(words) and COMMANDS.find(words[0]).repeats
    except DebugError:
        return False


@contextmanager
def _interrupts() -> Iterator[Watcher]:
    """A watcher that ends a move when the user presses Ctrl-C."""
    pressed = False

    def press(_: int, __: FrameType | None) -> None:
        nonlocal pressed
        pressed = True

    before = signal.signal(signal.SIGINT, press)
    try:
        yield lambda time, cycle: not pressed
    finally:
        signal.signal(signal.SIGINT, before)
