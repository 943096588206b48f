"""One thread for the session: tasks run one after another, with progress and an interrupt, so the screen stays live."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event

from lutra.debug import Watcher
from lutra.debug.commands import CommandState
from lutra.debug.screen.lines import Sheet
from lutra.debug.screen.view import View, take
from lutra.iss.engine import EngineError

# A task on the session and its commands; returns a text for the user, or a page.
Task = Callable[[CommandState, Watcher], str | Sheet]


@dataclass(frozen=True)
class Outcome:
    """The outcome of a task. failed: text is the reason. moved: the machine may have moved."""

    text: str
    view: View
    failed: bool
    moved: bool
    sheet: Sheet | None


class Runner:
    """The session's thread. moving: it does a task. progress: time and cycle, of a move that takes a while."""

    def __init__(self, commands: CommandState) -> None:
        self._commands = commands
        self._thread = ThreadPoolExecutor(1, "session")
        self._interrupted = Event()
        self.progress: tuple[int, int] | None = None
        self.moving = False

    async def do(self, task: Task) -> Outcome:
        """Do a task, and look at the session after it."""
        self._interrupted.clear()
        self.moving = True
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._do, task)
        finally:
            self.progress = None
            self.moving = False

    def interrupt(self) -> None:
        """End the move that is under way, where it is."""
        self._interrupted.set()

    def close(self) -> None:
        """Wait for the thread, which is told to end."""
        self.interrupt()
        self._thread.shutdown()

    def _do(self, task: Task) -> Outcome:
        session = self._commands.session
        before, failed = session.moves.stop, False
        found: str | Sheet
        try:
            found = task(self._commands, self._watch)
        except EngineError as error:
            found, failed = str(error), True
        text, sheet = (found, None) if isinstance(found, str) else ("", found)
        return Outcome(text, take(session), failed, session.moves.stop is not before, sheet)

    def _watch(self, time: int, cycle: int) -> bool:
        self.progress = time, cycle
        return not self._interrupted.is_set()
