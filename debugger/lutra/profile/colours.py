"""Colours of what cycles were spent on, the same in every picture of a page; and chips that name them."""

from __future__ import annotations

from html import escape

from lutra.isa import load
from lutra.profile.cost import Cost

ISSUING = "light-dark(#7fa8cf, #4a78a6)"
EDGES = "light-dark(#b9bdc3, #565d66)"
UNRETIRED = "light-dark(#8d939b, #7b838d)"
# Hues of stalls, in degrees: warm first, apart from that of issuing, neighbours far from one another.
_HUES = (35, 350, 75, 320, 145, 55, 290, 110, 20, 170, 335, 95)


def stall(cause: str) -> str:
    """Return the colour of a stall cause."""
    number = [s.name for s in load().stalls].index(cause)
    hue = _HUES[number % len(_HUES)]
    return f"light-dark(oklch(0.74 0.14 {hue}), oklch(0.62 0.14 {hue}))"


def chips(cost: Cost) -> str:
    """The stalls of a cost, each with its colour."""
    return "".join(
        f'<span class="chip"><i style="background:{stall(cause)}"></i>{escape(cause)} {cycles:,}</span>'
        for cause, cycles in cost.by_cause.items()
    )
