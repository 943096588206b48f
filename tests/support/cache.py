"""A host's cache that the device does not see: it holds every line, so that what is not maintained is stale."""

from __future__ import annotations

from collections.abc import Callable

LINE = 64
# Which calls of a maintenance hook are forgotten, by address.
Forgets = Callable[[int], bool]


class Cache:
    """The host's view of the memory, `cpu`, in front of the memory itself."""

    def __init__(
        self, memory: bytearray, forgets_clean: Forgets | None = None, forgets_drop: Forgets | None = None
    ) -> None:
        self.memory = memory
        self.cpu = bytearray(memory)
        self._clean = bytearray(memory)  # of each line, what it was when it was last the memory's
        self.evicting = False
        self._forgets_clean = forgets_clean or (lambda _: False)
        self._forgets_drop = forgets_drop or (lambda _: False)

    def clean(self, address: int, length: int) -> None:
        """Write dirty lines to memory."""
        if not self._forgets_clean(address):
            for line in _lines(address, length):
                self._write_back(line)

    def invalidate(self, address: int, length: int) -> None:
        """Drop lines, dirty or not."""
        if not self._forgets_drop(address):
            for line in _lines(address, length):
                self.cpu[line] = self._clean[line] = self.memory[line]

    def evict(self) -> None:
        """Write back all dirty lines, as a cache may at any time."""
        if self.cpu != self._clean:
            for start in range(0, len(self.cpu), LINE):
                self._write_back(slice(start, start + LINE))

    def _write_back(self, line: slice) -> None:
        if self.cpu[line] != self._clean[line]:
            self.memory[line] = self._clean[line] = self.cpu[line]


def _lines(address: int, length: int) -> list[slice]:
    return [slice(at, at + LINE) for at in range(address // LINE * LINE, address + length, LINE)]
