"""Collecting from every engine that a piece of a program makes."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Iterator
from typing import Any

from lutra.coverage.collector import Collector
from lutra.coverage.counts import Counts, CoverageError
from lutra.iss.engine import Engine, on_made


class Recorder:
    """Sum of the counts of the engines attached to it. counts: complete after `finish`."""

    def __init__(self) -> None:
        self.counts = Counts()
        self._disagreements: list[str] = []
        self._open: list[weakref.finalize[Any, Any]] = []

    def attach(self, engine: Engine) -> None:
        """Count an engine that has just been made, until it is thrown away or the recorder finishes."""
        self._open = [f for f in self._open if f.alive]
        self._open.append(weakref.finalize(engine, self._take, Collector(engine)))

    def _take(self, collector: Collector) -> None:
        try:
            self.counts.add(collector.counts())
        except CoverageError as error:
            self._disagreements.append(str(error))
        collector.close()

    def finish(self) -> None:
        """Take the counts of all engines. CoverageError where simulator and RTL or collector and plan disagree."""
        for engine in self._open:
            engine()
        self._open.clear()
        if self._disagreements:
            raise CoverageError(self._disagreements[0])
        if stray := self.counts.unexpected():
            raise CoverageError(f"bin {stray[0]} was hit, which the plan holds to be impossible")


_active: Recorder | None = None


def active() -> Recorder | None:
    """The recorder that new engines are attached to."""
    return _active


@contextlib.contextmanager
def recording() -> Iterator[Recorder]:
    """Count every engine made in the block; the counts are complete after it."""
    global _active
    outer, recorder = _active, Recorder()
    _active = recorder
    try:
        yield recorder
        recorder.finish()
    finally:
        _active = outer
        if outer is not None:
            outer.counts.add(recorder.counts)


def _attach(engine: Engine) -> None:
    if _active is not None:
        _active.attach(engine)


on_made(_attach)
