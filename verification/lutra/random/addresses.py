"""Knowledge of the address registers while a program is being written.

An address register is an interval, so that an access is written only where it cannot trap. What an access does to its
register is in the records of `isa/addressing.td`; were the intervals wrong, programs would trap, and the runner reports
a program that does not end as it was built to.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from lutra.isa import Isa, Pattern, Window, Wrap

# Free: anything may be done to it. Fixed: it keeps its value in this loop. Drift: each turn of the loop moves it by no
# more than a budget. Window: it goes round in its window.
Role = Literal["free", "fixed", "drift", "window"]


@dataclass(slots=True)
class Register:
    """An address register: low <= value <= high; aligned: a multiple of a row.

    stepped, windowed: step and window are known; held: they must stay. up, down: bytes that are left to drift in this
    turn of the loop.
    """

    low: int
    high: int
    aligned: bool = False
    step: int = 0
    start: int = 0
    end: int = 0
    stepped: bool = False
    windowed: bool = False
    role: Role = "free"
    held: bool = False
    up: int = 0
    down: int = 0


class Addresses:
    """All address registers at a place of the program."""

    def __init__(self, isa: Isa, registers: list[Register] | None = None) -> None:
        self._isa = isa
        self.row = isa.machine["VectorBytes"]
        self.top = (1 << isa.machine["AddressBits"]) - 1
        count = isa.machine["AddressRegs"]
        self.registers = registers or [Register(0, self.top) for _ in range(count)]

    def copy(self) -> Addresses:
        """Return the same knowledge, to go on from at another place."""
        return Addresses(self._isa, [replace(r) for r in self.registers])

    def free(self) -> list[int]:
        """Return the registers that may be written."""
        return [n for n, r in enumerate(self.registers) if r.role == "free"]

    def assign(self, n: int, low: int, high: int, aligned: bool) -> None:
        """Write a register with a value of an interval; outside of 16 bits it may be anything."""
        r = self.registers[n]
        if low < 0 or high > self.top:
            low, high, aligned = 0, self.top, False
        r.low, r.high, r.aligned = low, high, aligned

    def may(self, n: int, pattern: Pattern) -> bool:
        """Return whether an access may modify the register so."""
        r = self.registers[n]
        if r.role == "free":
            return True
        if r.role == "fixed":
            return False
        change = self._change(r, pattern)
        if r.role == "window":
            forward = change is not None and 0 < (change if r.start < r.end else -change) <= r.step
            return forward and self._isa.wrap(pattern) == self._ring_wrap(r)
        if pattern.wrap != "none" or change is None or (r.aligned and change % self.row):
            return False
        return -r.down <= change <= r.up

    def modify(self, n: int, pattern: Pattern) -> None:
        """Apply what an access does to its register."""
        r = self.registers[n]
        if r.role == "window":
            return  # the interval holds for every turn
        change = self._change(r, pattern)
        if change is None:
            self.assign(n, 0, self.top, False)
            return
        if r.role == "drift":
            r.up -= max(change, 0)
            r.down -= max(-change, 0)
        if pattern.wrap != "none" and not r.windowed:
            self.assign(n, 0, self.top, False)
            return
        low, high = r.low + change, r.high + change
        aligned = r.aligned and change % self.row == 0
        if pattern.wrap != "none" and low >= 0 and high <= self.top:
            low, high, aligned = self._wrapped(r, self._isa.wrap(pattern), low, high, aligned)
        self.assign(n, low, high, aligned)

    def _change(self, r: Register, pattern: Pattern) -> int | None:
        """Return the bytes that a pattern adds, None where they are not known."""
        delta = self._isa.delta(pattern)
        if delta.steps and not r.stepped:
            return None
        # A step beyond half of the numbers is meant as a negative one.
        return delta.change(self.row, r.step if r.step <= self.top // 2 else r.step - self.top - 1)

    def _ring_wrap(self, r: Register) -> Wrap | None:
        """Return the wrap that takes a register from the end of its window to the start."""
        rising = r.start < r.end
        ends = ("window_end", "window_start")
        wraps = (w for w in self._isa.wraps if (w.bound, w.reload) == ends and w.comparison)
        return next((w for w in wraps if w.comparison.startswith(">") == rising), None)

    def _wrapped(self, r: Register, wrap: Wrap, low: int, high: int, aligned: bool) -> tuple[int, int, bool]:
        """Return the interval after a modification with a window, which may reload the register."""
        window = Window(r.start, r.end)
        left, reload = wrap.reloads(window, self.top), int(getattr(window, wrap.reload))
        aligned &= reload % self.row == 0
        if high < left.start or low >= left.stop:
            return low, high, aligned
        if low >= left.start and high < left.stop:
            return reload, reload, aligned
        if left.start > low:
            high = left.start - 1
        else:
            low = left.stop
        return min(low, reload), max(high, reload), aligned

    def ring(self, n: int, limit: int) -> tuple[int, int] | None:
        """Return the interval in which a register that goes round in its window stays; None if it cannot go round."""
        r = self.registers[n]
        if not (r.stepped and r.windowed) or r.role not in ("free", "window") or not 0 < r.step <= self.top // 2:
            return None
        wrap = self._ring_wrap(r)
        if wrap is None:
            return None
        left = wrap.reloads(Window(r.start, r.end), self.top)
        if r.start < r.end:
            low, high = min(r.low, r.start), max(r.high, left.start - 1)
        else:
            low, high = min(r.low, r.start, left.stop), max(r.high, r.start)
            if low < r.step:  # it would go below zero instead of round
                return None
        return (low, high) if high <= limit else None

    def join(self, other: Addresses) -> None:
        """Keep what is true here and at another place, which leads here too."""
        for r, o in zip(self.registers, other.registers, strict=True):
            r.low, r.high = min(r.low, o.low), max(r.high, o.high)
            r.aligned &= o.aligned
            r.stepped &= o.stepped and r.step == o.step
            r.windowed &= o.windowed and (r.start, r.end) == (o.start, o.end)
            r.up, r.down = min(r.up, o.up), min(r.down, o.down)
