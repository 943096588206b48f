"""A profile as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lutra.profile.cost import Cost
from lutra.profile.profile import Profile, Site

# Width of a line of source.
SOURCE_WIDTH = 60
# Units of a loop that are shown, of those that are busiest.
BUSIEST = 3


def report(profile: Profile, top: int) -> str:
    """All tables, of at most `top` rows each."""
    parts = [summary(profile), lines(profile, top), routines(profile, top), loops(profile, top)]
    parts += [bounds(profile, top), waits(profile, top)]
    return "\n\n".join(part for part in parts if part)


def summary(profile: Profile) -> str:
    """Return the table of costs."""
    stop, cost = profile.stop, profile.cost
    rows = [
        f"{stop.cycles} cycles, {stop.instructions} instructions",
        f"  issuing   {_share(cost.issued, stop.cycles)}",
        f"  stalled   {_share(cost.stalled, stop.cycles)}{_causes(cost)}",
        f"  edges     {_share(cost.edges, stop.cycles)}  first fetch, and emptying the pipeline at the end",
    ]
    if profile.unretired.cycles:
        rows.append(f"  unretired {_share(profile.unretired.cycles, stop.cycles)}  on its way when the limit came")
    return "\n".join(rows)


def lines(profile: Profile, top: int) -> str:
    """The lines that cost most."""
    found = sorted((line for line in profile.lines.values() if line.own.cycles), key=lambda line: -line.own.cycles)
    rows = [
        (
            profile.shown(line.site),
            str(line.own.cycles),
            _percent(line.own.cycles, profile.stop.cycles),
            str(line.own.issued),
            causes(line.own),
            _source(profile, line.site),
        )
        for line in found[:top]
    ]
    heads = ("line", "cycles", "%", "issued", "stalls", "source")
    return table(heads, rows, left=(0, 4, 5)) + _more(len(found), top, "lines")


def routines(profile: Profile, top: int) -> str:
    """The routines that cost most."""
    found = profile.routines
    rows = [
        (
            r.name,
            str(r.cost.cycles),
            _percent(r.cost.cycles, profile.stop.cycles),
            str(r.cost.cycles + r.inside),
            str(r.calls),
            causes(r.cost),
        )
        for r in found[:top]
    ]
    heads = ("routine", "cycles", "%", "with calls", "times", "stalls")
    return table(heads, rows, left=(0, 5)) + _more(len(found), top, "routines")


def loops(profile: Profile, top: int) -> str:
    """The loops that cost most."""
    found = profile.loops
    rows = [
        (
            profile.shown(loop.site),
            str(loop.cycles),
            _percent(loop.cycles, profile.stop.cycles),
            str(loop.entries),
            str(loop.passes),
            f"{loop.cycles_a_pass:.2f}",
            causes(loop.stalls),
            loop.routine,
        )
        for loop in found[:top]
    ]
    heads = ("loop", "cycles", "%", "entries", "passes", "cycles/pass", "stalls", "routine")
    return table(heads, rows, left=(0, 6, 7)) + _more(len(found), top, "loops")


def bounds(profile: Profile, top: int) -> str:
    """Return what a pass of the loops takes at least, which units that keeps busy, and the longest chain of results."""
    found = [(loop, best) for loop in profile.loops if (best := profile.best(loop)) is not None]
    rows = [
        (
            profile.shown(loop.site),
            f"{loop.cycles_a_pass:.2f}",
            str(best.cycles),
            str(best.instructions),
            ", ".join(f"{u.unit} {_percent(u.instructions, best.cycles)} %" for u in best.uses[:BUSIEST]),
            str(best.chain),
            ", ".join(dict.fromkeys(profile.shown(profile.site(pc)) for pc in best.through)),
        )
        for loop, best in found[:top]
    ]
    heads = ("loop", "cycles/pass", "bound", "issues", "busy then", "chain", "through")
    return table(heads, rows, left=(0, 4, 6)) + _more(len(found), top, "bounds")


def waits(profile: Profile, top: int) -> str:
    """Which line has waited for which."""
    found = profile.waits
    rows = [
        (profile.shown(w.site), str(w.cycles), w.cause, profile.shown(w.on), _source(profile, w.on))
        for w in found[:top]
    ]
    heads = ("line", "waited", "cause", "for", "which is")
    return table(heads, rows, left=(0, 2, 3, 4)) + _more(len(found), top, "waits")


def causes(cost: Cost) -> str:
    """`memory 5, transfer 1`."""
    return ", ".join(f"{name} {cycles}" for name, cycles in cost.by_cause.items())


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], left: Sequence[int]) -> str:
    """Rows in columns under their heads, numbers to the right; empty without rows."""
    found = list(rows)
    if not found:
        return ""
    widths = [max(map(len, column)) for column in zip(heads, *found, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if n in left else cell.rjust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in [heads, *found]
    )


def _source(profile: Profile, site: Site) -> str:
    return profile.sources.line(*site).strip()[:SOURCE_WIDTH] if site[0] else ""


def _more(count: int, top: int, what: str) -> str:
    return f"\n({count - top} more {what}; --top shows them)" if count > top else ""


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "-"


def _share(part: int, whole: int) -> str:
    return f"{part:>{len(str(whole))}}  {_percent(part, whole):>5} %"


def _causes(cost: Cost) -> str:
    return f"  {causes(cost)}" if cost.stalled else ""
