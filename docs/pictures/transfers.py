"""Draws docs/transfers.svg: what moves while the system on chip encrypts a file, from a trace that
`make soc-demo SOC_DEMO_ARGS=--record` leaves in soc/systems/demo/.

    python docs/pictures/transfers.py [PICTURE [TRACE]]
"""

from __future__ import annotations

import sys
from pathlib import Path

from drawing import MARGIN, SIZES, Drawing, width

import lutra  # the folders of the package on Python's path
from lutra.soc.demo.trace import TRACKS, Span, Window, windows

ROOT = Path(lutra.__file__).parents[2]
FILE = ROOT / "docs" / "transfers.svg"
RECORDED = ROOT / "soc" / "systems" / "demo" / "transfers.txt"
# Colours of drawing.py.
KINDS = {
    "host": "plain",
    "doorbell": "plain",
    "descriptors": "lookup",
    "lists": "lookup",
    "reads": "logic",
    "core": "crossbar",
    "writes": "mix",
    "completions": "pairing",
    "interrupt": "stream",
}
WIDTH, ROW, BAR, TICK = 1100, 28, 16, 500
MOST_CYCLES = 5500


def picture(window: Window) -> str:
    """The first cycles of a window."""
    cycles = min(window.cycles, MOST_CYCLES)
    drawing = Drawing("What moves while a file is encrypted: DMA reads, the core and DMA writes at the same time")
    left = MARGIN + max(width(title, "text") for title in TRACKS.values()) + 12
    top = MARGIN + 34
    bottom = top + ROW * len(TRACKS)
    scale = WIDTH / cycles
    drawing.words(MARGIN, MARGIN + 14, "Transfers of the first packets, by cycle", "name", "start")
    for cycle in range(0, cycles + 1, TICK):
        x = left + cycle * scale
        drawing.line(f"M{x:.1f},{top} V{bottom}", "line quiet", arrow=False)
        drawing.words(x, bottom + 18, f"{cycle:,}", "small quiet")
    for number, (track, title) in enumerate(TRACKS.items()):
        y = top + ROW * number + (ROW - BAR) / 2
        drawing.words(left - 10, y + BAR / 2 + SIZES["text"] / 3, title, "text", "end")
        for begin, end in merged(window.on(track), cycles):
            drawing.box(left + begin * scale, y, max((end - begin) * scale, 1.5), BAR, KINDS[track])
    drawing.right = max(drawing.right, left + WIDTH)
    return drawing.svg("make soc-demo")


def merged(spans: list[Span], cycles: int) -> list[tuple[int, int]]:
    """Spans of a track before a cycle, those that touch as one."""
    found: list[tuple[int, int]] = []
    for span in sorted(spans, key=lambda span: span.begin):
        begin, end = span.begin, min(span.end, cycles)
        if begin >= cycles:
            break
        if found and begin <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((begin, end))
    return found


if __name__ == "__main__":
    given = [Path(argument) for argument in sys.argv[1:]]
    target, source = (*given, *(FILE, RECORDED)[len(given) :])
    target.write_text(picture(windows(source.read_text().splitlines())[0]))
