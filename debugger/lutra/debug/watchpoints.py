"""Watchpoints: values at whose change a run stops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from lutra.debug.errors import DebugError
from lutra.debug.points import Point, Points
from lutra.debug.values import ROW, Location
from lutra.isa import load
from lutra.iss.timeline import Cell

NOWHERE = Location("", "", 0, 0)


@dataclass(frozen=True)
class Watchpoint(Point):
    """A value at whose change a run stops, after the instruction that wrote it; going back, before it.

    text: a register, row, byte range or table entry: `v3`, `ar0`, `m1[0x40]`, `m1[0x40:64]`, `t0.row[5]`, `rk[16:16]`,
    `v0[3]`, `v0.w[2]`. location: where that is; an address register in the text counted when the watchpoint was made.
    """

    location: Location = NOWHERE


def cells(location: Location) -> list[Cell]:
    """Return the cells that instructions touch when they write to a place. Raises DebugError if none can."""
    if not location.space:
        base = location.name.partition(".")[0]
        # The entries of a stack change with it.
        return [f"{base.rstrip('0123456789')}s" if base.startswith(("loop", "call")) and base[-1] != "s" else base]
    if load().space_by_name[location.space].is_program:
        raise DebugError(f"no instruction writes {location.space}; only the host does")
    first = location.offset - location.offset % ROW
    return [(location.space, offset) for offset in range(first, location.offset + location.length, ROW)]


class Watchpoints(Points[Watchpoint]):
    """All watchpoints of a session. locate: where an expression lives, or DebugError."""

    def __init__(self, locate: Callable[[str], Location], numbers: count[int], check: Callable[[str], None]) -> None:
        super().__init__("watchpoint", numbers, check)
        self._locate = locate

    def add(self, text: str, condition: str = "") -> Watchpoint:
        """Raise DebugError if the text is not a place that instructions can write."""
        location = self._locate(text)
        cells(location)
        return self._keep(Watchpoint(0, text.strip(), location=location), condition)
