"""A profile as one page of HTML that needs nothing else: pictures, tables, and the source with its cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

from lutra.profile import flame
from lutra.profile.chart import column_cycles, composition, over_time
from lutra.profile.colours import chips, stall
from lutra.profile.cost import Cost
from lutra.profile.profile import Profile, Site

# Rows of the tables.
ROWS = 25
# Share of all cycles; sources with less are folded.
SHARE_SHOWN = 0.01


def page(profile: Profile, name: str, about: str) -> str:
    """The whole page. about: of what and how, such as the engine."""
    parts = [
        _cards(profile),
        composition(profile),
        _section("Over time", f"a column is {column_cycles(profile):,} cycles", over_time(profile)),
        _section("Flame graph", "routines, macros and lines; wide is expensive; click to zoom", _flame(profile)),
        _section("Loops", "", _loops(profile)),
        _section("Stalls and their causes", "stall cycles of a line, and the line that makes it wait", _waits(profile)),
        _section("Routines", "", _routines(profile)),
        _section("Source", "bar: cycles, of them stalled in the warm part", "".join(_sources(profile))),
    ]
    script = _beside("page.js").replace("LETTER", str(flame.LETTER))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(name)}: profile</title><style>{_beside('flame.css')}{_beside('page.css')}</style></head><body>"
        f"<header><h1>{escape(name)}<small>{escape(about)}</small></h1>"
        f'<button id="theme" type="button">light / dark</button></header>'
        f"{''.join(parts)}<script>{script}</script></body></html>\n"
    )


def _beside(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _section(title: str, remark: str, body: str) -> str:
    if not body:
        return ""
    return f'<h2>{title}<small>{escape(remark)}</small></h2><div class="panel">{body}</div>'


def _cards(profile: Profile) -> str:
    stop, cost = profile.stop, profile.cost
    rows = [
        (f"{stop.cycles:,}", "cycles"),
        (f"{stop.instructions:,}", "instructions"),
        (f"{stop.cycles / stop.instructions:.2f}" if stop.instructions else "-", "cycles per instruction"),
        (_percent(cost.stalled, stop.cycles), "of the cycles stalled"),
    ]
    cards = "".join(f"<div><b>{value}</b><span>{what}</span></div>" for value, what in rows)
    return f'<div class="cards">{cards}</div>'


def _flame(profile: Profile) -> str:
    steps = "".join(f'<i class="h{n}"></i>' for n in range(flame.STEPS))
    return (
        f'{flame.svg(profile)}<div class="scale">no stalls {steps} nothing but stalls'
        '<button id="back" type="button">back to all</button></div>'
    )


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int]) -> str:
    """Cells are HTML."""
    found = list(rows)
    if not found:
        return ""
    of = ['class="n"' if n in numbers else "" for n in range(len(heads))]
    head = "".join(f"<th {kind}>{text}</th>" for kind, text in zip(of, heads, strict=True))
    body = "".join(
        f"<tr>{''.join(f'<td {kind}>{cell}</td>' for kind, cell in zip(of, row, strict=True))}</tr>" for row in found
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _loops(profile: Profile) -> str:
    heads = ("loop", "routine", "cycles", "", "entries", "passes", "cycles per pass", "stalls within")
    rows = (
        (
            _link(profile, loop.site),
            escape(loop.routine),
            f"{loop.cycles:,}",
            _percent(loop.cycles, profile.stop.cycles),
            f"{loop.entries:,}",
            f"{loop.passes:,}",
            f"{loop.cycles_a_pass:.2f}",
            chips(loop.stalls),
        )
        for loop in profile.loops[:ROWS]
    )
    return _table(heads, rows, range(2, 7))


def _waits(profile: Profile) -> str:
    heads = ("line", "", "waited", "cause", "for", "")
    rows = (
        (
            _link(profile, wait.site),
            _code(profile, wait.site),
            f"{wait.cycles:,}",
            f'<span class="chip"><i style="background:{stall(wait.cause)}"></i>{escape(wait.cause)}</span>',
            _link(profile, wait.on),
            _code(profile, wait.on),
        )
        for wait in profile.waits[:ROWS]
    )
    return _table(heads, rows, (2,))


def _routines(profile: Profile) -> str:
    heads = ("routine", "", "cycles", "", "with calls", "times", "stalls")
    rows = (
        (
            f"<b>{escape(r.name)}</b>",
            _link(profile, r.site),
            f"{r.cost.cycles:,}",
            _percent(r.cost.cycles, profile.stop.cycles),
            f"{r.cost.cycles + r.inside:,}",
            f"{r.calls:,}",
            chips(r.cost),
        )
        for r in profile.routines[:ROWS]
    )
    return _table(heads, rows, range(2, 6))


def _sources(profile: Profile) -> Iterator[str]:
    most = max((line.own.cycles for line in profile.lines.values()), default=0) or 1
    cycles = {
        file: sum(line.own.cycles for line in profile.lines.values() if line.site[0] == file) for file in profile.files
    }
    for file, own in sorted(cycles.items(), key=lambda row: -row[1]):
        last = max([len(profile.sources.lines(file)), *(line for name, line in profile.lines if name == file)])
        rows = "".join(_row(profile, (file, number), most) for number in range(1, last + 1))
        share = _percent(own, profile.stop.cycles)
        shown = " open" if own > SHARE_SHOWN * profile.stop.cycles else ""
        yield (
            f"<details{shown}><summary><b>{escape(profile.short[file])}</b>"
            f"<span>{own:,} cycles, {share}</span></summary>"
            f'<table class="source"><tbody>{rows}</tbody></table></details>'
        )


def _row(profile: Profile, site: Site, most: int) -> str:
    line = profile.lines.get(site)
    kind, cost, lost = "", '<td class="n"></td>', ""
    if line is not None and not line.total.issued:
        kind, cost = ' class="never"', '<td class="n">-</td>'
    elif line is not None and not line.own.issued:  # a call of a macro, whose own lines have the cycles
        cost = f'<td class="n quiet" title="in the macro">{line.total.cycles:,} *</td>'
    elif line is not None:
        what = f'style="{_bar(line.own, most)}" title="{_title(line.own)}"'
        cost, lost = f'<td class="n heat" {what}>{line.own.cycles:,}</td>', chips(line.own)
    text = escape(profile.sources.line(*site))
    place = f'<tr id="{_anchor(profile, site)}"{kind}>'
    return f'{place}{cost}<td>{lost}</td><td class="no">{site[1]}</td><td>{text}</td></tr>'


def _bar(cost: Cost, most: int) -> str:
    return f"--c:{100 * cost.cycles / most:.1f};--s:{100 * cost.stalled / most:.1f}"


def _title(cost: Cost) -> str:
    return f"issued {cost.issued:,} times, stalled {cost.stalled:,} cycles"


def _anchor(profile: Profile, site: Site) -> str:
    return f"L{profile.files.index(site[0])}-{site[1]}"


def _link(profile: Profile, site: Site) -> str:
    shown = escape(profile.shown(site))
    return f'<a href="#{_anchor(profile, site)}">{shown}</a>' if site[0] else shown


def _code(profile: Profile, site: Site) -> str:
    return f"<code>{escape(profile.sources.line(*site).strip())}</code>" if site[0] else ""


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"
