"""A device is a folder: made whole or not at all, one process's alone, and refused where it is damaged."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lutra.firmware import device
from lutra.firmware.device import folder as folders
from lutra.firmware.errors import FirmwareError
from support.devices import create, memories


def test_a_device_is_made_with_its_root_and_nothing_else(tmp_path: Path) -> None:
    folder = create(tmp_path / "dev")
    flash, fuses = memories(folder)
    assert set(flash) == {0xFF}
    assert sum(byte != 0 for byte in fuses) <= 33
    assert {p.name for p in folder.iterdir()} == {"device.json", "flash.bin", "fuses.bin"}
    assert [p.name for p in tmp_path.iterdir()] == ["dev"]


@pytest.mark.parametrize("taken", ["folder", "file", "link"])
def test_what_is_there_is_not_overwritten(taken: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("as it was")
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(device.DeviceError, match=f"{taken} already exists"):
        create(tmp_path / taken)
    assert (tmp_path / "file").read_text() == "as it was"


def test_a_device_needs_a_folder_to_be_made_in(tmp_path: Path) -> None:
    with pytest.raises(device.DeviceError, match="none: no such folder"):
        create(tmp_path / "none/dev")


def test_a_device_that_cannot_be_written_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match=r"No space left on device: .*dev"):
        create(tmp_path / "dev")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("layout", "text"),
    [
        (device.Layout(granule_bytes=12), "granule_bytes must be a power of two"),
        (device.Layout(slot_bytes=5000), "a slot must have 4096 to"),
        (device.Layout(slot_bytes=0), "a slot must have 4096 to"),
        (device.Layout(slot_bytes=32 << 20), "a slot must have 4096 to"),
    ],
)
def test_a_layout_must_divide(layout: device.Layout, text: str, tmp_path: Path) -> None:
    with pytest.raises(device.DeviceError, match=text):
        device.create(tmp_path / "dev", bytes(32), device.Description(layout=layout))
    assert not list(tmp_path.iterdir())


def damaged(folder: Path, name: str, text: str | None) -> None:
    if text is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(text)


def description(**members: object) -> str:
    return json.dumps(device.Description().document() | members)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("device.json", None, "has no device.json; `lutra device create` makes a device"),
        ("device.json", "{", "device.json: damaged: "),
        ("device.json", "\xff" * 3, "device.json: "),
        ("device.json", "[]", "device.json must be a table"),
        ("device.json", "{}", "device.json: format is missing"),
        ("device.json", description(format=2), "format must be an integer from 1 to 1, not 2"),
        ("device.json", description(rounds=3), "rounds must be an integer from 1 to 2, not 3"),
        ("device.json", description(slot_bytes=4097), "a slot must have 4096 to"),
        ("device.json", description(engine="cosine"), "device.json: unknown engine 'cosine'; did you mean cosim?"),
        ("device.json", description(colour=1), "unknown key 'colour'"),
        ("device.json", description(slot_bytes=8192), "flash.bin: has 40960 bytes instead of 24576"),
        ("flash.bin", None, "flash.bin: no such file: the device is damaged"),
        ("flash.bin", "short", "flash.bin: has 5 bytes instead of"),
        ("fuses.bin", None, "fuses.bin: no such file: the device is damaged"),
        ("fuses.bin", "", "fuses.bin: has 0 bytes instead of 296"),
    ],
)
def test_a_damaged_folder_is_told_in_a_line(name: str, text: str | None, message: str, dev: Path) -> None:
    damaged(dev, name, text)
    with pytest.raises(FirmwareError) as error, device.opened(dev):
        pass
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("path", "text"), [("none", "no such folder"), ("file", "not a folder"), (".", "has no")])
def test_a_folder_that_is_no_device_is_told(path: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(device.DeviceError, match=f"{text}.*`lutra device create` makes a device"),
        device.opened(tmp_path / path),
    ):
        pass


@pytest.mark.parametrize("text", ["", "{", '{"slot": 2, "sequence": 3}', '{"slot": 0}', "[" * 10_000, "\x00"])
def test_a_damaged_note_of_what_runs_is_a_device_that_is_off(text: str, dev: Path) -> None:
    (dev / "running.json").write_text(text)
    with device.opened(dev) as opened:
        assert opened.status().running is None
        assert opened.resume().running == 0


OPEN = """\
import pathlib, sys
from lutra.firmware import device
with device.opened(pathlib.Path(sys.argv[1])):
    pass
"""


def test_two_processes_do_not_share_a_device(dev: Path) -> None:
    with device.opened(dev):
        other = subprocess.run([sys.executable, "-c", OPEN, dev], capture_output=True, text=True, check=False)
        assert f"{dev}: another process is using this device" in other.stderr.splitlines()[-1]
    with device.opened(dev):
        pass


def test_a_device_that_is_copied_is_another_one(dev: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    for file in dev.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    before = memories(dev)
    with device.opened(dev), device.opened(copy) as opened:
        opened.folder.fuses.burn(0, b"\xff")
    assert memories(dev) == before


@pytest.mark.parametrize("name", ["device.json", "flash.bin", "fuses.bin"])
def test_a_file_that_is_a_symbolic_link_is_refused_and_not_followed(name: str, dev: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (dev / name).rename(other)
    (dev / name).symlink_to(other)
    before = other.read_bytes()
    with pytest.raises(device.DeviceError, match=f"{name}: is a symbolic link"), device.opened(dev):
        pass
    assert other.read_bytes() == before


def test_the_note_of_what_runs_is_not_written_through_a_symbolic_link(dev: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("as it was")
    (dev / "running.json").unlink()
    (dev / "running.json").symlink_to(other)
    with device.opened(dev) as opened, pytest.raises(device.DeviceError, match=r"running.json: is a symbolic link"):
        opened.folder.set_running((0, 1))
    assert other.read_text() == "as it was"


@pytest.mark.parametrize("name", ["device.json", "flash.bin", "fuses.bin"])
def test_a_pipe_in_place_of_a_file_is_refused_at_once(name: str, dev: Path) -> None:
    (dev / name).unlink()
    os.mkfifo(dev / name)
    with pytest.raises(device.DeviceError, match=f"{name}: is not a regular file"), device.opened(dev):
        pass


@pytest.mark.parametrize("name", ["device.json", "flash.bin", "fuses.bin"])
def test_no_file_that_is_replaced_is_a_way_past_the_lock(name: str, dev: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.write_bytes((dev / name).read_bytes())
    with device.opened(dev):
        copy.rename(dev / name)
        with pytest.raises(device.DeviceError, match="another process is using this device"), device.opened(dev):
            pass


def test_a_device_that_is_moved_while_it_is_open_keeps_its_files(dev: Path, tmp_path: Path) -> None:
    """Nothing is written to what is now in its place."""
    with device.opened(dev) as opened:
        dev.rename(tmp_path / "moved")
        dev.mkdir()
        opened.folder.set_running((1, 9))
        assert opened.folder.running() == (1, 9)
    assert not list(dev.iterdir())


def test_a_full_disk_is_told_with_the_file(dev: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with folders.opened(dev) as folder, monkeypatch.context() as patch:
        patch.setattr(folder.place.__class__, "opener", lambda _, __, flags: os.open("/dev/full", flags))
        with pytest.raises(OSError, match="No space left") as error:
            folder.set_running((0, 1))
    assert error.value.filename == str(dev / folders.RUNNING)
    with folders.Memory("/dev/full", "r+b") as memory, pytest.raises(OSError, match="No space left") as error:
        memory.write(b"1")
    assert error.value.filename == "/dev/full"
