"""Cycles of a job by its length, from the static schedule, and as a formula.

A job gets its length by the convention of firmware/README.md: a row whose label ends in LENGTH has the whole units in
one lane, those of each stream in another, and parts of a unit, which are zero here, in the others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise

from lutra.asm.analysis.cycles import Cycles, Load, cycles
from lutra.asm.analysis.graph import Graph
from lutra.asm.image import Image

LENGTH, UNITS, UNITS_OF_A_STREAM = "_length", 7, 4
# Limits of instructions to follow: for one length, which happens at each assembly, and in all for a formula, which is
# computed only if a header is wrong.
MOST = 20_000
_MOST_FOR_A_FORMULA = 300_000
# A formula may hold for multiples of one of these lengths, from one of the first on; it is checked on this many, and on
# a long one.
_PERIODS = (1, 2, 3, 4, 6, 8)
_FIRST, _TRIED, _LONG = 3, 5, 24
_MEASURED = 3  # points that determine a line if no more are known


def streams(name: str) -> int:
    """Return the number of streams that a routine interleaves, from its name."""
    return int(found[1]) if (found := re.search(r"_x(\d+)$", name)) else 1


class Job:
    """A routine that the host starts, to compute its cycles by length.

    depends: whether it has loaded a length so far.
    """

    def __init__(self, graph: Graph, name: str, address: int, image: Image) -> None:
        """image: only its symbols are used."""
        self._graph = graph
        self._address = address
        self._rows = {(s.space, s.value) for s in image.symbols if s.name.endswith(LENGTH)}
        self.streams = streams(name)
        self.depends = False

    def cycles(self, n: int) -> int | None:
        """Return the cycles for n whole units of all streams; None if not static or if n is not a valid length."""
        found = self._counted(n, MOST)
        return found.total if found else None

    def _counted(self, n: int, most: int) -> Cycles | None:
        if n % self.streams:
            return None
        lanes = {UNITS: n, UNITS_OF_A_STREAM: n // self.streams}
        return cycles(self._graph, self._address, inputs=lambda load: self._lane(load, lanes), most=most)

    def _lane(self, load: Load, lanes: Mapping[int, int]) -> int | None:
        if (load.space, load.address) not in self._rows:
            return None
        self.depends = True
        return lanes.get(load.lane, 0)

    def formula(self) -> str:
        """Return the formula as in the header field Cycles, `5n + 22, even n`; empty if there is none."""
        left = _MOST_FOR_A_FORMULA
        counted: dict[int, int | None] = {}

        def count(n: int) -> int | None:
            nonlocal left
            if n not in counted and left > 0:
                found = self._counted(n, left)
                left -= found.instructions if found else 0
                counted[n] = found.total if found else None
            return counted.get(n)

        if (first := count(self.streams)) is None or not self.depends:
            return "" if first is None else str(first)
        for period in (p for p in _PERIODS if p % self.streams == 0):
            lengths = [period * k for k in (*range(1, _FIRST + _TRIED), _LONG)]
            points = {n: cycles for n in lengths if (cycles := count(n)) is not None}
            if period * _LONG in points and (text := _line(points, period, _TRIED + 1)):
                return text
        return ""


def fitted(points: Mapping[int, int], streams: int = 1) -> str:
    """Return measured cycles by number of units as a formula of the field Cycles; empty if they are not on a line."""
    if len(set(points.values())) == 1:
        return str(next(iter(points.values())))
    tried = (_line(points, period, _MEASURED) for period in _PERIODS if period % streams == 0)
    return next(filter(None, tried), "")


def _line(points: Mapping[int, int], period: int, least: int) -> str:
    """Return the line through the points at multiples of a period, without some of the first; empty without one.

    least: number of points that a line needs.
    """
    known = [(n, points[n]) for n in sorted(points) if n > 0 and n % period == 0]
    for first in range(_FIRST):
        line = known[first:]
        slopes = {Fraction(b[1] - a[1], b[0] - a[0]) for a, b in pairwise(line)}
        if len(line) >= least and len(slopes) == 1:
            return _text(slopes.pop(), line[0][1], period, line[0][0])
    return ""


def _text(slope: Fraction, count: int, period: int, first: int) -> str:
    """Format a line that holds from the first length on."""
    rest = count - slope * first
    factor = "" if slope.numerator == 1 else str(slope.numerator)
    per = "" if slope.denominator == 1 else f"/{slope.denominator}"
    whole = f"{factor}n{per} {'-' if rest < 0 else '+'} {abs(rest)}" if slope else str(rest)
    lengths = {1: "n", 2: "even n"}.get(period, f"n a multiple of {period}")
    since = f" from {first}" if first > period else ""
    return whole if (period, since) == (1, "") else f"{whole}, {lengths}{since}"
