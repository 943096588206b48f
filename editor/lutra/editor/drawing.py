"""An instruction's path through the datapath, as a drawing: in characters, or as SVG for editors that show pictures."""

from __future__ import annotations

import base64
from html import escape

from lutra.isa import Insn, Step

_WIDTH, _HEIGHT, _GAP = 84, 44, 22


def text(insn: Insn) -> str:
    """The blocks from left to right; above each, what enters it at its side. Empty for a path of one block."""
    if len(insn.path) < 2:
        return ""
    heads, arrows, blocks = "", "", ""
    for step in insn.path:
        sides = step.sides.lower().replace(", ", " ")
        if blocks:
            # The inputs of the block before may be wider than its name.
            blocks += " " + "─" * max(1, len(heads) - len(blocks)) + "▶ "
        heads, arrows = heads.ljust(len(blocks)) + sides, arrows.ljust(len(blocks)) + ("▼" if sides else "")
        blocks += step.block
    lines = [heads, arrows, blocks]
    return "\n".join(line.rstrip() for line in lines if line.strip())


def svg(insn: Insn) -> str:
    """The same as a picture, with the functions; empty for a path of one block."""
    if len(insn.path) < 2:
        return ""
    width = len(insn.path) * (_WIDTH + _GAP) + _GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="104" viewBox="0 0 {width} 104" '
        'font-family="sans-serif" font-size="13" text-anchor="middle">',
        '<defs><marker id="a" markerWidth="8" markerHeight="8" refX="7" refY="3" orient="auto">'
        '<path d="M0,0 L7,3 L0,6 z" fill="#888"/></marker></defs>',
        f"<title>{escape(insn.mnemonic)}: {escape(insn.summary)}</title>",
    ]
    for number, step in enumerate(insn.path):
        parts += _box(_GAP + number * (_WIDTH + _GAP), step)
    return "".join(parts) + "</svg>"


def image(insn: Insn) -> str:
    """The picture in Markdown."""
    picture = svg(insn)
    if not picture:
        return ""
    return f"![path of {insn.mnemonic}](data:image/svg+xml;base64,{base64.b64encode(picture.encode()).decode()})"


def _box(x: int, step: Step) -> list[str]:
    middle = x + _WIDTH // 2
    parts = [
        f'<path d="M{x - _GAP},70 H{x - 2}" stroke="#888" stroke-width="1.4" marker-end="url(#a)"/>',
        f'<rect x="{x}" y="48" width="{_WIDTH}" height="{_HEIGHT}" rx="4" fill="#eef3f8" stroke="#35506b"/>',
        f'<text x="{middle}" y="66" fill="#111">{escape(step.block)}</text>',
        f'<text x="{middle}" y="84" fill="#444" font-size="10">{escape(step.function)}</text>',
    ]
    if step.sides:
        parts += [
            f'<path d="M{middle},22 V46" stroke="#888" stroke-width="1.4" marker-end="url(#a)"/>',
            f'<text x="{middle}" y="16" fill="#888">{escape(step.sides.lower())}</text>',
        ]
    return parts
