"""The tables of docs/ppa.md and docs/where-the-gates-go.md, from figures.json."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ppa import efficiency, figures, published, purposes
from ppa.tools import ROOT, PpaError

DOCS = ROOT / "docs"
COMMAND = "lutra ppa --page"
_TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.S)
# Smaller modules are in the JSON only.
FUNCTION_GATES, MODULES, PATHS = 300, 16, 10
HEADLINE = "full"
# What the others are compared with; and configurations next to them, each with a job.
FIRST_PIPELINE = "SP_1_1"
LUTRA = ((HEADLINE, "aes-128-ctr"), (HEADLINE, "aes-128-icm"), ("aes", "aes-128-ctr"))
# Draws docs/pipelines.svg.
PICTURE = DOCS / "pictures" / "pipelines.py"

Rows = Iterator[Sequence[object]]


def _points(known: Mapping[str, Any]) -> Rows:
    yield "configuration", "ABC script", "ns", "MHz", "logic, kGE", "of it registers", "flip-flops", "Pareto"
    for name, found in known["configurations"].items():
        for p in found["points"]:
            ns = p["ns"]["reg_reg"]
            sizes = f"{p['gates'] / 1000:.1f}", f"{p['sequential'] / 1000:.1f}", p["flops"]
            star = f"**{p['recipe']}**" if p["recipe"] == found["best"] else p["recipe"]
            yield name, star, f"{ns:.2f}", f"{1000 / ns:.0f}", *sizes, "yes" if p["pareto"] else ""


def _commits(known: Mapping[str, Any]) -> Rows:
    yield "figures", "commit"
    for commit in dict.fromkeys(known["commits"].values()):
        yield ", ".join(name for name, of in known["commits"].items() if of == commit), f"`{commit}`"


def _memories(known: Mapping[str, Any]) -> Rows:
    yield "configuration", "bits", "of it program", "kGE by unit", "without program", "kGE by bit"
    for name, found in known["configurations"].items():
        m = found["memories"]
        gates = (f"{m[key] / 1000:.1f}" for key in ("by_unit", "by_unit_without_program", "by_bit"))
        yield name, f"{m['bits']:,}", f"{m['program_bits']:,}", *gates


def _efficiency(known: Mapping[str, Any]) -> Rows:
    found = known["configurations"][HEADLINE]
    totals = efficiency.totals(found["gates"], found["memories"])
    yield "job", "cycles", "ns per unit", "Gb/s", *(f"Mb/s per kGE, {what}" for what in totals), "paper, all memories"
    five = efficiency.five(found["ns"])
    for rate in (*five, *efficiency.others(found["ns"])):
        speed = f"{rate.cycles:.2f} per {rate.unit}", f"{rate.ns_per_unit:.2f}", f"{rate.gigabits:.2f}"
        paper = "-" if rate.paper is None else f"{rate.paper:.1f}"
        by = {what: rate.by_gates(gates) for what, gates in totals.items()}
        yield rate.job.what, *speed, *_beside_paper(by, rate.paper), paper
    means = {what: efficiency.mean(five, gates) for what, gates in totals.items()}
    mean = efficiency.paper_mean(five)
    yield "geometric mean of the first five", "", "", "", *_beside_paper(means, mean), f"{mean:.1f}"


def _beside_paper(by: Mapping[str, float], paper: float | None) -> Iterator[str]:
    """Throughput by gates, with the sign where the paper's is better by the same gates, all memories."""
    for what, value in by.items():
        is_behind = what == efficiency.ALL_MEMORIES and paper is not None and value < paper
        yield f"{value:.1f}" + (f" {published.BEHIND}" if is_behind else "")


def _short(known: Mapping[str, Any]) -> Rows:
    ns = known["configurations"][HEADLINE]["ns"]
    yield "job of 64 bytes", "cycles", "ns"
    for what, cycles in efficiency.short().items():
        yield what, cycles, f"{cycles * ns:.0f}"


def _configurations(known: Mapping[str, Any]) -> Rows:
    totals = ("logic", "without program", "all memories")
    yield (
        *("configuration", "what", "rounds", "contexts", "logic, kGE", "ns", "AES-128 ECB, Gb/s"),
        *(f"Mb/s per kGE, {total}" for total in totals),
        "mean of five, without program",
    )
    for name, found in known["configurations"].items():
        rounds, contexts = found["rounds"], found["contexts"]
        rates = efficiency.five(found["ns"], rounds, contexts, found["extensions"])
        gates = efficiency.totals(found["gates"], found["memories"])
        size = f"{found['gates'] / 1000:.1f}", f"{found['ns']:.2f}"
        by = (f"{rates[0].by_gates(gates[total]):.1f}" for total in totals)
        five = f"{efficiency.mean(rates, gates['without program']):.1f}" if len(rates) == len(efficiency.FIVE) else "-"
        yield name, found["what"], rounds, contexts, *size, f"{rates[0].gigabits:.2f}", *by, five


def _extensions(known: Mapping[str, Any]) -> Rows:
    found = known.get("extensions")
    yield "extension", "GE", f"% of {found['of'] if found else 'the core'}"
    if found is None:
        return
    whole = found["gates"]
    for name, left in sorted(found["without"].items(), key=lambda item: item[1]):
        yield name, f"{whole - left:,}", f"{100 * (whole - left) / whole:.1f}"


def _fixed(known: Mapping[str, Any]) -> Rows:
    yield "core", "GE", "ns", "ABC script", "bits in cycles", "number", "units of 256x8 instead of circuits"
    found = known.get("fixed", {})
    for name, c in found.items():
        cycles = "/".join(str(n) for n in dict.fromkeys(c["cycles"].values()))
        rate = f"{c['bits']} in {cycles}"
        yield name, f"{c['gates']:,}", f"{c['ns']:.2f}", c["best"], rate, c["count"], c["look_ups"]
    if found:
        gates, units = (sum(c[key] * c["count"] for c in found.values()) for key in ("gates", "look_ups"))
        own = known["configurations"][HEADLINE]
        yield "**sum**", f"{gates:,}", "", "", "", "", units
        yield "Lutra, logic alone", f"{own['gates']:,}", f"{own['ns']:.2f}", own["best"], "", 1, "tables in SRAM"


def _pipelines(known: Mapping[str, Any]) -> Rows:
    names = ("kGE", "ns", "ABC script", "cycles per block", "Gb/s", "Gb/s per kGE")
    yield "pipeline", *names, f"gates of {FIRST_PIPELINE}", "its rate"
    found = known.get("pipelines", {})
    if not found:
        return
    for name, p in found.items():
        first = found[FIRST_PIPELINE + (" ICM" if p["counter"] else "")]
        rate = _block_rate(p["cycles"], p["ns"])
        ratios = p["gates"] / first["gates"], rate / _block_rate(first["cycles"], first["ns"])
        yield name, *_speed(p["gates"], p["ns"], p["best"], p["cycles"]), *(f"{ratio:.2f}" for ratio in ratios)
    for configuration, job in LUTRA:
        own = known["configurations"][configuration]
        cycles = efficiency.rows()[job, "fused"].steady
        what = f"Lutra, {configuration}, logic alone, `{job}`"
        yield what, *_speed(own["gates"], own["ns"], own["best"], cycles), "", ""


def _block_rate(cycles: float, ns: float) -> float:
    """Gb/s of blocks."""
    return efficiency.unit_bits("block") / (cycles * ns)


def _speed(gates: int, ns: float, script: str, cycles: float) -> tuple[str, ...]:
    rate = _block_rate(cycles, ns)
    per_gate = f"{rate * 1000 / gates:.3f}"
    return f"{gates / 1000:.1f}", f"{ns:.2f}", script, f"{cycles:.2f}", f"{rate:.2f}", per_gate


def _modules(known: Mapping[str, Any]) -> Rows:
    found = known["configurations"][HEADLINE]
    yield "instance", "module", "GE", "of it registers", "%"
    parts = found["modules"]
    rest = parts[MODULES:]
    for p in parts[:MODULES]:
        share = f"{100 * p['gates'] / found['kept_gates']:.1f}"
        yield f"`{p['instance'] or 'the top'}`", f"`{p['module']}`", f"{p['gates']:,}", f"{p['sequential']:,}", share
    if rest:
        gates, sequential = (sum(p[key] for p in rest) for key in ("gates", "sequential"))
        share = f"{100 * gates / found['kept_gates']:.1f}"
        yield f"{len(rest)} smaller ones", "", f"{gates:,}", f"{sequential:,}", share


def _functions(known: Mapping[str, Any]) -> Rows:
    yield "function", "GE, smallest", "ns", "GE, fast", "ns"
    all_of_them = known["configurations"][HEADLINE]["functions"].items()
    for name, f in sorted(all_of_them, key=lambda item: -item[1]["area"]["gates"]):
        if f["area"]["gates"] >= FUNCTION_GATES:
            small, fast = f["area"], f["mix"]
            yield f"`{name}`", f"{small['gates']:,}", f"{small['ns']:.2f}", f"{fast['gates']:,}", f"{fast['ns']:.2f}"


def _paths(known: Mapping[str, Any]) -> Rows:
    yield "ns", "from", "to", "in modules", "ends", "cells"
    for p in known["configurations"][HEADLINE]["paths"][:PATHS]:
        modules = " → ".join(f"`{module or 'port'}`" for module in p["modules"])
        yield f"{p['ns']:.2f}", f"`{p['start']}`", f"`{p['end']}`", modules, p["ends"], p["cells"]


def _fpga(known: Mapping[str, Any]) -> Rows:
    yield "configuration", "device", "LUTs", "registers", "block RAMs", "MHz"
    for name, f in known.get("fpga", {}).items():
        yield name, f["device"], f"{f['luts']:,}", f"{f['registers']:,}", f["block_rams"], f"{f['mhz']:.1f}"


def _peers(known: Mapping[str, Any]) -> Rows:
    yield "core", "kGE", "ns", "cycles per block", "AES-128, Gb/s", "Gb/s per kGE"
    own = known["configurations"][HEADLINE]
    rate = efficiency.five(own["ns"])[0]
    cores = [("Lutra, logic alone, all ciphers", own["gates"], own["ns"], rate.cycles)]
    cores += [(f"{n}: {p['what']}", p["gates"], p["ns"], p["cycles"]) for n, p in known.get("peers", {}).items()]
    for name, gates, ns, cycles in cores:
        speed = efficiency.unit_bits("block") / (cycles * ns)
        yield name, f"{gates / 1000:.1f}", f"{ns:.2f}", f"{cycles:g}", f"{speed:.2f}", f"{speed * 1000 / gates:.3f}"


def _purposes(known: Mapping[str, Any]) -> Rows:
    return purposes.gates(known["configurations"][HEADLINE])


def _into(known: Mapping[str, Any]) -> Rows:
    return purposes.into(known["configurations"][HEADLINE])


Tables = Mapping[str, Callable[[Mapping[str, Any]], Rows]]
PAGES: Mapping[Path, Tables] = {
    DOCS / "ppa.md": {
        "commits": _commits,
        "points": _points,
        "memories": _memories,
        "efficiency": _efficiency,
        "short": _short,
        "configurations": _configurations,
        "extensions": _extensions,
        "fixed": _fixed,
        "pipelines": _pipelines,
        "modules": _modules,
        "functions": _functions,
        "paths": _paths,
        "fpga": _fpga,
        "peers": _peers,
    },
    DOCS / "published-figures.md": published.TABLES,
    DOCS / "where-the-gates-go.md": {"purposes": _purposes, "into": _into},
}


def _markdown(rows: Rows) -> str:
    heads, *lines = rows
    if not lines:
        return "Not recorded yet.\n"
    table = [heads, ["---"] * len(heads), *lines]
    return "".join(f"| {' | '.join(map(str, line))} |\n".replace("  |", " |") for line in table)


def filled(page: Path, text: str, known: Mapping[str, Any]) -> str:
    """A page with its tables written anew. Raises PpaError for a table that does not exist, or is not on the page."""
    tables = PAGES[page]
    there = [name for _, name, _ in _TABLE.findall(text)]
    odd = set(there) ^ set(tables)
    if odd:
        raise PpaError(f"{page.name}: the tables of the page and of ppa/page.py differ: {', '.join(sorted(odd))}")
    return _TABLE.sub(lambda m: f"{m[1]}\n{_markdown(tables[m[2]](known))}\n{m[3]}", text)


def write() -> None:
    """The pages and the picture, from figures.json; none where a table cannot be made. Raises PpaError."""
    known = figures.read()
    for page, text in {page: filled(page, page.read_text(), known) for page in PAGES}.items():
        page.write_text(text)
    subprocess.run([sys.executable, PICTURE], check=True)
