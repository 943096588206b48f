"""The pipeline at the present time, stage by stage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from lutra.debug.inspection import Inspection
from lutra.debug.target import Target
from lutra.iss.pipeline import Occupancy, passages
from lutra.iss.retire import Record

# Instructions before and after now that can be on their way: no more than there are stages, with what they waited for.
_AROUND = 64


@dataclass(frozen=True)
class Stage:
    """A stage and the instruction in it. pc: None for a bubble. wait: what holds it there, or ""."""

    name: str
    pc: int | None
    instruction: str
    wait: str

    def __str__(self) -> str:
        """Return a line of a table."""
        if self.pc is None:
            return f"{self.name:<6}-"
        held = f"   waits for {self.wait}" if self.wait else ""
        return f"{self.name:<6}{self.pc:#06x}  {self.instruction}{held}"


class Pipeline:
    """Shows the pipeline of a target."""

    def __init__(self, target: Target, inspect: Inspection) -> None:
        self._target = target
        self._inspect = inspect

    def stages(self) -> list[Stage]:
        """Return the instruction in each stage of the core in the cycle `where().cycle`, fetch first."""
        rounds, names = self._target.engine.rounds, self._inspect.names
        now = Occupancy(passages(self._around(), rounds), rounds).at(self._target.timeline.cycle)
        stages = []
        for name, found in now.items():
            if found is None:
                stages.append(Stage(name, None, "", ""))
                continue
            way, wait = found.passage, found.wait
            held = "" if wait is None else f"{wait.cause}, of {self._inspect.text(wait.pc)} at {wait.pc:#06x}"
            stages.append(Stage(name, way.pc, names.instruction(way.insn, way.pc), held))
        return stages

    def _around(self) -> Iterator[Record]:
        """Retirements of the present run before and after now."""
        timeline = self._target.timeline
        first = max(timeline.began + 1, timeline.now - _AROUND)
        records = list(timeline.records(first, timeline.now + _AROUND))
        yield from records[:1]
        for before, record in pairwise(records):
            if record.cycle <= before.cycle:
                return  # of the next run
            yield record
