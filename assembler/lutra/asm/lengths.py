"""The cycles of a job by its length: as many as the static schedule counts, and as a formula.

What a job is told of its length is the convention of firmware/README.md: a row whose label ends in LENGTH has the
whole units in a lane, those of each stream in another one, and in the others parts of a unit, which are zero here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise

from lutra.asm.cycles import Load, cycles
from lutra.asm.graph import Graph
from lutra.asm.image import Image

LENGTH, UNITS, UNITS_OF_A_STREAM = "_length", 7, 4
# Instructions that are followed: this is done at each assembly.
MOST = 20_000
# A formula may hold for lengths that are a multiple of one of these, from one of the first on; it is tried on so
# many, and on a long one.
_PERIODS = (1, 2, 3, 4, 6, 8)
_FIRST, _TRIED, _LONG = 3, 5, 24


class Job:
    """A routine that the host starts, of which the cycles are asked by length.

    depends: it has loaded a length so far.
    """

    def __init__(self, graph: Graph, name: str, address: int, image: Image) -> None:
        """image: its symbols alone are asked for."""
        self._graph = graph
        self._address = address
        self._rows = {(s.space, s.value) for s in image.symbols if s.name.endswith(LENGTH)}
        self.streams = int(found[1]) if (found := re.search(r"_x(\d+)$", name)) else 1
        self.depends = False

    def cycles(self, n: int) -> int | None:
        """From start to halt for n whole units of all streams; None where control is not static, or n is no length."""
        if n % self.streams:
            return None
        lanes = {UNITS: n, UNITS_OF_A_STREAM: n // self.streams}
        return cycles(self._graph, self._address, inputs=lambda load: self._lane(load, lanes), most=MOST).total

    def _lane(self, load: Load, lanes: Mapping[int, int]) -> int | None:
        if (load.space, load.address) not in self._rows:
            return None
        self.depends = True
        return lanes.get(load.lane, 0)

    def formula(self) -> str:
        """As the field Cycles of a header has it, `5n + 22, even n`; empty where there is none."""
        first = self.cycles(self.streams)
        if first is None or not self.depends:
            return "" if first is None else str(first)
        for period in (p for p in _PERIODS if p % self.streams == 0):
            counted = [self.cycles(period * k) for k in range(1, _FIRST + _TRIED)]
            long = self.cycles(period * _LONG)
            for first in range(_FIRST):
                known = [count for count in counted[first : first + _TRIED] if count is not None]
                steps = {b - a for a, b in pairwise(known)}
                if len(known) < _TRIED or len(steps) > 1:
                    continue
                if known[0] + (_LONG - 1 - first) * (step := steps.pop()) == long:
                    return _text(Fraction(step, period), known[0], period, period * (first + 1))
        return ""


def _text(slope: Fraction, count: int, period: int, first: int) -> str:
    """A line through the cycles of the first length that it holds for."""
    rest = count - slope * first
    factor = "" if slope.numerator == 1 else str(slope.numerator)
    per = "" if slope.denominator == 1 else f"/{slope.denominator}"
    whole = f"{factor}n{per} {'-' if rest < 0 else '+'} {abs(rest)}" if slope else str(rest)
    lengths = {1: "n", 2: "even n"}.get(period, f"n a multiple of {period}")
    since = f" from {first}" if first > period else ""
    return whole if (period, since) == (1, "") else f"{whole}, {lengths}{since}"
