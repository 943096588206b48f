"""Errors in a pack, in one line with the place."""

from __future__ import annotations

from typing import Self

from lutra.firmware.errors import FirmwareError


class PackError(FirmwareError):
    """A pack, a root or a key that cannot be used.

    offset: the byte of the file that it is about; None where it is about no byte. path: the part of the schema, such as
    `parts[2].size`.
    """

    def __init__(self, text: str, offset: int | None = None, path: str = "") -> None:
        byte = "" if offset is None else f"byte {offset:#x}: "
        super().__init__(f"{byte}{path}{': ' if path else ''}{text}")
        self.text = text
        self.offset = offset
        self.path = path

    def within(self, name: str) -> Self:
        """The same error, seen from the part that has this one under a name or as `[number]`."""
        joint = "" if self.path.startswith("[") or not self.path else "."
        return type(self)(self.text, self.offset, f"{name}{joint}{self.path}")


class FlawedKeyError(PackError):
    """A root that names a key which no signing software makes. The tools refuse it; a device does not look."""
