"""Draws docs/overview.svg, how the folders fit together (`make reference`)."""

from __future__ import annotations

import sys
from pathlib import Path

from drawing import Drawing, width

FILE = Path(__file__).resolve().parents[1] / "overview.svg"
# Left, top, columns and rows of a grid; colour, name, lines below it.
COLUMN, ROW, GAP = 232, 64, 32
BOXES: dict[str, tuple[float, float, float, float, str, str, tuple[str, ...]]] = {
    "isa": (0, 0, 4, 1, "logic", "isa/*.td", ("one description: encodings, blocks, latencies, hazards, traps",)),
    "tables": (0, 1, 1, 1, "plain", "tables", ("names, operands, fields",)),
    "semantics": (1, 1, 1, 1, "plain", "C++ semantics", ("path, hazards, records",)),
    "verilog": (2, 1, 1, 1, "plain", "SystemVerilog", ("decoder, blocks, interlock",)),
    "reference": (3, 1, 1, 1, "plain", "ISA reference", ("the manual",)),
    "assembler": (0, 2, 1, 1, "lookup", "assembler", ("text to images and back",)),
    "iss": (1, 2, 1, 1, "crossbar", "iss", ("simulator, cycle by cycle",)),
    "rtl": (2, 2, 1, 1, "crossbar", "rtl", ("core, Verilated build",)),
    "engines": (1, 3, 2, 1, "crossbar", "three engines, one interface", ("iss, rtl, and cosim: both in lock-step",)),
    "firmware": (0, 4, 3, 1, "mix", "firmware", ("ciphers in assembly; sessions, modes, known answers, benchmarks",)),
    "patch": (0, 5, 1, 1, "stream", "patch", ("packs, devices, loader",)),
    "soc": (0, 6, 1, 1, "stream", "soc", ("bus, DMA, rings, drivers",)),
    "debugger": (1, 5, 1, 2, "stream", "debugger", ("forward and back, profiler",)),
    "editor": (2, 5, 1, 2, "stream", "editor", ("language server, VS Code",)),
    "verification": (
        3, 2, 1, 3, "pairing", "verification",
        ("lock-step, random programs", "coverage, proofs, UVM", "mutants, fuzzing"),
    ),
    "synthesis": (3, 5, 1, 2, "pairing", "synthesis", ("gates, nanoseconds, power",)),
    "cli": (0, 7, 4, 1, "logic", "cli", ("every function is a command, and a call from Python",)),
}  # fmt: skip
# From a box to one below it, in the column where both are, or in this one.
ARROWS = (
    *(("isa", made, column) for column, made in enumerate(("tables", "semantics", "verilog", "reference"))),
    ("tables", "assembler", 0),
    ("semantics", "iss", 1),
    ("verilog", "rtl", 2),
    ("iss", "engines", 1),
    ("rtl", "engines", 2),
    ("assembler", "firmware", 0),
    ("engines", "firmware", 1.5),
    ("firmware", "patch", 0),
    ("patch", "soc", 0),
    ("firmware", "debugger", 1),
    ("firmware", "editor", 2),
)
LABELS = {("isa", "tables"): "isagen", ("assembler", "firmware"): "images", ("engines", "firmware"): "runs"}


def picture() -> str:
    """The picture."""
    drawing = Drawing("One description, three engines, firmware, and what builds on them")
    for left, top, columns, rows, kind, name, lines in BOXES.values():
        x, y, w, h = _place(left, top, columns, rows)
        assert all(width(line, "small") < w - 16 for line in lines), name
        drawing.box(x, y, w, h, kind)
        first = y + h / 2 - 8 * len(lines) + 6
        drawing.words(x + w / 2, first, name, "name")
        for number, line in enumerate(lines, 1):
            drawing.words(x + w / 2, first + 4 + 16 * number, line, "small quiet")
    for source, target, column in ARROWS:
        x = _place(column, 0, 1, 1)[0] + (COLUMN - GAP) / 2
        _, y, _, h = _place(*BOXES[source][:4])
        drawing.line(f"M{x:g},{y + h:g} V{_place(*BOXES[target][:4])[1] - 1:g}")
        if label := LABELS.get((source, target)):
            drawing.words(x + 8, y + h + 20, label, "small quiet", "start")
    return drawing.svg("make reference")


def _place(left: float, top: float, columns: float, rows: float) -> tuple[float, float, float, float]:
    """Corner, width and height of a box of the grid."""
    return 16 + left * COLUMN, 16 + top * (ROW + GAP), columns * COLUMN - GAP, rows * (ROW + GAP) - GAP


if __name__ == "__main__":
    (Path(sys.argv[1]) if len(sys.argv) > 1 else FILE).write_text(picture())
