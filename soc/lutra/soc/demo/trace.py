"""The notes of lutra_demo_trace as spans on tracks, and as trace events for Perfetto."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from lutra.soc import maps
from lutra.soc.demo.errors import DemoError

# Tracks from top to bottom: what a picture calls them.
TRACKS = {
    "host": "host awake",
    "doorbell": "doorbell",
    "descriptors": "descriptors in",
    "lists": "lists in",
    "reads": "source in",
    "core": "core runs",
    "writes": "result out",
    "completions": "completions out",
    "interrupt": "interrupt",
}
# By the ids of the bus: read_client_e and write_client_e of soc/rtl/lutra_soc_pkg.sv.
READS = ("descriptors", "lists", "lists", "reads")
WRITES = ("writes", "completions")
LEVELS = {"core": "core", "irq": "interrupt", "sleep": "host"}


@dataclass(frozen=True)
class Span:
    """Something on a track, in cycles since the window's begin. detail: of a burst its address and bytes."""

    track: str
    begin: int
    end: int
    detail: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Window:
    """All that happened between two marks."""

    cycles: int
    spans: tuple[Span, ...]

    def on(self, track: str) -> list[Span]:
        """The spans of a track."""
        return [span for span in self.spans if span.track == track]

    def busy(self, track: str) -> int:
        """Cycles in which a track has a span."""
        total = reached = 0
        for span in sorted(self.on(track), key=lambda span: span.begin):
            total += max(0, span.end - max(reached, span.begin))
            reached = max(reached, span.end)
        return total


def windows(lines: Iterable[str]) -> list[Window]:
    """The windows of a trace, in order. DemoError where it is not one."""
    found: list[Window] = []
    events: list[list[str]] = []
    for number, line in enumerate(lines, 1):
        words = line.split()
        if len(words) < 2 or not words[0].isdecimal():
            raise DemoError(f"trace, line {number}: {line.strip()!r} is not an event")
        events.append(words)
        if words[1] == "off":
            found.append(_window(events))
            events = []
    if events:
        raise DemoError("the trace ends within a window")
    return found


def _window(events: list[list[str]]) -> Window:
    begin, end = int(events[0][0]), int(events[-1][0])
    bus = _Bus()
    for cycle, kind, *values in events:
        bus.take(int(cycle) - begin, kind, list(map(int, values)))
    return Window(end - begin, tuple(sorted(bus.ended(end - begin), key=lambda span: (span.begin, span.track))))


class _Bus:
    """Bursts that are under way, and levels that are high."""

    def __init__(self) -> None:
        self.reads: dict[int, deque[tuple[int, dict[str, int]]]] = defaultdict(deque)
        self.writes: dict[int, deque[tuple[int, dict[str, int]]]] = defaultdict(deque)
        self.high: dict[str, int] = {}
        self.spans: list[Span] = []
        self.tail = maps.load().axi.offset("ring[0].tail")

    def take(self, cycle: int, kind: str, values: list[int]) -> None:
        """One event."""
        if kind == "r":
            self.reads[values[0]].append((cycle, {"address": values[1], "beats": values[2]}))
        elif kind == "R" and self.reads[values[0]]:
            self._end(READS[values[0]], self.reads[values[0]].popleft(), cycle)
        elif kind == "w":
            self.writes[values[0]].append((cycle, {"address": values[1]}))
        elif kind == "b" and self.writes[values[0]]:
            self._end(WRITES[values[0]], self.writes[values[0]].popleft(), cycle)
        elif kind == "put" and values[0] == self.tail:
            self.spans.append(Span("doorbell", cycle, cycle + 1, {"tail": values[1]}))
        elif kind in LEVELS:
            self._level(LEVELS[kind], bool(values[0]) != (kind == "sleep"), cycle)

    def _end(self, track: str, begun: tuple[int, dict[str, int]], cycle: int) -> None:
        self.spans.append(Span(track, begun[0], cycle + 1, begun[1]))

    def _level(self, track: str, high: bool, cycle: int) -> None:
        if high:
            self.high.setdefault(track, cycle)
        elif track in self.high:
            self.spans.append(Span(track, self.high.pop(track), cycle))

    def ended(self, cycles: int) -> Iterator[Span]:
        """All spans; what has not ended does at the end of the window."""
        yield from self.spans
        for track, begin in self.high.items():
            yield Span(track, begin, cycles)
        for tracks, bursts in ((READS, self.reads), (WRITES, self.writes)):
            for client, waiting in bursts.items():
                yield from (Span(tracks[client], begin, cycles, detail) for begin, detail in waiting)


def document(found: Iterable[Window], names: Iterable[str]) -> dict[str, Any]:
    """Chrome's trace events, which Perfetto reads: a process per window, a thread per track; a cycle is a microsecond.

    Bursts overlap, so those of a track are on as many threads as it takes.
    """
    events: list[dict[str, Any]] = []
    for process, (window, name) in enumerate(zip(found, names, strict=True), 1):
        events.append(_named("process_name", process, 0, name))
        thread = 0
        for track, title in TRACKS.items():
            for lane in _lanes(window.on(track)):
                thread += 1
                events.append(_named("thread_name", process, thread, title))
                for span in lane:
                    place = {"ph": "X", "pid": process, "tid": thread, "ts": span.begin, "dur": span.end - span.begin}
                    events.append(place | {"name": title, "cat": "cycles", "args": span.detail})
    return {"traceEvents": events, "displayTimeUnit": "ns", "otherData": {"unit": "cycles"}}


def _lanes(spans: list[Span]) -> list[list[Span]]:
    lanes: list[list[Span]] = []
    for span in spans:
        for lane in lanes:
            if lane[-1].end <= span.begin:
                lane.append(span)
                break
        else:
            lanes.append([span])
    return lanes


def _named(what: str, process: int, thread: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "ts": 0, "pid": process, "tid": thread, "name": what, "args": {"name": name}}
