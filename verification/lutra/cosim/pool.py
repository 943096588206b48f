"""Work in pieces, by processes of this machine; `cluster.py` has the machines of others. Results come in the order of
the pieces, whichever is done first."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Protocol, TypeVar

# Pieces handed out ahead, per process.
AHEAD = 4

Piece = TypeVar("Piece")
Result = TypeVar("Result")
Found = TypeVar("Found", covariant=True)


class Future(Protocol[Found]):
    """A future result of any pool."""

    def result(self) -> Found: ...


def results(work: Callable[[Piece], Result], pieces: Iterable[Piece], jobs: int = 1) -> Iterator[Result]:
    """Results of all pieces, in their order, from `jobs` processes."""
    if jobs == 1:
        yield from map(work, pieces)
        return
    context = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(jobs, context) as pool:
        try:
            yield from in_order((pool.submit(work, piece) for piece in pieces), AHEAD * jobs)
        except BaseException:
            # Whoever asks for an end does not wait for remaining work: without workers the pool ends at once. Leaving
            # the block waits for its thread, which would otherwise close a pipe that the interpreter's exit writes to.
            for worker in set(multiprocessing.active_children()) - others:
                worker.terminate()
            raise


def in_order(futures: Iterable[Future[Result]], ahead: int) -> Iterator[Result]:
    """Results in the order of the futures, of which at most `ahead` are made in advance."""
    waiting: deque[Future[Result]] = deque()
    for future in futures:
        waiting.append(future)
        if len(waiting) > ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
