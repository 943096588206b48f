"""Print measurements on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ppa import efficiency, hierarchy, timing
from ppa.measure import Point

_MOST = 20


def point(top: str, found: Point) -> str:
    """One point: gates, ns, modules if the hierarchy was kept, the longest paths."""
    total = found.total
    lines = [f"{top}: {total.gates:.0f} GE = {total.sequential:.0f} registers + {total.logic:.0f} logic"]
    lines += [", ".join(f"{kind} {ns:.3f} ns" for kind, ns in found.ns.items())] if found.ns else []
    if found.recipe.keep:
        lines += [
            f"{p.gates:9.0f} {p.sequential:8.0f}  {p.module} {p.instance}" for p in hierarchy.parts(found.modules)
        ]
    for arc, ends in timing.worst(found.arcs, _MOST):
        where = f"{timing.group(arc.start)} -> {timing.group(arc.end)} ({' -> '.join(arc.modules)})"
        lines.append(f"{arc.ns:.3f} ns x{ends:4} {len(arc.cells):3} cells  {where}")
    return "\n".join(lines)


def sections(measured: Mapping[str, Any]) -> str:
    """A whole measurement."""
    out: list[str] = []
    for name, found in measured.get("configurations", {}).items():
        out += _configuration(name, found)
    for name, found in measured.get("fpga", {}).items():
        out.append(
            f"{name}, {found['device']}: {found['luts']:,} LUTs, {found['registers']:,} registers, "
            f"{found['block_rams']} block RAMs, {found['mhz']:.1f} MHz"
        )
    for name, found in measured.get("fixed", {}).items():
        out.append(f"{name}: {found['gates']:,} GE, {found['ns']:.3f} ns, {found['count']} of it")
    for name, found in measured.get("pipelines", {}).items():
        out.append(f"{name}: {found['gates']:,} GE, {found['ns']:.3f} ns, {found['cycles']:g} cycles per block")
    if "extensions" in measured:
        whole = measured["extensions"]["gates"]
        out += [f"{name}: {whole - left:,} of {whole:,} GE" for name, left in measured["extensions"]["without"].items()]
    for name, found in measured.get("peers", {}).items():
        out.append(f"{name}: {found['gates']:,} GE, {found['ns']:.3f} ns, {found['cycles']} cycles per block")
    return "\n".join(out)


def _configuration(name: str, found: Mapping[str, Any]) -> Iterator[str]:
    yield f"{name} ({found['what']})"
    for p in found["points"]:
        mark = "Pareto" if p["pareto"] else "      "
        yield f"  {p['recipe']:10} {p['gates']:8,} GE  {p['ns']['reg_reg']:6.3f} ns  {mark} {p['seconds']:5} s"
    yield f"  headline: {found['best']}, {found['gates']:,} GE, {found['ns']:.3f} ns"
    totals = efficiency.totals(found["gates"], found["memories"])
    five = efficiency.five(found["ns"], found["rounds"], found["contexts"], found["extensions"])
    for rate in five:
        by = ", ".join(f"{rate.by_gates(gates):.1f} ({what})" for what, gates in totals.items())
        yield f"  {rate.job.what:35} {rate.gigabits:6.2f} Gb/s; Mb/s per kGE: {by}"
    for path in found["paths"][:_MOST]:
        yield f"  {path['ns']:.3f} ns {path['start']} -> {path['end']} ({' -> '.join(path['modules'])})"
    yield f"  {len(found['barred'])} of the longest paths start or end in decoder, AGU, hazard logic or host port"
