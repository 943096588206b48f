"""Memory slots, and how an access modifies its address register."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .machine import Bits


class Window(NamedTuple):
    """The ends of an address register's window, by the names that wraps give them."""

    window_start: int
    window_end: int


@dataclass(frozen=True)
class Delta:
    """An amount to add to an address register: rows of the memory, and steps of the register."""

    record: str
    name: str
    code: int
    rows: int
    steps: int

    def change(self, row: int, step: int) -> int:
        """Bytes that are added; row: bytes of a row of the memory."""
        return self.rows * row + self.steps * step


@dataclass(frozen=True)
class Wrap:
    """When a modified address register is loaded anew: if ar `comparison` bound, ar = reload; without one, never."""

    record: str
    name: str
    code: int
    comparison: str
    bound: str
    reload: str

    def reloads(self, window: Window, top: int) -> range:
        """The addresses that a register is not left at; top: the highest address."""
        bound: int = getattr(window, self.bound)
        return {
            "": range(0),
            ">": range(bound + 1, top + 1),
            ">=": range(bound, top + 1),
            "<": range(bound),
            "<=": range(bound + 1),
        }[self.comparison]


@dataclass(frozen=True)
class Pattern:
    """How an access modifies its address register."""

    record: str
    code: int
    suffix: str
    delta: str
    wrap: str
    text: str

    @property
    def modifies(self) -> bool:
        """Whether the address register changes."""
        return self.delta != "none"


@dataclass(frozen=True)
class SlotLayout:
    """Bit positions within a memory slot."""

    bits: int
    row_flag: int
    row: Bits
    pattern: Bits
    register: Bits
    zero: Bits
