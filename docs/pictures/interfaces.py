"""Draws docs/interfaces.svg, AES-128-CTR by length of the message and attachment, from soc/systems/figures.json
(`python -m lutra.soc.study --page`)."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

from drawing import MARGIN, Drawing, width

import lutra  # the folders of the package on Python's path
from lutra.soc.figures import HOSTS, TITLES, Figures
from lutra.soc.page import SIZES

FILE = Path(lutra.__file__).parents[2] / "docs" / "interfaces.svg"
FIGURES = FILE.parents[1] / "soc" / "systems" / "figures.json"
COLOURS = {
    "soft 0": "plain",
    "bus 32": "mix",
    "bus 8": "mix",
    "bus 2": "mix",
    "local 1": "pairing",
    "wide 1": "logic",
    "fifo 0": "crossbar",
}
RING_COLOUR = "stream"
WIDTH, HEIGHT, SIDE = 330, 300, 56
SUBJECT = "aes-128-ctr"


def picture(figures: Figures) -> str:
    """The picture of figures."""
    drawing = Drawing("Bytes per cycle of AES-128-CTR by length of the message, for each host and attachment")
    left: float = MARGIN + SIDE
    for host in HOSTS:
        left = _panel(drawing, figures, host, left) + SIDE
    return drawing.svg("make soc-study")


def _panel(drawing: Drawing, figures: Figures, host: str, left: float) -> float:
    """The curves of a host; returns where they and their names end."""
    top = MARGIN + 40
    bottom, low, high = top + HEIGHT, -3, 1
    first, last = math.log2(SIZES[0]), math.log2(SIZES[-1])
    drawing.words(left, MARGIN + 14, f"{HOSTS[host]}: bytes per cycle", "name", "start")

    def y(rate: float) -> float:
        return bottom - HEIGHT * (math.log10(rate) - low) / (high - low)

    def x(size: int) -> float:
        return left + WIDTH * (math.log2(size) - first) / (last - first)

    for power in range(low, high + 1):
        drawing.line(f"M{left},{y(10**power):.1f} H{left + WIDTH}", "line quiet", arrow=False)
        drawing.words(left - 6, y(10**power) + 4, f"{10**power:g}", "small", "end")
    for size in SIZES[::2]:
        drawing.words(x(size), bottom + 18, f"{size} B", "small quiet")
    core = figures.core_rate(SUBJECT)
    drawing.line(f"M{left},{y(core):.1f} H{left + WIDTH}", "line", arrow=False)
    names = [(y(core), "core alone")]
    for way in [("soft", 0), *figures.ways(host)]:
        kind = COLOURS.get(f"{way[0]} {way[1]}")
        if kind is None:
            continue
        series = figures.one(host, SUBJECT, *way)
        drawing.curve([(x(size), y(series.rate(size))) for size in SIZES], kind)
        names.append((y(series.rate(SIZES[-1])), TITLES.get(way, "S0")))
    if any(ring.host == host for ring in figures.rings()):
        ring = figures.ring(host, SUBJECT)
        for title, rate in (("S5", ring.steady), ("S5, one", ring.one)):
            drawing.curve([(x(size), y(rate(size))) for size in SIZES], RING_COLOUR)
            names.append((y(rate(SIZES[-1])), title))
    taken = 0.0
    for place, name in sorted(names):
        taken = max(place + 4, taken + 13)
        drawing.words(left + WIDTH + 6, taken, name, "small strong", "start")
    return left + WIDTH + 6 + max(width(name, "small") for _, name in names)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    target.write_text(picture(Figures(json.loads(FIGURES.read_text()))))
