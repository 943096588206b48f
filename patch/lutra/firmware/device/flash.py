"""Flash memory in a file: writing clears bits, only what was erased may be written, erasing takes a sector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO

from lutra.firmware.device.errors import DeviceError

ERASED = 0xFF


class FlashError(DeviceError):
    """An access that flash memory does not allow: a bug in its driver, never an error in a pack."""


@dataclass(frozen=True)
class Layout:
    """The layout: two sectors for the boot record, then two slots. All figures in bytes."""

    sector_bytes: int = 4096
    granule_bytes: int = 8
    slot_bytes: int = 128 * 1024

    @property
    def record(self) -> tuple[int, int]:
        return 0, self.sector_bytes

    @property
    def slots(self) -> tuple[int, int]:
        first = 2 * self.sector_bytes
        return first, first + self.slot_bytes

    @property
    def size(self) -> int:
        return 2 * (self.sector_bytes + self.slot_bytes)


class Flash:
    """The loader's port to the flash. Every write goes to the file at once, as it would survive a loss of power."""

    def __init__(self, file: BinaryIO, layout: Layout) -> None:
        self._file = file
        self.layout = layout
        self.sector_bytes = layout.sector_bytes
        self.granule_bytes = layout.granule_bytes
        self.slot_bytes = layout.slot_bytes
        self.record = layout.record
        self.slots = layout.slots

    def read(self, address: int, length: int) -> bytes:
        """Bytes from an address on."""
        self._check_inside(address, length)
        self._file.seek(address)
        return self._file.read(length)

    def write(self, address: int, data: bytes) -> None:
        """Whole granules, all of them erased. FlashError otherwise, and nothing is written."""
        if address % self.granule_bytes or len(data) % self.granule_bytes:
            raise FlashError(f"flash: {len(data)} bytes at {address:#x} are not whole granules of {self.granule_bytes}")
        used = next((n for n, byte in enumerate(self.read(address, len(data))) if byte != ERASED), None)
        if used is not None:
            raise FlashError(f"flash: the byte at {address + used:#x} is written, but was not erased before")
        self._store(address, data)

    def erase(self, address: int) -> None:
        """The sector that begins there."""
        if address % self.sector_bytes:
            raise FlashError(f"flash: {address:#x} is not the start of a sector of {self.sector_bytes} bytes")
        self._check_inside(address, self.sector_bytes)
        self._store(address, bytes([ERASED]) * self.sector_bytes)

    def _store(self, address: int, data: bytes) -> None:
        self._file.seek(address)
        self._file.write(data)

    def _check_inside(self, address: int, length: int) -> None:
        if address + length > self.layout.size:
            raise FlashError(f"flash: {length} bytes at {address:#x} go beyond its {self.layout.size:#x}")
