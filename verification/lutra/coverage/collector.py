"""Counting what an engine does."""

from __future__ import annotations

from lutra.coverage import _collector
from lutra.coverage.counts import Counts, CoverageError
from lutra.coverage.plan import plan
from lutra.iss.engine import Engine


class Collector:
    """Counts what an engine does from now on, before its first start."""

    def __init__(self, engine: Engine) -> None:
        self._rounds = engine.rounds
        self._backend = engine.backend
        self._watching = [(_collector.Collector(engine.rounds), machine) for machine in engine.machines]
        for collector, machine in self._watching:
            collector.watch(machine)

    @property
    def _diverged(self) -> bool:
        return getattr(self._backend, "divergence", None) is not None

    def counts(self) -> Counts:
        """Return the counts so far, in lock-step the core's; CoverageError if the simulator's differ."""
        first, *others = [collector.counts() for collector, _ in self._watching]
        for other in others:
            if first != other and not self._diverged:
                place = min(place for place, _ in first.items() ^ other.items())
                point, index = plan().place(place)
                raise CoverageError(
                    "simulator and core in lock-step are counted differently: "
                    f"{point.name}:{point.label(index)} {first.get(place, 0)} and {other.get(place, 0)} times"
                )
            first = other
        counts = Counts()
        counts.add_places(self._rounds, first)
        return counts

    def close(self) -> None:
        """Count no more."""
        for collector, machine in self._watching:
            collector.leave(machine)
