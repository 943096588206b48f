"""Draws docs/dataflow.svg, the datapath with the path of one instruction, from isa/*.td (`make reference`)."""

from __future__ import annotations

import sys
from pathlib import Path

from drawing import MARGIN, Drawing, width

from isagen import reader
from isagen.description import Block, Insn, Way
from isagen.model import Isa

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "docs/dataflow.svg"
# It loads a row and both keys, and does two rounds.
SHOWN = "aesenc2l"
UNUSED = "not used by this instruction: a block that passes its input, or functions next to the blocks above them"
# The stage that a half of the datapath is in.
STAGES = {0: "StagePERM", 1: "StageX1", 2: "StageX2"}
HEIGHT, GAP, SIDE, STAGE, WAY = 66, 26, 46, 62, 20


def picture(isa: Isa) -> str:
    """The picture of a description."""
    insn = next(i for i in isa.insns if i.mnemonic == SHOWN)
    drawing = Drawing(f"The blocks of the datapath, with the path of {SHOWN}: {insn.summary}")
    drawing.words(MARGIN, MARGIN + 14, f"{SHOWN}: {insn.summary}", "name", "start")
    y = MARGIN + 30.0
    entry: tuple[float, float] | None = None
    for half, stage in STAGES.items():
        entry, y = _half(drawing, isa, insn, half, next(s.name for s in isa.stages if s.record == stage), entry, y)
    _legend(drawing, isa, y + 10)
    return drawing.svg("make reference")


def _half(
    drawing: Drawing, isa: Isa, insn: Insn, half: int, stage: str, entry: tuple[float, float] | None, y: float
) -> tuple[tuple[float, float], float]:
    """Draw the blocks of a half. entry: where the value leaves the one before. Return where it leaves, and the end."""
    blocks = {name: block for name, block in isa.blocks.items() if block.half == half}
    top, x = y + SIDE, float(MARGIN + STAGE)
    middle = top + HEIGHT / 2
    drawing.words(MARGIN, middle + 5, stage, "name quiet", "start")
    if entry is None:
        drawing.box(x, top, 96, HEIGHT, "plain")
        drawing.words(x + 48, middle - 4, "operands", "text")
        drawing.words(x + 48, middle + 14, "A, B", "small quiet")
        x += 96
        drawing.line(f"M{x:g},{middle:g} h{GAP - 1}")
        x += GAP
    else:
        from_x, from_y = entry
        turn = y + 6
        drawing.line(f"M{from_x:g},{from_y:g} h14 V{turn:g} H{x - 14:g} V{middle:g} h13")
    places: dict[str, tuple[float, float]] = {}
    for name, block in blocks.items():
        w = _block(drawing, isa, insn, name, block, x, top)
        places[name] = (x, x + w)
        x += w
        drawing.line(f"M{x:g},{middle:g} h{GAP - 1}") if name != list(blocks)[-1] else None
        x += GAP
    x -= GAP
    y = top + HEIGHT
    for way in (w for w in isa.ways if set(w.beside) <= set(blocks)):
        _way(drawing, way, places, y + 8)
        y += WAY + 8
    if half == max(STAGES):
        drawing.line(f"M{x:g},{middle:g} h{GAP - 1}")
        drawing.box(x + GAP, top, 70, HEIGHT, "plain")
        drawing.words(x + GAP + 35, middle + 5, "result", "text")
    return (x, middle), y + 16


def _block(drawing: Drawing, isa: Isa, insn: Insn, name: str, block: Block, x: float, top: float) -> float:
    """Draw a block, what it does for the instruction, and what enters at its sides. Return its width."""
    step = insn.step(name)
    kind = next(k.name for k in isa.kinds if k.record == block.kind)
    taken = step.sides if step else ()
    sides = ", ".join(taken or dict.fromkeys((*block.partner, *block.port_y, *block.port_z)))
    w = max(96, *(20 + width(text, "small") for text in (step.function if step else kind, sides)))
    drawing.box(x, top, w, HEIGHT, kind, quiet=step is None)
    drawing.words(x + w / 2, top + 26, name, "name" if step else "name quiet")
    drawing.words(x + w / 2, top + 48, step.function if step else kind, "small strong" if step else "small quiet")
    if sides:
        drawing.words(x + w / 2, top - 22, sides, "small strong" if taken else "small quiet")
        drawing.line(f"M{x + w / 2:g},{top - 17:g} V{top - 1:g}", "line" if taken else "line quiet")
    return w


def _way(drawing: Drawing, way: Way, places: dict[str, tuple[float, float]], y: float) -> None:
    """Draw functions that are wired next to blocks of the chain, below these blocks."""
    left, right = places[way.beside[0]][0], places[way.beside[-1]][1]
    drawing.box(left, y, right - left, WAY, "plain", quiet=True)
    drawing.words((left + right) / 2, y + 14, way.text, "small quiet")


def _legend(drawing: Drawing, isa: Isa, y: float) -> None:
    """Draw the kinds of blocks."""
    x = float(MARGIN + STAGE)
    for look, text in (*((k.name, k.text) for k in isa.kinds), ("plain quiet", UNUSED)):
        w = 30 + width(text, "small")
        if x + w > drawing.right:
            x, y = float(MARGIN + STAGE), y + 22
        drawing.box(x, y, 14, 14, look.split()[0], quiet="quiet" in look)
        drawing.words(x + 20, y + 11, text, "small quiet", "start")
        x += w


def described() -> Isa:
    """The description in this checkout."""
    return reader.read(reader.dump(ROOT / "isa/lutra.td", "llvm-tblgen-19"))


if __name__ == "__main__":
    (Path(sys.argv[1]) if len(sys.argv) > 1 else FILE).write_text(picture(described()))
