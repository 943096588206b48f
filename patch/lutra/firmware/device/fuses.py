"""One-time fuses in a file: a bit that is burnt stays."""

from __future__ import annotations

from typing import BinaryIO

from lutra.firmware import _loader
from lutra.firmware.device.errors import DeviceError

SIZE = _loader.FUSE_BYTES
DIGEST_BYTES = _loader.DIGEST_BYTES
# Marks a root whose digest is completely burnt.
COMPLETE = 0xFF


def provisioned(root_digest: bytes) -> bytes:
    """All fuses of a device as it leaves the factory: the digest of its first root, and the mark of that."""
    fuses = bytearray(SIZE)
    fuses[_loader.fuse_root(0) : _loader.fuse_root(0) + DIGEST_BYTES] = root_digest.ljust(DIGEST_BYTES, b"\0")
    fuses[_loader.fuse_mark(0)] = COMPLETE
    return bytes(fuses)


class Fuses:
    """The loader's port to the fuses."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def read(self, offset: int, length: int) -> bytes:
        """Fuses as bytes, 1 where burnt."""
        if offset + length > SIZE:
            raise DeviceError(f"fuses: {length} bytes at {offset} go beyond the {SIZE} that there are")
        self._file.seek(offset)
        return self._file.read(length)

    def burn(self, offset: int, data: bytes) -> None:
        """Burn the bits that are 1; bits that are already burnt stay."""
        burnt = bytes(old | new for old, new in zip(self.read(offset, len(data)), data, strict=True))
        self._file.seek(offset)
        self._file.write(burnt)
