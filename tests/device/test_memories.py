"""Flash and fuses behave as hardware does, and are on the disk at once."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest

from lutra.firmware.device import DeviceError, Flash, FlashError, Fuses, Layout, opened
from lutra.firmware.device.fuses import SIZE

LAYOUT = Layout(sector_bytes=256, granule_bytes=8, slot_bytes=512)


@pytest.fixture
def flash() -> Flash:
    return Flash(BytesIO(b"\xff" * LAYOUT.size), LAYOUT)


def test_sectors_of_the_record_and_slots_lie_side_by_side() -> None:
    assert (LAYOUT.record, LAYOUT.slots, LAYOUT.size) == ((0, 256), (512, 1024), 1536)


def test_what_is_written_is_read_and_erased_by_sectors(flash: Flash) -> None:
    flash.write(248, b"otter" + bytes(11))
    assert flash.read(248, 5) == b"otter"
    flash.erase(0)
    assert flash.read(248, 16) == b"\xff" * 8 + bytes(8)


@pytest.mark.parametrize("data", [b"\xff" * 8, bytes(8), b"12345678"])
def test_a_byte_is_written_once_after_it_was_erased(flash: Flash, data: bytes) -> None:
    flash.write(16, bytes(7) + b"\xff")
    with pytest.raises(FlashError, match="the byte at 0x10 is written, but was not erased before"):
        flash.write(8, bytes(8) + data)
    assert flash.read(8, 8) == b"\xff" * 8


@pytest.mark.parametrize(("address", "length"), [(4, 8), (8, 4), (1, 1)])
def test_parts_of_a_granule_are_not_written(flash: Flash, address: int, length: int) -> None:
    with pytest.raises(FlashError, match="not whole granules of 8"):
        flash.write(address, bytes(length))


def test_nothing_lies_beyond_the_end_of_the_flash(flash: Flash) -> None:
    for access in (lambda: flash.read(1530, 7), lambda: flash.write(1536, bytes(8)), lambda: flash.erase(1536)):
        with pytest.raises(FlashError, match="go beyond its 0x600"):
            access()


def test_only_whole_sectors_are_erased(flash: Flash) -> None:
    with pytest.raises(FlashError, match="0x80 is not the start of a sector"):
        flash.erase(128)


def test_a_burnt_fuse_stays_burnt() -> None:
    fuses = Fuses(BytesIO(bytes(SIZE)))
    fuses.burn(3, b"\x81\x01")
    fuses.burn(4, b"\x80")
    assert fuses.read(2, 4) == b"\x00\x81\x81\x00"
    with pytest.raises(DeviceError, match="go beyond the"):
        fuses.burn(SIZE - 1, bytes(2))


def test_a_write_is_in_the_file_before_the_device_is_closed(dev: Path) -> None:
    with opened(dev) as device:
        free = device.folder.flash.slots[1]
        device.folder.flash.write(free, b"at once!")
        assert (dev / "flash.bin").read_bytes()[free : free + 8] == b"at once!"
        device.folder.fuses.burn(SIZE - 1, b"\x80")
        assert (dev / "fuses.bin").read_bytes()[-1] == 0x80
