"""Published figures next to ours, at the measured period: docs/published-figures.md, from firmware/literature.toml."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ppa import efficiency
from ppa.tools import ROOT, PpaError

LITERATURE = ROOT / "firmware" / "literature.toml"
TECHNOLOGY = "45 nm, no layout"  # of ours
BEHIND = "▼"  # after a figure of ours that another design beats
PROCESSOR = "cp-asip"
# Ours among the designs of AES: feedback mode of one stream, and of two that are interleaved.
CTR = "aes-128-ctr fused"
CBC = {"Lutra, one stream": "aes-128-cbc single-stream", "Lutra, two streams": "aes-128-cbc-x2 two-streams"}

Rows = Iterator[Sequence[object]]
Table = Callable[[Mapping[str, Any]], Rows]


@functools.cache
def literature() -> dict[str, Any]:
    """The document."""
    return tomllib.loads(LITERATURE.read_text(encoding="utf-8"))


def _measured(name: str) -> tuple[efficiency.Row, int]:
    """A row of docs/benchmarks.md by cipher and variant, and how many streams share its rate. Raises PpaError."""
    row, _, streams = name.partition(" / ")
    cipher, _, variant = row.partition(" ")
    found = efficiency.rows().get((cipher, variant))
    if found is None:
        raise PpaError(f"{LITERATURE.name}: {efficiency.BENCHMARKS.name} has no row {row!r}")
    return found, int(streams or 1)


def _bits_per_cycle(name: str) -> float:
    row, streams = _measured(name)
    return efficiency.unit_bits(row.unit) / row.steady / streams


def _gigabits(name: str, ns: float) -> float:
    row, streams = _measured(name)
    return efficiency.unit_bits(row.unit) / (row.cycles * ns) / streams


def shown(value: float | None) -> str:
    """Three digits, or all before the point."""
    if value is None:
        return "-"
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def marked(value: float, other: float | None) -> str:
    """A figure of ours, and the sign where the other one is better in the digits that are shown."""
    text = shown(value)
    return f"{text} {BEHIND}" if other is not None and float(text) < float(shown(other)) else text


def _ours(names: Sequence[str], of: Callable[[str], float], other: float | None) -> str:
    """Our rows, the one of the same work first; others with their variant."""
    parts = [marked(of(name), other) for name in names]
    rest = [f"{part} ({name})" for part, name in zip(parts[1:], names[1:], strict=True)]
    return "; ".join([*parts[:1], *rest]) or "-"


def _rate(figure: Mapping[str, Any]) -> float | None:
    """Bits per cycle of a design, None where it is not published."""
    if "cycles_per_unit" in figure:
        return efficiency.unit_bits(_measured(figure["rows"][0])[0].unit) / float(figure["cycles_per_unit"])
    return figure.get("bits_per_cycle")


def _processor() -> Iterator[dict[str, Any]]:
    """Table 8 of CP-ASIP as figures; its rates follow from cycles and clock."""
    found = literature()["processors"][PROCESSOR]
    common = {key: found[key] for key in ("mhz", "area", "technology")}
    for cipher, cycles in found["cycles_per_unit"].items():
        rows = found["rows"][cipher]
        bits = efficiency.unit_bits(_measured(rows[0])[0].unit) / cycles
        gbps = bits * found["mhz"] / 1000
        yield {
            "work": cipher,
            "design": "CP-ASIP",
            "where": "Table 8",
            "rows": rows,
            "bits_per_cycle": bits,
            "gbps": gbps,
            **common,
        }


def _figures(paper: str) -> Iterable[Mapping[str, Any]]:
    own = _processor() if paper == PROCESSOR else ()
    return [*own, *(figure for figure in literature()["figure"] if figure["paper"] == paper)]


def _designs(paper: str, known: Mapping[str, Any]) -> Rows:
    ns = known["configurations"]["full"]["ns"]
    yield "algorithm", "design", "bits per cycle", "ours", "Gb/s", "ours", "MHz", "area", "technology", "where", "note"
    for figure in _figures(paper):
        names, rate, gbps = figure.get("rows", ()), _rate(figure), figure.get("gbps")
        ours = _ours(names, _bits_per_cycle, rate), _ours(names, lambda name: _gigabits(name, ns), gbps)
        mhz = f"{figure['mhz']:g}" if "mhz" in figure else "-"
        note = "; ".join(figure[key] for key in ("note", "power") if key in figure)
        rest = (figure.get(key, "") for key in ("area", "technology", "where"))
        design = figure.get("design", "-")
        yield figure["work"], design, shown(rate), ours[0], shown(gbps), ours[1], mhz, *rest, note


def _aes(known: Mapping[str, Any]) -> Rows:
    heads = "design", "technology", "area", "kG", "mW", "cycles per block of CBC", "MHz", "CTR, Gb/s", "CBC, Gb/s"
    yield *heads, "CBC, Mb/s per kG"
    designs = literature()["aes"]
    keys = "kgates", "milliwatts", "cycles", "mhz"
    rates = "ctr_gbps", "cbc_gbps", "by_kgate"
    for of in designs:
        published = (f"{of[key]:g}" if key in of else "-" for key in keys)
        found = (f"{of[key]:.2f}" if key in of else "-" for key in rates)
        yield of["design"], of.get("technology", "FPGA"), of.get("area", "-"), *published, *found
    core = known["configurations"]["full"]
    kgates = (core["gates"] + core["memories"]["by_unit"]) / 1000
    ctr = _gigabits(CTR, core["ns"])
    best = {key: max(of.get(key, 0.0) for of in designs) for key in rates}
    for name, row in CBC.items():
        cbc = _gigabits(row, core["ns"])
        values = dict(zip(rates, (ctr, cbc, 1000 * cbc / kgates), strict=True))
        cells = (f"{value:.2f}" + (f" {BEHIND}" if value < best[key] else "") for key, value in values.items())
        clock = f"{_measured(row)[0].cycles:.2f}", f"{1000 / core['ns']:.0f}"
        yield f"**{name}**", TECHNOLOGY, "-", f"{kgates:.0f}", "-", *clock, *cells


def _core(known: Mapping[str, Any]) -> Rows:
    yield "core", "MHz", "logic, kG", "with memories, kG", "technology"
    core = known["configurations"]["full"]
    kgates = core["gates"] / 1000, (core["gates"] + core["memories"]["by_unit"]) / 1000
    yield "`full`", f"{1000 / core['ns']:.0f}", *(f"{number:.1f}" for number in kgates), TECHNOLOGY


TABLES: Mapping[str, Table] = {
    **{name.replace("-", "_"): functools.partial(_designs, name) for name in literature()["papers"]},
    "core": _core,
    "aes_designs": _aes,
}
