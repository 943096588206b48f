"""Draws docs/pipelines.svg, gates and rate of the AES pipelines and of the core, from synthesis/ppa/figures.json
(`lutra ppa --page`)."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

from drawing import MARGIN, Drawing

import lutra  # the folders of the package on Python's path
from ppa import efficiency, page

FILE = Path(lutra.__file__).parents[2] / "docs" / "pipelines.svg"
FIGURES = FILE.parents[1] / "synthesis" / "ppa" / "figures.json"
# Colours of the curves: by registers inside a round, and of the core.
COLOURS = ("crossbar", "logic", "mix")
OWN = "stream"
WIDTH, HEIGHT, SIDE, DOT = 560, 380, 40, 7
# Ends of the axes, kGE and Gb/s.
GATES, RATES = (4, 256), (4, 256)

Point = tuple[str, float, float]


def picture(known: dict[str, Any]) -> str:
    """The picture of figures; without pipelines where none are recorded."""
    drawing = Drawing("Gb/s of AES-128 by gates: pipelines of fixed function, and the core's logic")
    left, top = MARGIN + SIDE, MARGIN + 34
    bottom = top + HEIGHT
    drawing.words(MARGIN, MARGIN + 14, "Gb/s by kGE, both logarithmic; SRAMs are not counted", "name", "start")

    def x(gates: float) -> float:
        return left + WIDTH * _share(gates / 1000, GATES)

    def y(rate: float) -> float:
        return bottom - HEIGHT * _share(rate, RATES)

    for rate in _steps(RATES):
        drawing.line(f"M{left},{y(rate):.1f} h{WIDTH}", "line quiet", arrow=False)
        drawing.words(left - 6, y(rate) + 4, f"{rate}", "small", "end")
    for gates in _steps(GATES):
        drawing.words(x(1000 * gates), bottom + 18, f"{gates}", "small quiet")

    def dot(point: Point, kind: str) -> None:
        name, gates, rate = point
        drawing.box(x(gates) - DOT / 2, y(rate) - DOT / 2, DOT, DOT, kind)
        drawing.words(x(gates) + DOT, y(rate) - DOT, name, "small", "start")

    for counter, inner in ((counter, inner) for counter in (False, True) for inner in range(len(COLOURS))):
        points = _pipelines(known, inner, counter)
        if points and not counter:
            drawing.curve([(x(gates), y(rate)) for _, gates, rate in points], COLOURS[inner])
        for point in points:
            dot(point, COLOURS[inner])
    for configuration in dict.fromkeys(name for name, _ in page.LUTRA):
        own = known["configurations"][configuration]
        cycles = efficiency.rows()["aes-128-ctr", "fused"].steady
        dot((f"Lutra, {configuration}", own["gates"], _rate(cycles, own["ns"])), OWN)
    return drawing.svg(page.COMMAND)


def _pipelines(known: dict[str, Any], inner: int, counter: bool) -> list[Point]:
    """Those with so many registers inside a round, by the number of rounds."""
    found = known.get("pipelines", {}).items()
    wanted = [(name, p) for name, p in found if (p["inner"], p["counter"]) == (inner, counter)]
    return [(name, p["gates"], _rate(p["cycles"], p["ns"])) for name, p in wanted]


def _rate(cycles: float, ns: float) -> float:
    return efficiency.unit_bits("block") / (cycles * ns)


def _share(value: float, ends: tuple[int, int]) -> float:
    """Where on its axis a value is, from 0 to 1."""
    low, high = map(math.log2, ends)
    return (math.log2(value) - low) / (high - low)


def _steps(ends: tuple[int, int]) -> list[int]:
    """Powers of two from one end to the other."""
    return [1 << power for power in range(ends[0].bit_length() - 1, ends[1].bit_length())]


if __name__ == "__main__":
    target, figures = (*map(Path, sys.argv[1:]), *(FILE, FIGURES)[len(sys.argv) - 1 :])
    target.write_text(picture(json.loads(figures.read_text())))
