"""Draws docs/speed.svg, simulated cycles per second of all rows of `lutra bench`, from verification/speed/figures.json
(`python -m speed --page`)."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

from drawing import MARGIN, Drawing, width

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "docs/speed.svg"
FIGURES = ROOT / "verification/speed/figures.json"
# The colour of each mode, the slowest first.
KINDS = {"recorded": "plain", "interpreter": "lookup", "portable": "mix", "avx2": "crossbar", "avx512": "logic"}
WIDTH, HEIGHT, SIDE = 640, 320, 70


def picture(document: dict[str, Any]) -> str:
    """The picture of figures."""
    curves = {kind: _rates(document, kind) for kind in KINDS if kind in document["rows"][0]["jobs_per_second"]}
    rates = [rate for curve in curves.values() for rate in curve]
    low, high = math.floor(math.log10(min(rates))), math.ceil(math.log10(max(rates)))
    drawing = Drawing(f"Simulated clock cycles per second of the {len(document['rows'])} rows of lutra bench, sorted")
    left, top = MARGIN + SIDE, MARGIN + 30
    bottom, right = top + HEIGHT, left + WIDTH
    drawing.words(MARGIN, MARGIN + 14, "cycles per second of CPU time", "name", "start")

    def y(rate: float) -> float:
        return bottom - HEIGHT * (math.log10(rate) - low) / (high - low)

    for power in range(low, high + 1):
        drawing.line(f"M{left},{y(10**power):.1f} H{right}", "line quiet", arrow=False)
        drawing.words(
            left - 8, y(10**power) + 4, f"{10 ** (power - 6):,} M" if power >= 6 else f"{10**power:,}", "small", "end"
        )
    taken: list[float] = []
    for kind, curve in reversed(curves.items()):
        step = WIDTH / max(1, len(curve) - 1)
        drawing.curve([(left + step * n, y(rate)) for n, rate in enumerate(curve)], KINDS[kind])
        # Names do not cover each other where curves end close together.
        place = max([y(curve[-1]) + 4, *(other + 16 for other in taken)])
        taken.append(place)
        drawing.words(right + 8, place, kind, "small strong", "start")
    rows = f"the {len(document['rows'])} rows of lutra bench, each curve sorted by itself"
    drawing.words((left + right) / 2, bottom + 22, rows, "small quiet")
    drawing.right = max(drawing.right, right + 8 + max(width(kind, "small") for kind in curves))
    return drawing.svg("make speed")


def _rates(document: dict[str, Any], mode: str) -> list[float]:
    """Cycles per second of each row in a mode, sorted."""
    return sorted(row["cycles"] * row["jobs_per_second"][mode] for row in document["rows"])


if __name__ == "__main__":
    (Path(sys.argv[1]) if len(sys.argv) > 1 else FILE).write_text(picture(json.loads(FIGURES.read_text())))
