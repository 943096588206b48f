"""A thread for long work next to the loop that answers requests; it ends with the process."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


class Worker:
    """Does one piece of work after the other."""

    def __init__(self, name: str) -> None:
        self._work: queue.SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]]] = queue.SimpleQueue()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._run, daemon=True, name=name).start()

    async def do(self, work: Callable[[], T]) -> T:
        """Wait for a piece of work; what it raises is raised here."""
        future: asyncio.Future[T] = self._loop.create_future()
        self._work.put((work, future))
        return await future

    def _run(self) -> None:
        while True:
            work, future = self._work.get()
            try:
                result, problem = work(), None
            except BaseException as error:  # pass any error to the waiting caller
                result, problem = None, error
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(_settle, future, result, problem)


def _settle(future: asyncio.Future[Any], result: Any, problem: BaseException | None) -> None:
    if future.done():
        return
    if problem is None:
        future.set_result(result)
    else:
        future.set_exception(problem)
