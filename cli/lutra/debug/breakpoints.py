"""Where a run stops: breakpoints and watchpoints, by numbers that are never used twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Breakpoint:
    """A point at which a run stops, before the instruction.

    kind: `line`, `label`, `address`, or the events `trap` and `notify`. text: as the user wrote it. addresses: all
    program addresses of it (a line within a macro has one for each use). condition: an expression, or "". ignore:
    passes that do not stop any more. hits: passes so far, counted by forward runs. message: why it is not verified.
    """

    id: int
    kind: Literal["line", "label", "address", "trap", "notify"]
    text: str
    addresses: tuple[int, ...]
    condition: str = ""
    ignore: int = 0
    hits: int = 0
    enabled: bool = True
    temporary: bool = False
    verified: bool = True
    message: str = ""


class Breakpoints:
    """All breakpoints of a session, in the order of their numbers."""

    def add(self, text: str, condition: str = "", ignore: int = 0, temporary: bool = False) -> Breakpoint:
        """A breakpoint at `FILE:LINE`, `LINE` of the present file, `LABEL`, `LABEL+N`, `0x12` (an address), `trap` or
        `notify`. A line without an instruction takes the next one that has one in the same file. Raises DebugError."""
        raise NotImplementedError

    def add_line(self, file: str, line: int, condition: str = "", ignore: int = 0) -> Breakpoint:
        """The same for front ends: one that fits nothing is not verified, and its message says why. file: as in the
        chain of a place, or a path that ends so."""
        raise NotImplementedError

    def add_address(self, pc: int, condition: str = "", ignore: int = 0) -> Breakpoint:
        """At a program address."""
        raise NotImplementedError

    def remove(self, number: int) -> None:
        """Raises DebugError where there is none."""
        raise NotImplementedError

    def clear(self) -> None:
        """Remove all."""
        raise NotImplementedError

    def enable(self, number: int, enabled: bool = True) -> Breakpoint:
        """Raises DebugError where there is none."""
        raise NotImplementedError

    def at(self, pc: int) -> Breakpoint | None:
        """The first breakpoint at a program address, disabled ones too."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[Breakpoint]:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError


@dataclass(frozen=True)
class Watchpoint:
    """A value at whose change a run stops, after the instruction that wrote it.

    text: a register, row, byte range or table entry: `v3`, `ar0`, `m1[0x40]`, `m1[0x40:64]`, `t0[5]`, `rk[16:16]`,
    `v0[3]`, `v0.w[2]`. hits: changes seen by forward runs.
    """

    id: int
    text: str
    condition: str = ""
    hits: int = 0
    enabled: bool = True


class Watchpoints:
    """All watchpoints of a session. The numbers are those of the breakpoints: no number names both."""

    def add(self, text: str, condition: str = "") -> Watchpoint:
        """Raises DebugError where the text is no place that can be written."""
        raise NotImplementedError

    def remove(self, number: int) -> None:
        """Raises DebugError where there is none."""
        raise NotImplementedError

    def clear(self) -> None:
        """Remove all."""
        raise NotImplementedError

    def enable(self, number: int, enabled: bool = True) -> Watchpoint:
        """Raises DebugError where there is none."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[Watchpoint]:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError
