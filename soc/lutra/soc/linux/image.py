"""The firmware file of the kernel module, `lutra/stream.bin` (reader: `soc/linux/lutra_firmware.c`)."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

MAGIC = b"LUTRAFW1"
NAME_BYTES = 28


@dataclass(frozen=True)
class Step:
    """A raw operation: rows to write to a space, or a run from an entry for at most `length` cycles."""

    operation: int
    space: int = 0
    first: int = 0
    length: int = 0
    data: bytes = b""

    def pack(self) -> bytes:
        return struct.pack("<4I", self.operation, self.space, self.first, self.length or len(self.data)) + self.data


def pack(operations: Mapping[str, int], steps: Iterable[Step], stream_reset: int) -> bytes:
    """Return the file. operations: words of the table by name, in order."""
    steps = list(steps)
    header = struct.pack("<8s4I", MAGIC, len(steps), len(operations), stream_reset, 0)
    table = b"".join(struct.pack(f"<{NAME_BYTES}sI", name.encode(), word) for name, word in operations.items())
    return header + table + b"".join(step.pack() for step in steps)
