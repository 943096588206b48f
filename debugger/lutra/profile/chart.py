"""Two pictures of what the cycles were spent on: all together, and over time."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from lutra.isa import load
from lutra.profile.collector import Share
from lutra.profile.colours import EDGES, ISSUING, UNRETIRED, stall
from lutra.profile.profile import Profile

WIDTH, HEIGHT = 1200, 120
COLUMNS = 300
# A run of fewer columns has no course to show.
FEWEST = 8


def composition(profile: Profile) -> str:
    """A bar of all cycles with its legend."""
    parts = [("issuing", ISSUING, profile.cost.issued)]
    parts += [(cause, stall(cause), cycles) for cause, cycles in profile.cost.by_cause.items()]
    parts += [("first fetch, emptying", EDGES, profile.cost.edges), ("unretired", UNRETIRED, profile.unretired.cycles)]
    parts = [part for part in parts if part[2]]
    whole = sum(cycles for _, _, cycles in parts) or 1
    bar = "".join(
        f'<i style="flex:{cycles} 0 0;background:{colour}" title="{escape(name)}: {cycles:,} cycles"></i>'
        for name, colour, cycles in parts
    )
    legend = "".join(
        f'<li><i style="background:{colour}"></i>{escape(name)} <b>{cycles:,}</b>'
        f" <span>{100 * cycles / whole:.1f} %</span></li>"
        for name, colour, cycles in parts
    )
    return f'<div class="stack">{bar}</div><ul class="legend">{legend}</ul>'


def over_time(profile: Profile) -> str:
    """Columns of equal lengths of time, issuing below and what was lost above; nothing for a short run."""
    step, counted = _step(profile), profile.counts.shares
    shares = [_sum(counted[at : at + step]) for at in range(0, len(counted), step)]
    if len(shares) < FEWEST:
        return ""
    width = WIDTH / len(shares)
    body = "".join(rect for n, share in enumerate(shares) for rect in _column(share, n * width, width))
    return (
        f'<svg id="time" viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" shape-rendering="crispEdges" '
        f'role="img" aria-label="what cycles were spent on, over time">{body}</svg>'
    )


def column_cycles(profile: Profile) -> int:
    """The length of a column."""
    return _step(profile) * profile.counts.share_cycles


def _step(profile: Profile) -> int:
    """Shares of a column: no more columns than can be told apart."""
    return max(1, -(-len(profile.counts.shares) // COLUMNS))


def _sum(shares: tuple[Share, ...]) -> Share:
    stalls = tuple(map(sum, zip(*(share.stalls for share in shares), strict=True)))
    return Share(sum(s.issued for s in shares), sum(s.edges for s in shares), stalls)


def _column(share: Share, x: float, width: float) -> Iterator[str]:
    causes = [s.name for s in load().stalls]
    lost = [(stall(cause), cycles) for cause, cycles in zip(causes, share.stalls, strict=True)]
    rows = [(ISSUING, share.issued), *lost, (EDGES, share.edges)]
    whole, y = sum(n for _, n in rows), float(HEIGHT)
    for colour, cycles in rows:
        if cycles:
            height = HEIGHT * cycles / whole
            y -= height
            at = f'x="{x:.2f}" y="{y:.2f}" width="{width + 0.3:.2f}" height="{height:.2f}"'
            yield f'<rect {at} style="fill:{colour}"/>'
