"""A profile in speedscope's file format: https://www.speedscope.app, its file-format-spec.ts."""

from __future__ import annotations

from typing import Any

from lutra.profile.profile import Frame, Profile

SCHEMA = "https://www.speedscope.app/file-format-schema.json"


def document(profile: Profile, name: str) -> dict[str, Any]:
    """Two profiles over the same frames: all cycles, and those that were stalls; a unit is a cycle."""
    frames: dict[Frame, int] = {}
    samples: list[list[int]] = []
    cycles: list[int] = []
    stalled: list[int] = []
    for stack, cost in profile.stacks():
        samples.append([frames.setdefault(frame, len(frames)) for frame in stack])
        cycles.append(cost.cycles)
        stalled.append(cost.stalled)
    return {
        "$schema": SCHEMA,
        "shared": {"frames": [_frame(frame) for frame in frames]},
        "profiles": [_sampled("cycles", samples, cycles), _sampled("stall cycles", samples, stalled)],
        "name": name,
        "activeProfileIndex": 0,
        "exporter": "lutra",
    }


def _frame(frame: Frame) -> dict[str, Any]:
    file, line = frame.site
    return {"name": frame.name} | ({"file": file, "line": line} if file else {})


def _sampled(name: str, samples: list[list[int]], weights: list[int]) -> dict[str, Any]:
    taken = [(sample, weight) for sample, weight in zip(samples, weights, strict=True) if weight]
    return {
        "type": "sampled",
        "name": name,
        "unit": "none",
        "startValue": 0,
        "endValue": sum(weight for _, weight in taken),
        "samples": [sample for sample, _ in taken],
        "weights": [weight for _, weight in taken],
    }
