"""The host of firmware that computes twice (docs/faults.md, The host's side): it uses nothing that it has written or
read once.

What it writes it reads back. A key, which it may not be able to read, is written a second time inverted, and the
second computation takes that copy. A result is read twice. A routine that ends inverts a row that the host has not used
before, so the host takes neither a routine that has not come to its end for one that has, nor the zeros of closed
memories or of a core that has been wiped for a result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

from lutra.asm import Symbol
from lutra.firmware.errors import FirmwareError
from lutra.iss.engine import Engine

ROW = 16
# Both values of each bit: a gate between host and memory that is stuck shows.
PATTERNS = (bytes.fromhex("a5") * ROW, bytes.fromhex("5a") * ROW)


class FaultError(FirmwareError):
    """The host has read other than it should: there was a fault, and the core has been reset."""


class Checked:
    """Accesses of a host that are checked. forget: called when a fault has been found."""

    def __init__(self, engine: Engine, forget: Callable[[], None]) -> None:
        self.engine = engine
        self.forget = forget
        self.calls = 0

    def holds(self, space: str, offset: int, data: bytes) -> bool:
        """Whether a memory has these bytes."""
        return self.engine.read(space, offset, len(data)) == data

    def known(self, space: str, offset: int, data: bytes) -> None:
        """Read what the host knows."""
        if not self.holds(space, offset, data):
            self.fault(f"{space}@{offset:#x} is not what was written")

    def first(self, space: str, offset: int, size: int) -> bytes:
        """Read a result."""
        return self.engine.read(space, offset, size)

    def again(self, space: str, offset: int, data: bytes) -> None:
        """Read a result once more."""
        if self.engine.read(space, offset, len(data)) != data:
            self.fault(f"{space}@{offset:#x} differs when it is read again")

    def fault(self, what: str) -> NoReturn:
        """Reset the core, which leaves nothing in one with a wipe, and raise the error."""
        self.engine.reset()
        self.forget()
        raise FaultError(f"fault: {what}; the core has been reset")

    def probe(self, spaces: Sequence[str], first: bool = False) -> None:
        """Write and read both values of each bit, in the last row of memories; with `first` also in row 0, whose number
        differs from it in all bits."""
        for space in spaces:
            last = self.engine.size(space) - ROW
            for row in (last, 0) if first else (last,):
                for pattern in PATTERNS:
                    self.engine.write(space, row, pattern)
                    self.known(space, row, pattern)
                self.engine.write(space, row, bytes(ROW))

    def write(self, parts: Sequence[tuple[str, int, bytes]]) -> None:
        """Write all parts, then read them back."""
        for space, offset, data in parts:
            self.engine.write(space, offset, data)
        for space, offset, data in parts:
            self.known(space, offset, data)

    def write_key(self, key: Symbol, again: Symbol, value: bytes) -> None:
        """Write a key, and once more inverted."""
        self.engine.write(key.space, key.value, value)
        self.engine.write(again.space, again.value, inverted(value))

    def ask(self, asked: Symbol) -> None:
        """Write the row that the next routine inverts. If it does not arrive, another one is inverted."""
        self.calls += 1
        self.engine.write(asked.space, asked.value, self._row())

    def answered(self, done: Symbol) -> None:
        """Check that the routine has come to its end, and that memories are open."""
        self.known(done.space, done.value, inverted(self._row()))

    def result(self, done: Symbol, space: str, offset: int, size: int) -> bytes:
        """Read a result twice, and then that memories are still open."""
        found = self.first(space, offset, size)
        self.again(space, offset, found)
        self.answered(done)
        return found

    def _row(self) -> bytes:
        """The row of this call: not zero, and another one each time."""
        count = self.calls.to_bytes(ROW // 2, "big")
        return count + inverted(count)


def inverted(data: bytes) -> bytes:
    """Return the complement of all bits."""
    return bytes(byte ^ 0xFF for byte in data)
