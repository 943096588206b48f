"""The tables of docs/interfaces.md, from the figures of a study."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from lutra.soc import ring_page
from lutra.soc.figures import HOSTS, JOB, ROW, SHORTEST, TITLES, Figures, Series, model, rate_text, subjects
from lutra.soc.programs import SUBJECTS
from lutra.soc.system import ROOT, SYSTEMS

GATES = SYSTEMS / "gates.json"
PAGE = ROOT / "docs" / "interfaces.md"
PICTURE = ROOT / "docs" / "pictures" / "interfaces.py"
SIZES = (16, 64, 256, 576, 1500, 4096, 16384, 65536)
_TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.S)
Rows = Iterator[Sequence[object]]


def _moves(figures: Figures) -> Rows:
    yield "host", "attachment", "row to the core, cycles", "row from the core, cycles", "bytes per cycle"
    for row in figures.document["moves"]:
        both = row["write"] + row["read"]
        yield (
            HOSTS[row["host"]],
            TITLES[row["way"], row["delay"]],
            f"{row['write']:.1f}",
            f"{row['read']:.1f}",
            rate_text(ROW / both),
        )


def _rates(figures: Figures) -> Rows:
    yield "cipher", "core alone", "host", "S0", *TITLES.values()
    for name in subjects():
        for host in HOSTS:
            ways = figures.ways(host)
            soft = figures.one(host, name, "soft").rate(JOB)
            cells = (rate_text(figures.one(host, name, *way).rate(JOB)) if way in ways else "" for way in TITLES)
            yield SUBJECTS[name].title, rate_text(figures.core_rate(name)), HOSTS[host], rate_text(soft), *cells


def _speed_ups(figures: Figures) -> Rows:
    yield "cipher", "host", "core alone", *TITLES.values(), "part that is left"
    for name in subjects():
        for host in HOSTS:
            soft = figures.one(host, name, "soft").rate(JOB)
            alone = figures.core_rate(name) / soft
            ways = figures.ways(host)
            found = {way: figures.one(host, name, *way).rate(JOB) / soft for way in TITLES if way in ways}
            cells = (f"{found[way]:.2f}" if way in found else "" for way in TITLES)
            least, most = min(found.values()), max(found.values())
            left = (
                f"{100 * least / alone:.1f} to {100 * most / alone:.1f} %"
                if len(found) > 1
                else f"{100 * most / alone:.1f} %"
            )
            yield SUBJECTS[name].title, HOSTS[host], f"{alone:.1f}", *cells, left


def _sizes(figures: Figures) -> Rows:
    yield "host", "attachment", *(f"{size} B" for size in SIZES)
    for host in HOSTS:
        for way in [("soft", 0), *figures.ways(host)]:
            series = figures.one(host, "aes-128-ctr", *way)
            yield HOSTS[host], TITLES.get(way, "S0"), *(rate_text(series.rate(size)) for size in SIZES)


def _costs(figures: Figures) -> Rows:
    yield (
        "host",
        "attachment",
        "beta",
        "link in use",
        "host busy",
        "first bytes after, cycles",
        "new key, cycles",
    )
    for host in HOSTS:
        for way in figures.ways(host):
            series = figures.one(host, "aes-128-ctr", *way)
            message = series.kept(JOB)
            yield (
                HOSTS[host],
                TITLES[way],
                f"{series.beta:.2f}",
                f"{100 * message.busy / message.cycles:.0f} %",
                f"{100 * (1 - message.running / message.cycles):.0f} %",
                message.first,
                series.key_cycles,
            )


def _model(figures: Figures) -> Rows:
    heads = ("R_core", "W / beta", "R_cpu", "min", "alternately", "measured", "to min", "to alternately")
    yield "cipher", "host", "attachment", "form", *heads
    for series in modelled(figures):
        found = model(figures, series)
        rate = series.rate(JOB)
        yield (
            SUBJECTS[series.subject].title,
            HOSTS[series.host],
            TITLES[series.way, series.delay],
            series.form,
            *map(rate_text, (found.core, found.link, found.cpu, found.least, found.alternately, rate)),
            f"{100 * (rate / found.least - 1):+.0f} %",
            f"{100 * (rate / found.alternately - 1):+.0f} %",
        )


def modelled(figures: Figures) -> list[Series]:
    """The series that the model is compared with."""
    stateful = [s for s in figures.series() if (s.way, s.delay) in TITLES and not s.stateless and SHORTEST in s.sizes]
    ways = ("bus", 2), ("bus", 32), ("fifo", 0)
    return [s for s in stateful if (s.way, s.delay) in ways or (s.form == "keystream" and s.way == "bus")]


def _stateless(figures: Figures) -> Rows:
    yield "cipher", "host", "attachment", "core alone", "stateful", "stateless", "ratio", "beta"
    for series in figures.series():
        if not series.stateless:
            continue
        way = series.way, series.delay
        soft = figures.one(series.host, series.subject, "soft").rate(JOB)
        stateful = figures.one(series.host, series.subject, *way).rate(JOB) / soft
        rate = series.rate(JOB) / soft
        alone = figures.core_rate(series.subject) / soft
        titles = SUBJECTS[series.subject].title, HOSTS[series.host], TITLES[way]
        yield *titles, f"{alone:.1f}", f"{stateful:.2f}", f"{rate:.2f}", f"{stateful / rate:.1f}", f"{series.beta:.2f}"


def _gates(_: Figures) -> Rows:
    yield "attachment", "kGE"
    yield from json.loads(GATES.read_text()).items()


INSTRUCTIONS = {
    ("registers", "raw"): "in registers, stored by the host",
    ("registers", "keystream"): "in registers, added and stored by the host",
    ("memory", "raw"): "stored by the instruction",
    ("memory", "in place"): "added to text in RAM by the instruction",
}


def _trivium(figures: Figures) -> Rows:
    yield "host", "keystream", "bits per cycle, 4 KB", "each further 128 bits, cycles", "bits per cycle of these"
    for (way, form), what in INSTRUCTIONS.items():
        for host in ("picorv32", "cv32e40x"):
            series = figures.one(host, "trivium", way, 0, form)
            step = (series.cycles(8192) - series.cycles(JOB)) / (JOB / ROW)
            yield HOSTS[host], what, f"{8 * series.rate(JOB):.2f}", f"{step:.2f}", f"{128 / step:.2f}"


TABLES: Mapping[str, Callable[[Figures], Rows]] = {
    "moves": _moves,
    "rates": _rates,
    "speed_ups": _speed_ups,
    "sizes": _sizes,
    "costs": _costs,
    "model": _model,
    "stateless": _stateless,
    "trivium": _trivium,
    "gates": _gates,
    **ring_page.TABLES,
}


def table(name: str, document: Mapping[str, Any]) -> str:
    """A table as Markdown."""
    heads, *lines = TABLES[name](Figures(document))
    rows = [heads, ["---"] * len(heads), *lines]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in rows)


def filled(text: str, document: Mapping[str, Any]) -> str:
    """The page with its tables written anew. ValueError where page and tables do not fit each other."""
    odd = {name for _, name, _ in _TABLE.findall(text)} ^ set(TABLES)
    if odd:
        raise ValueError(f"{PAGE.name}: the tables of the page and of {__name__} differ: {', '.join(sorted(odd))}")
    return _TABLE.sub(lambda found: found[1] + table(found[2], document) + found[3], text)


def write(document: Mapping[str, Any]) -> None:
    """Write the tables of the page, and its picture."""
    PAGE.write_text(filled(PAGE.read_text(), document))
    subprocess.run([sys.executable, str(PICTURE)], check=True)
