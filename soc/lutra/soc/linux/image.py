"""The firmware file of the kernel module, `lutra/stream.bin` (reader: `soc/linux/lutra_firmware.c`)."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence

from lutra.isa import load as load_isa
from lutra.soc.maps import load
from lutra.soc.operations import Firmware

MAGIC = b"LUTRAFW1"
NAME_BYTES = 28
ROW = 16


def pack(operations: Mapping[str, int], steps: Sequence[bytes] = (), stream_reset: int = 0) -> bytes:
    """Return a file. operations: words of the table by name, in order. stream_reset: an entry."""
    header = struct.pack("<8s4I", MAGIC, len(steps), len(operations), stream_reset, 0)
    table = b"".join(struct.pack(f"<{NAME_BYTES}sI", name.encode(), word) for name, word in operations.items())
    return header + table + b"".join(steps)


def of(firmware: Firmware) -> bytes:
    """Return the file of an image of `soc/firmware`."""
    words = firmware.registers()
    names = {operation.number: name for name, operation in firmware.operations.items()}
    # A number that no operation has keeps its place.
    table = {names.get(n, f"-{n}"): words.get(n, 0) for n in range(max(words) + 1)}
    return pack(table, list(_writes(firmware)), firmware.stream_reset)


def _writes(firmware: Firmware) -> Iterator[bytes]:
    """Yield raw operations that fill the memories of the core."""
    yield _write("pm", 0, b"".join(struct.pack("<Q", word).ljust(ROW, b"\0") for word in firmware.image.program))
    for space, segments in firmware.image.memory.items():
        for offset, data in segments:
            before = offset % ROW
            yield _write(space, offset // ROW, bytes(before) + data)


def _write(space: str, row: int, data: bytes) -> bytes:
    code = next(s.code for s in load_isa().spaces if s.name == space)
    data += bytes(-len(data) % ROW)
    return struct.pack("<4I", load().raw["write"], code, row, len(data)) + data
