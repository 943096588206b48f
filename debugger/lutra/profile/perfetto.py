"""A profile as Chrome's trace events in JSON, which Perfetto (https://ui.perfetto.dev) reads; a cycle is a microsecond.

The format: "Trace Event Format", the JSON Object Format; complete events (X), counters (C) and metadata (M).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from lutra.isa import load
from lutra.iss.pipeline import stages
from lutra.profile.profile import Profile

# Processes of the trace: what was called, and the pipeline of the window.
CALLS, PIPELINE = 1, 2
STALLS = 0  # thread of the pipeline; its stages follow


def document(profile: Profile, name: str) -> dict[str, Any]:
    """Runs and calls, the shares of the time as counters, and the window's instructions stage by stage."""
    events = [*_metadata(profile, name), *_calls(profile), *_shares(profile), *_pipeline(profile)]
    return {
        "traceEvents": events,
        "displayTimeUnit": "ns",
        "otherData": {"unit": "cycles", "calls left out": profile.counts.spans_left_out},
    }


def _metadata(profile: Profile, name: str) -> Iterator[dict[str, Any]]:
    yield _named("process_name", CALLS, 0, name)
    yield _named("thread_name", CALLS, 0, "runs and calls")
    yield _named("process_name", PIPELINE, 0, "pipeline")
    yield _named("thread_name", PIPELINE, STALLS, "stalls")
    for thread, stage in enumerate(stages(profile.counts.rounds), STALLS + 1):
        yield _named("thread_name", PIPELINE, thread, stage)


def _named(what: str, process: int, thread: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "ts": 0, "pid": process, "tid": thread, "name": what, "args": {"name": name}}


def _complete(process: int, thread: int, name: str, begin: int, cycles: int, **args: Any) -> dict[str, Any]:
    place = {"ph": "X", "pid": process, "tid": thread, "ts": begin, "dur": cycles}
    return place | {"name": name, "cat": "cycles", "args": args}


def _calls(profile: Profile) -> Iterator[dict[str, Any]]:
    for span in sorted(profile.counts.spans, key=lambda s: (s.begin, -s.end)):
        frame = profile.routine(span.pc)
        yield _complete(CALLS, 0, frame.name, span.begin, span.end - span.begin, at=profile.shown(frame.site))


def _shares(profile: Profile) -> Iterator[dict[str, Any]]:
    causes = [stall.name for stall in load().stalls]
    seen = [n for n, _ in enumerate(causes) if any(share.stalls[n] for share in profile.counts.shares)]
    for number, share in enumerate(profile.counts.shares):
        args = {"issuing": share.issued, "edges": share.edges} | {causes[n]: share.stalls[n] for n in seen}
        at = number * profile.counts.share_cycles
        yield {"ph": "C", "pid": CALLS, "tid": 0, "name": "cycles", "ts": at, "args": args}


def _pipeline(profile: Profile) -> Iterator[dict[str, Any]]:
    for seen in profile.counts.window:
        way = seen.passage
        text = profile.names.instruction(way.insn, way.pc)
        where = {"pc": way.pc, "line": profile.shown(profile.site(way.pc)), "label": profile.names.label(way.pc)}
        begins = [way.fetch, way.decode, *range(way.issue + 1, way.retire + 2)]
        for thread, (begin, end) in enumerate(pairwise(begins), STALLS + 1):
            yield _complete(PIPELINE, thread, text, seen.offset + begin, end - begin, **where)
        at = way.decode
        for wait in way.waits:
            waited = {"for": profile.names.label(wait.pc) or f"{wait.pc:#06x}", "line": where["line"]}
            yield _complete(PIPELINE, STALLS, wait.cause, seen.offset + at, wait.cycles, **waited)
            at += wait.cycles
