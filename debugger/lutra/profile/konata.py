"""The window's instructions as a pipeline log for Konata: Kanata 0004, docs/kanata-log-format.md of the viewer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lutra.iss.pipeline import stages
from lutra.profile.collector import Seen
from lutra.profile.profile import Profile

# By convention, lane 0 has the stages and lane 1 what is lost.
STAGES, STALLS = 0, 1
LABEL, TOOLTIP, STAGE_TEXT = 0, 1, 2
RETIRED = 0


@dataclass(frozen=True)
class _Event:
    """A command of the log. cycle: over all runs. order: of commands in one cycle."""

    cycle: int
    order: int
    text: str


def log(profile: Profile) -> Iterator[str]:
    """The log's lines, without their ends; cycles are counted over all runs."""
    events = [event for number, seen in enumerate(profile.counts.window) for event in _events(profile, number, seen)]
    events.sort(key=lambda event: (event.cycle, event.order))
    yield "Kanata\t0004"
    now = events[0].cycle if events else 0
    yield f"C=\t{now}"
    for event in events:
        if event.cycle != now:
            yield f"C\t{event.cycle - now}"
            now = event.cycle
        yield event.text


def _events(profile: Profile, number: int, seen: Seen) -> Iterator[_Event]:
    """The commands of one instruction; within a cycle in the order in which they are made."""
    way, names = seen.passage, stages(profile.counts.rounds)
    order = number * 100

    def event(cycle: int, *columns: object) -> _Event:
        nonlocal order
        order += 1
        return _Event(seen.offset + cycle, order, "\t".join(map(str, columns)))

    def text(value: str) -> str:
        return value.replace("\t", " ").replace("\n", " ")

    yield event(way.fetch, "I", number, number, 0)
    instruction = profile.names.instruction(way.insn, way.pc)
    label = profile.names.label(way.pc)
    yield event(way.fetch, "L", number, LABEL, text(f"{f'{way.pc:04x} {label}'.rstrip()}: {instruction}"))
    calls = " < ".join(f"{profile.shown((p.file, p.line))}" for p in profile.chain(way.pc))
    yield event(way.fetch, "L", number, TOOLTIP, text(f"{calls}, cycle {way.fetch} of its run"))
    begins = [way.fetch, way.decode, *range(way.issue + 1, way.retire + 1)]
    for at, stage in zip(begins, names, strict=True):
        yield event(at, "S", number, STAGES, stage)
    at = way.decode
    for wait in way.waits:
        yield event(at, "S", number, STALLS, wait.cause)
        what = f"waits for {wait.pc:04x} {profile.names.label(wait.pc)}".rstrip()
        yield event(at, "L", number, STAGE_TEXT, text(what))
        at += wait.cycles
        yield event(at, "E", number, STALLS, wait.cause)
    yield event(way.retire + 1, "R", number, number, RETIRED)
