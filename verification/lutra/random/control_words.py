"""Words of plain control and address instructions: one draw per function of the address unit.

A draw returns the words, the last of which is of the instruction; none where it is not possible here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from lutra.isa import Insn, Isa
from lutra.random.addresses import Addresses
from lutra.random.control import Control, pack
from lutra.random.pickers import picker_of
from lutra.random.weights import (
    ADDEND,
    ADDEND_OF_ROWS,
    ADDRESSES,
    RING_STEP,
    RING_STEPS,
    STEP,
    STEP_OF_ROWS,
    WINDOW,
    WINDOW_SIGNS,
)

Words = list[int]


class ControlWords:
    """Makes the words of one routine; `addresses` is what they see and change."""

    def __init__(
        self, isa: Isa, control: Control, rng: random.Random, weights: Mapping[str, float], addresses: Addresses
    ) -> None:
        self._control = control
        self._rng = rng
        self._weights = weights
        self._addresses = addresses
        self._registers = range(isa.machine["AddressRegs"])
        self._bits = isa.machine["AddressBits"]
        self._row = isa.machine["VectorBytes"]
        self._limit = (isa.machine["MemoryRows"] - 1) * self._row
        self._values = picker_of(((name, name) for name in ADDRESSES), weights)
        self._value_of: Mapping[str, Callable[[], int]] = {
            "address:row": lambda: self._below(self._limit // self._row + 1) * self._row,
            "address:byte": lambda: self._below(self._limit),
            "address:last": lambda: self._limit - self._below(self._row),
            "address:wraps": lambda: self._addresses.top - self._below(2 * self._row),
        }
        self._draw: Mapping[str, Callable[[Insn], Words]] = {
            "AuKeep": self._keep,
            "AuSet": self._set,
            "AuAdd": self._add,
            "AuAnd": self._and,
            "AuShr": self._shr,
            "AuSetStep": self._step,
            "AuSetWindow": self._window,
            "AuSetWidth": self._width,
        }

    def words(self, insn: Insn) -> Words:
        """Draw the words of a plain instruction."""
        return self._draw[insn.facts.au](insn)

    def accessing(self, insn: Insn, wish: Mapping[str, int]) -> int | None:
        """Draw a word that accesses the address registers wished for, of a transfer without its target; None where it
        cannot be here."""
        fields = {name: value for name, value in wish.items() if name in ("ad", "as")}
        if "as" in insn.fields:
            fields.setdefault("as", self._rng.choice(self._registers))
        if "n" in insn.fields:
            fields["n"] = self._rng.choice(insn.facts.holds("n").codes)
        if "ad" in insn.fields:
            free = self._addresses.free()
            if not free or fields.get("ad", free[0]) not in free:
                return None
            ad = fields.setdefault("ad", self._rng.choice(free))
            self._addresses.assign(ad, 0, self._addresses.top, False)
        return pack(insn, **fields)

    def bounded(self, n: int) -> int:
        """Draw a word that brings a register into the range of the memories, by a mask or a shift."""
        bits = self._limit.bit_length() - 1
        if self._chance("mask"):
            mask = (1 << bits) - 1
            mask &= -self._row if self._chance("mask_rows") else -1
            return self._masked(n, n, mask)
        return self._shifted(n, n, self._bits - bits)

    # ------------------------------------------------------------------ choices

    def _chance(self, name: str) -> bool:
        return self._rng.random() < self._weights[f"chance:{name}"]

    def _below(self, count: int) -> int:
        return int(self._rng.random() * count)

    def _rows(self, of_rows: Sequence[bool]) -> int:
        return self._row if self._rng.choice(of_rows) else 1

    def _value(self) -> int:
        return self._value_of[self._values(self._rng.random())]()

    def _two(self) -> tuple[int, int] | None:
        """Draw a register to write and one to read."""
        free = self._addresses.free()
        return (self._rng.choice(free), self._below(len(self._registers))) if free else None

    def _configurable(self) -> int | None:
        """Draw a register whose step and window may change."""
        free = [n for n in self._addresses.free() if not self._addresses.registers[n].held]
        return self._rng.choice(free) if free else None

    # ------------------------------------------------------------------ address registers

    def _keep(self, insn: Insn) -> Words:
        return [pack(insn, **{o.fields[0]: self._rng.randint(o.low, o.high) for o in insn.operands})]

    def _set(self, insn: Insn) -> Words:
        free = self._addresses.free()
        if not free:
            return []
        n, value = self._rng.choice(free), self._value()
        self._addresses.assign(n, value, value, value % self._row == 0)
        return [pack(insn, ad=n, n=value)]

    def _add(self, insn: Insn) -> Words:
        if (two := self._two()) is None:
            return []
        ad, source = two
        value = self._rows(ADDEND_OF_ROWS) * self._rng.randint(*ADDEND)
        s = self._addresses.registers[source]
        self._addresses.assign(ad, s.low + value, s.high + value, s.aligned and value % self._row == 0)
        return [pack(insn, ad=ad, as_=source, n=value)]

    def _and(self, insn: Insn) -> Words:
        if (two := self._two()) is None:
            return []
        mask = (1 << self._rng.randint(0, self._bits)) - 1 & self._rng.choice((-1, -self._row))
        return [self._masked(*two, mask)]

    def _masked(self, ad: int, source: int, mask: int) -> int:
        s = self._addresses.registers[source]
        if s.low == s.high:
            self._addresses.assign(ad, s.low & mask, s.low & mask, (s.low & mask) % self._row == 0)
        else:
            self._addresses.assign(ad, 0, min(s.high, mask), s.aligned or mask % self._row == 0)
        return pack(self._control.address("AuAnd"), ad=ad, as_=source, n=mask)

    def _shr(self, insn: Insn) -> Words:
        if (two := self._two()) is None:
            return []
        amount = insn.facts.holds("n")
        return [self._shifted(*two, self._rng.randint(amount.low, amount.high))]

    def _shifted(self, ad: int, source: int, amount: int) -> int:
        s = self._addresses.registers[source]
        self._addresses.assign(ad, s.low >> amount, s.high >> amount, s.aligned and amount == 0)
        return pack(self._control.address("AuShr"), ad=ad, as_=source, n=amount)

    # ------------------------------------------------------------------ steps and windows

    def _step(self, insn: Insn) -> Words:
        if (n := self._configurable()) is None:
            return []
        step = self._rows(STEP_OF_ROWS) * self._rng.randint(*STEP)
        step = -step & self._addresses.top if self._chance("falling") else step
        r = self._addresses.registers[n]
        r.step, r.stepped = step, True
        return [pack(insn, ad=n, n=step)]

    def _window(self, insn: Insn) -> Words:
        """Draw a circular buffer that the register's steps meet, or a window of a few rows or bytes."""
        if (n := self._configurable()) is None:
            return []
        if self._chance("ring_made"):
            return self._ring(insn, n)
        r = self._addresses.registers[n]
        unit = 1 if self._chance("window_bytes") else self._row
        start = r.low // unit * unit if r.high <= self._limit and self._chance("window_here") else self._value()
        end = start + unit * self._rng.randint(*WINDOW) * self._rng.choice(WINDOW_SIGNS)
        end = min(max(end, 0), self._limit)
        r.start, r.end, r.windowed = start, end, True
        return [pack(insn, ad=n, n=start, e=end)]

    def _ring(self, insn: Insn, n: int) -> Words:
        """Draw the register at the start of a window whose end is a few of its steps away, at times a byte off."""
        rng, r = self._rng, self._addresses.registers[n]
        step = self._row * rng.randint(*RING_STEP)
        length = step * rng.randint(*RING_STEPS)
        start = rng.randint(0, self._limit // self._row) * self._row
        rises = start + length <= self._limit and (start < length or self._chance("ring_rises"))
        end = start + length if rises else start - length
        if self._chance("ring_missed"):
            end += rng.choice((1, -1))
        self._addresses.assign(n, start, start, aligned=True)
        r.step, r.stepped = step, True
        r.start, r.end, r.windowed = start, max(end, 0), True
        return [self._control.set(n, start), self._control.set_step(n, step), pack(insn, ad=n, n=start, e=r.end)]

    def _width(self, insn: Insn) -> Words:
        codes = insn.facts.holds("n").codes
        return [pack(insn, n=codes[self._below(len(codes))])]
