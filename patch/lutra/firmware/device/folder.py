"""The folder of a device: its description, its flash, its fuses, and the state that is lost without power.

    device.json   its description, by this module
    flash.bin     two sectors of boot record, two slots
    fuses.bin     digests of roots, security counter
    running.json  which slot runs since the last boot; gone after a reset that did not end

All but the last keep their contents without power, and are written in place. A process has the folder itself locked and
opens the files relative to it, never by a symbolic link: whatever is renamed or replaced meanwhile, it has them alone.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import io
import json
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from lutra.asm.files import read_json
from lutra.firmware.device.errors import DeviceError
from lutra.firmware.device.flash import ERASED, Flash, Layout
from lutra.firmware.device.fuses import SIZE, Fuses, provisioned
from lutra.firmware.errors import FirmwareError
from lutra.firmware.schema import Table, convert, one_of
from lutra.iss.engine import names

DESCRIPTION, FLASH, FUSES, RUNNING = "device.json", "flash.bin", "fuses.bin", "running.json"
FORMAT = 1
MOST_SLOT_BYTES = 16 << 20


class _Document(Table, frozen=True):
    """The contents of DESCRIPTION."""

    format: Annotated[int, Meta(ge=FORMAT, le=FORMAT)]
    engine: str
    rounds: Annotated[int, Meta(ge=1, le=2)]
    sector_bytes: Annotated[int, Meta(ge=256, le=(1 << 20) - 1)]
    granule_bytes: Annotated[int, Meta(ge=1, le=64)]
    slot_bytes: Annotated[int, Meta(ge=256, le=MOST_SLOT_BYTES)]


class _Running(Table, frozen=True):
    """The contents of RUNNING."""

    slot: int
    sequence: Annotated[int, Meta(ge=0, le=(1 << 32) - 1)]


@dataclass(frozen=True)
class Description:
    """The description of a device. engine: default engine of its core. rounds: ROUNDS_PER_INSTR."""

    engine: str = "iss"
    rounds: int = 2
    layout: Layout = field(default_factory=Layout)

    def document(self) -> dict[str, Any]:
        """Return the text for the folder."""
        return {"format": FORMAT, "engine": self.engine, "rounds": self.rounds} | asdict(self.layout)


@dataclass(frozen=True)
class _Place:
    """An open folder."""

    path: Path
    descriptor: int

    def opener(self, path: str, flags: int) -> int:
        """Open a regular file in the folder. Raises DeviceError for anything else with that name."""
        name = Path(path).name
        try:
            # Without O_NONBLOCK a pipe would wait for its other end.
            file = os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666, dir_fd=self.descriptor)
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise DeviceError(f"{path}: is a symbolic link; the files of a device must be regular files") from error
            error.filename = path
            raise
        if not stat.S_ISREG(os.fstat(file).st_mode):
            os.close(file)
            raise DeviceError(f"{path}: is not a regular file: the device is damaged")
        return file

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self.descriptor)


@dataclass(frozen=True)
class Folder:
    """A device that is open, and this process's alone."""

    place: _Place
    description: Description
    flash: Flash
    fuses: Fuses

    @property
    def path(self) -> Path:
        """The path of the device."""
        return self.place.path

    def running(self) -> tuple[int, int] | None:
        """The slot that runs since the last boot, and the sequence of the boot record then; None after power-up."""
        try:
            document = read_json(self.path / RUNNING, "what runs", self.place.opener)
            found = convert(RUNNING, document, _Running)
        except (OSError, ValueError, FirmwareError):
            return None
        return (found.slot, found.sequence) if found.slot in range(len(self.flash.slots)) else None

    def set_running(self, running: tuple[int, int] | None) -> None:
        """Store the state for a later process."""
        if running is None:
            self.place.remove(RUNNING)
            return
        path = self.path / RUNNING
        with _naming(path), open(path, "w", opener=self.place.opener) as file:
            file.write(json.dumps({"slot": running[0], "sequence": running[1]}) + "\n")


def create(path: Path, root_digest: bytes, description: Description | None = None) -> None:
    """Make a device that trusts the root of a digest, without firmware.

    DeviceError where the path is taken or the layout is none, OSError where nothing can be written; there is no folder
    then.
    """
    description = description or Description()
    check_layout(str(path), description.layout)
    if path.exists() or path.is_symlink():
        raise DeviceError(f"{path} already exists; create the device in a new folder")
    if not path.parent.is_dir():
        raise DeviceError(f"{path.parent}: {'not a folder' if path.parent.exists() else 'no such folder'}")
    unfinished = path.parent / f".{path.name[:64]}.{secrets.token_hex(4)}.tmp"
    try:
        unfinished.mkdir()
        (unfinished / DESCRIPTION).write_text(json.dumps(description.document(), indent=2) + "\n")
        (unfinished / FLASH).write_bytes(bytes([ERASED]) * description.layout.size)
        (unfinished / FUSES).write_bytes(provisioned(root_digest))
        unfinished.rename(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def files(path: Path) -> tuple[Path, ...]:
    """Return the files of a new device."""
    return tuple(path / name for name in (DESCRIPTION, FLASH, FUSES, RUNNING))


def check_layout(where: str, layout: Layout) -> None:
    """Raise DeviceError if sectors, granules and slots do not divide one another."""
    sector, granule, slot = layout.sector_bytes, layout.granule_bytes, layout.slot_bytes
    if granule & (granule - 1) or sector % granule:
        raise DeviceError(f"{where}: granule_bytes must be a power of two that divides {sector}, not {granule}")
    if slot % sector or not 0 < slot <= MOST_SLOT_BYTES:
        raise DeviceError(
            f"{where}: a slot must have {sector} to {MOST_SLOT_BYTES} bytes, a multiple of {sector}, not {slot}"
        )


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Folder]:
    """A device in its folder; DeviceError where it is none, is damaged, or another process has it."""
    remedy = "`lutra device create` makes a device"
    with contextlib.ExitStack() as files:
        try:
            place = _Place(path, os.open(path, os.O_RDONLY | os.O_DIRECTORY))
        except (FileNotFoundError, NotADirectoryError) as error:
            what = "not a folder" if path.exists() else "no such folder"
            raise DeviceError(f"{path}: {what}; {remedy}") from error
        files.callback(os.close, place.descriptor)
        try:
            fcntl.flock(place.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise DeviceError(f"{path}: another process is using this device; wait until it ends") from error
        try:
            description = _description(place)
        except FileNotFoundError as error:
            raise DeviceError(f"{path}: has no {DESCRIPTION}; {remedy}") from error
        flash = files.enter_context(_memory(place, FLASH, description.layout.size))
        fuses = files.enter_context(_memory(place, FUSES, SIZE))
        yield Folder(place, description, Flash(flash, description.layout), Fuses(fuses))


def _description(place: _Place) -> Description:
    path = place.path / DESCRIPTION
    try:
        found = convert(str(path), read_json(path, "a device's description", place.opener), _Document)
    except ValueError as error:
        raise DeviceError(f"{path}: damaged: {error}") from error
    one_of(str(path), "engine", found.engine, names())
    layout = Layout(found.sector_bytes, found.granule_bytes, found.slot_bytes)
    check_layout(str(path), layout)
    return Description(found.engine, found.rounds, layout)


def _memory(place: _Place, name: str, size: int) -> Memory:
    path = place.path / name
    try:
        memory = Memory(str(path), "r+b", opener=place.opener)
    except FileNotFoundError as error:
        raise DeviceError(f"{path}: no such file: the device is damaged") from error
    if (has := os.fstat(memory.fileno()).st_size) != size:
        memory.close()
        raise DeviceError(f"{path}: has {has} bytes instead of {size}: the device is damaged")
    return memory


class Memory(io.FileIO):
    """A file without a buffer, whose errors name it."""

    def write(self, data: Any, /) -> int:
        with _naming(Path(str(self.name))):
            return super().write(data)


@contextlib.contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Name the file in an error of writing, which names none on a full disk."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise
