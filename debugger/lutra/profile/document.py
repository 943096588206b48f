"""A profile as one JSON document."""

from __future__ import annotations

from typing import Any

from lutra.asm.analysis.bound import Best
from lutra.profile.profile import Profile


def document(profile: Profile) -> dict[str, Any]:
    """Everything that the other forms show, except single instructions.

    The cycles of `lines`, and those of `routines`, add up to `cycles` less those of `unretired`.
    """
    stop = profile.stop
    return {
        "cycles": stop.cycles,
        "instructions": stop.instructions,
        "stalls": stop.stalls,
        "rounds": profile.counts.rounds,
        "cost": profile.cost.document(),
        "unretired": profile.unretired.document(),
        "lines": [
            {
                "file": line.site[0],
                "line": line.site[1],
                "routine": line.routine,
                "source": line.text,
                **line.own.document(),
                "with_macros": line.total.document(),
                "pcs": list(line.pcs),
            }
            for line in profile.lines.values()
        ],
        "routines": [
            {
                "name": r.name,
                "pc": r.pc,
                "file": r.site[0],
                "line": r.site[1],
                "calls": r.calls,
                **r.cost.document(),
                "cycles_with_calls": r.cost.cycles + r.inside,
            }
            for r in profile.routines
        ],
        "loops": [
            {
                "file": loop.site[0],
                "line": loop.site[1],
                "routine": loop.routine,
                "first": loop.first,
                "last": loop.last,
                "entries": loop.entries,
                "passes": loop.passes,
                "cycles": loop.cycles,
                "cycles_a_pass": loop.cycles_a_pass,
                "stalls": dict(loop.stalls.by_cause),
                "bound": _bound(profile.best(loop)),
            }
            for loop in profile.loops
        ],
        "waits": [
            {
                "file": w.site[0],
                "line": w.site[1],
                "cause": w.cause,
                "for_file": w.on[0],
                "for_line": w.on[1],
                "cycles": w.cycles,
            }
            for w in profile.waits
        ],
    }


def _bound(best: Best | None) -> dict[str, Any] | None:
    if best is None:
        return None
    return {
        "cycles": best.cycles,
        "instructions": best.instructions,
        "chain": best.chain,
        "through": list(best.through),
        "uses": {use.unit: use.instructions for use in best.uses},
    }
