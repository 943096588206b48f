"""The flame graph: calls, expanded macros, and the cost of lines; roots on top."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from lutra.profile.cost import Cost
from lutra.profile.profile import Frame, Profile

WIDTH, ROW = 1200, 20
# Narrower boxes are left out; width of a letter.
NARROWEST, LETTER = 0.4, 6.9
# Steps of the scale from no stalls to nothing but stalls.
STEPS = 6


@dataclass
class Block:
    """A frame under one stack of callers, with what it and those above it have cost."""

    frame: Frame
    cycles: int = 0
    stalled: int = 0
    inner: dict[Frame, Block] = field(default_factory=dict)

    def add(self, cost: Cost) -> None:
        self.cycles += cost.cycles
        self.stalled += cost.stalled


def tree(profile: Profile) -> Block:
    """Return all stacks from one root, which represents all retired cycles."""
    root = Block(Frame("all", "all", ("", 0)))
    for stack, cost in profile.stacks():
        block = root
        block.add(cost)
        for frame in stack:
            block = block.inner.setdefault(frame, Block(frame))
            block.add(cost)
    return root


def depth(block: Block) -> int:
    """Rows of a block and what is in it."""
    return 1 + max(map(depth, block.inner.values()), default=0)


def svg(profile: Profile, style: str = "") -> str:
    """The graph as an element of a page, or with a style as a file of its own."""
    root = tree(profile)
    height = ROW * depth(root)
    body = "".join(_blocks(profile, root, 0.0, WIDTH / root.cycles if root.cycles else 0.0, 0, root.cycles))
    about = f'id="flame" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="flame graph"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {about}>{f"<style>{style}</style>" if style else ""}{body}</svg>'


def picture(profile: Profile) -> str:
    """The graph as an SVG file, light or dark as the viewer is."""
    return svg(profile, Path(__file__).with_name("flame.css").read_text(encoding="utf-8"))


def _blocks(profile: Profile, block: Block, x: float, scale: float, row: int, whole: int) -> Iterator[str]:
    width = block.cycles * scale
    if width < NARROWEST:
        return
    frame, heat = block.frame, _heat(block)
    share = 100 * block.cycles / whole
    title = f"{frame.name}: {block.cycles} cycles, {share:.1f} %, of them {block.stalled} stalled"
    if frame.site[0] and frame.kind == "line":
        title += f"\n{profile.sources.line(*frame.site).strip()}"
    elif frame.site[0]:
        title += f"\n{frame.kind} at {profile.shown(frame.site)}"
    shown = _shown(profile, frame)
    letters = int((width - 6) / LETTER)
    text = shown if len(shown) <= letters else f"{shown[: letters - 1]}…" if letters > 2 else ""
    y = row * ROW
    yield (
        f'<g class="{frame.kind} h{heat}" data-x="{x:.2f}" data-w="{width:.2f}" data-n="{escape(shown)}">'
        f"<title>{escape(title)}</title>"
        f'<rect x="{x:.2f}" y="{y}" width="{max(width - 0.6, 0.2):.2f}" height="{ROW - 1}" rx="2"/>'
        f'<text x="{x + 3:.2f}" y="{y + 14}">{escape(text)}</text></g>'
    )
    for inner in block.inner.values():
        yield from _blocks(profile, inner, x, scale, row + 1, whole)
        x += inner.cycles * scale


def _shown(profile: Profile, frame: Frame) -> str:
    if frame.kind != "line":
        return frame.name
    text = " ".join(profile.sources.line(*frame.site).split()) if frame.site[0] else ""
    return f"{text}   {frame.name}".strip()


def _heat(block: Block) -> int:
    return round((STEPS - 1) * block.stalled / block.cycles) if block.cycles else 0
