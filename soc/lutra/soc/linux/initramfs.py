"""A cpio archive of the `newc` form, as the kernel unpacks it."""

from __future__ import annotations

import stat
from collections.abc import Mapping

MAGIC = b"070701"
CONSOLE = (5, 1)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)


def _entry(number: int, name: str, mode: int, data: bytes = b"", device: tuple[int, int] = (0, 0)) -> bytes:
    raw_name = name.encode() + b"\0"
    numbers = (number, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(raw_name), 0)
    header = MAGIC + b"".join(b"%08X" % n for n in numbers)
    return _padded(header + raw_name) + _padded(data)


def archive(files: Mapping[str, bytes]) -> bytes:
    """Return an archive of files by path, all executable, with their folders and a console."""
    folders = {parent for path in files for parent in _parents(path)} | {"dev", "proc"}
    entries = [(name, stat.S_IFDIR | 0o755, b"", (0, 0)) for name in sorted(folders)]
    entries.append(("dev/console", stat.S_IFCHR | 0o600, b"", CONSOLE))
    entries += [(path, stat.S_IFREG | 0o755, data, (0, 0)) for path, data in files.items()]
    packed = b"".join(_entry(n, *entry) for n, entry in enumerate(entries, 1))
    return packed + _entry(0, "TRAILER!!!", 0)


def _parents(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[: n + 1]) for n in range(len(parts))]
