"""One thread for the session: tasks one after the other, with progress and an interrupt, so that the screen lives."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event

from lutra.debug import Session, Watcher
from lutra.debug.screen.view import View, take
from lutra.iss.engine import EngineError

# What is done with the session; the text is for the user.
Task = Callable[[Session, Watcher], str]


@dataclass(frozen=True)
class Outcome:
    """What a task has come to. failed: text is why it could not be done. moved: the machine may be elsewhere."""

    text: str
    view: View
    failed: bool
    moved: bool


class Runner:
    """The session's thread. progress: time and cycle of a move that takes longer than a tenth of a second."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._thread = ThreadPoolExecutor(1, "session")
        self._interrupted = Event()
        self.progress: tuple[int, int] | None = None

    async def do(self, task: Task) -> Outcome:
        """Do a task, and look at the session after it."""
        self._interrupted.clear()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._do, task)
        finally:
            self.progress = None

    def interrupt(self) -> None:
        """End the move that is under way, where it is."""
        self._interrupted.set()

    def close(self) -> None:
        """Wait for the thread, which is told to end."""
        self.interrupt()
        self._thread.shutdown()

    def _do(self, task: Task) -> Outcome:
        before = self._session.stop
        try:
            text, failed = task(self._session, self._watch), False
        except EngineError as error:
            text, failed = str(error), True
        return Outcome(text, take(self._session), failed, self._session.stop is not before)

    def _watch(self, time: int, cycle: int) -> bool:
        self.progress = time, cycle
        return not self._interrupted.is_set()
