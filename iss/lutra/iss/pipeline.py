"""The pipeline stage of each instruction in each cycle, and what it waits for, derived from retirement records alone.

    ways = list(passages(engine.records(), engine.rounds))
    print(ways[3].waits)                                      # why it stood in ID, and for which instruction
    table = Occupancy(ways, engine.rounds)
    print(table.at(17))                                       # stage -> the instruction in it, in cycle 17

After issue nothing stalls, so the cycle of WB says when an instruction issued; the hazards of isa/hazards.td say what
held it in ID, and the transfer before it whether it came a cycle later. The core's own stages are the same
(tests/profile/test_pipeline.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lutra.isa import load
from lutra.iss import _iss
from lutra.iss.retire import Record


@dataclass(frozen=True)
class Wait:
    """Cycles in ID under one cause. cause: a name of `Isa.stalls`.

    pc, issue: of the earlier instruction that is waited for; its address, and the cycle in which it issued.
    """

    cause: str
    cycles: int
    pc: int
    issue: int


@dataclass(frozen=True)
class Passage:
    """An instruction's way through the pipeline; all cycles are those of its run, as in the retirement record.

    first: it is the first after the host's start. resumed: after the host's resume. bubbles: cycles before it came into
    ID that were lost by the transfer before it. decode: its first cycle in ID, issue: the last one, retire: that of WB.
    taken: whether its transfer is taken; None where it cannot transfer or the records do not say it. waits: why it
    stood in ID, in that order; `issue - decode` cycles together.

    Of the first record that is told nothing is known of what came before it: unless it is the first of a run, what it
    has waited for earlier is left out.
    """

    pc: int
    insn: int
    first: bool
    resumed: bool
    bubbles: int
    decode: int
    issue: int
    retire: int
    taken: bool | None
    waits: tuple[Wait, ...]

    @property
    def fetch(self) -> int:
        """The cycle in which its word is fetched."""
        return self.decode - 1

    @property
    def stalled(self) -> int:
        """Cycles that it stood in ID and did not issue."""
        return self.issue - self.decode

    def waits_in(self, cycle: int) -> Wait | None:
        """Return what it waits for in a cycle."""
        at = self.decode
        for wait in self.waits:
            if at <= cycle < at + wait.cycles:
                return wait
            at += wait.cycles
        return None


@lru_cache(maxsize=2)
def stages(rounds: int) -> tuple[str, ...]:
    """The stages that an instruction goes through, fetch included, in their order; rounds: ROUNDS_PER_INSTR."""
    isa = load()
    names: dict[int, str] = {}
    for stage in isa.stages:
        names.setdefault((stage.one_round, stage.two_rounds)[rounds - 1], stage.name)
    return (isa.fetch, *(names[number] for number in sorted(names)))


class Pipeline:
    """Follows one machine, record by record; the machine of which nothing is known, or one after reset."""

    def __init__(self, rounds: int) -> None:
        self._pipeline = _iss.Pipeline(rounds)
        self._causes = [stall.name for stall in load().stalls]

    def reset(self) -> None:
        """The machine has just been reset."""
        self._pipeline.reset()

    def retired(self, record: Record) -> Passage:
        """The way of the next instruction."""
        return passage(self._pipeline.retired(record.fields), self._causes)


def passage(raw: tuple[Any, ...], causes: list[str]) -> Passage:
    """The binding's record of an instruction (iss/src/pipeline_binding.hpp)."""
    pc, insn, first, resumed, bubbles, decode, issue, retire, taken, waits = raw
    found = tuple(Wait(causes[cause], cycles, on, issued) for cause, cycles, on, issued in waits)
    return Passage(pc, insn, first, resumed, bubbles, decode, issue, retire, taken, found)


def passages(records: Iterable[Record], rounds: int) -> Iterator[Passage]:
    """The paths of consecutive retired instructions through the pipeline; rounds: ROUNDS_PER_INSTR of the machine."""
    pipeline = Pipeline(rounds)
    return map(pipeline.retired, records)


@dataclass(frozen=True)
class InStage:
    """An instruction in a stage in one cycle. wait: what holds it there, None where it moves on."""

    passage: Passage
    wait: Wait | None


class Occupancy:
    """The pipeline in every cycle of one run, from the ways of its instructions.

    What is on its way in a cycle has not retired yet: the ways must reach as far beyond the cycle as there are stages.
    """

    def __init__(self, ways: Iterable[Passage], rounds: int) -> None:
        self.stages = stages(rounds)
        self._by_issue: dict[int, Passage] = {}
        self._in_id: dict[int, Passage] = {}
        self._fetched: dict[int, Passage] = {}
        for way in ways:
            self._by_issue[way.issue] = way
            self._fetched[way.fetch] = way
            for cycle in range(way.decode, way.issue + 1):
                self._in_id[cycle] = way

    def at(self, cycle: int) -> Mapping[str, InStage | None]:
        """Return the instruction in each stage, from fetch on, in a cycle; None for a bubble or if unknown."""
        found: dict[str, InStage | None] = {}
        for number, stage in enumerate(self.stages, -1):
            way = (
                self._fetched.get(cycle)
                if number < 0
                else self._in_id.get(cycle)
                if number == 0
                else self._by_issue.get(cycle - number)
            )
            found[stage] = None if way is None else InStage(way, way.waits_in(cycle) if number == 0 else None)
        return found
