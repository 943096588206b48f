"""A device: the loader over the folder's memories and a core, from one reset to the next."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

from lutra.asm.errors import plural
from lutra.firmware._loader import FUSE_ROOTS, Error, Loader, PackInfo, Result, Status, fuse_mark, fuse_root
from lutra.firmware.device import folder as folders
from lutra.firmware.device.core import Core
from lutra.firmware.device.errors import DeviceError, LoaderError, checked
from lutra.firmware.device.flash import Flash
from lutra.firmware.device.folder import Folder
from lutra.firmware.device.fuses import DIGEST_BYTES, SIZE, Fuses
from lutra.iss.engine import EngineName

Tell = Callable[[str], None]
# Why the firmware before may not run again: the fuses have gone on.
_NO_WAY_BACK = {Result.COUNTER, Result.ROOT_UNKNOWN}


class Device:
    """One device, for as long as its folder is open.

    The device stays on between processes: a later process continues with the firmware that runs since the last boot,
    and only fills the memories of the core again. Every method raises LoaderError if the loader refuses.
    """

    def __init__(self, folder: Folder, engine: EngineName | None = None) -> None:
        self.folder = folder
        self.core = Core(engine or folder.description.engine, folder.description.rounds)
        self.loader = Loader(folder.flash, folder.fuses, self.core)
        running = folder.running()
        if running is not None and running[1] == self.status().sequence:
            self.loader.running = running[0]

    # ------------------------------------------------------------------ what is

    def status(self) -> Status:
        """Boot record, slots and fuses."""
        error, status = self.loader.status()
        checked(error, str(self.folder.path))
        return status

    def roots(self) -> list[bytes]:
        """Digests of the roots that the fuses hold, the one that is trusted last."""
        fuses = self.folder.fuses
        complete = [n for n in range(FUSE_ROOTS) if fuses.read(fuse_mark(n), 1) != b"\0"]
        return [fuses.read(fuse_root(n), DIGEST_BYTES) for n in complete]

    def pack(self, slot: int) -> bytes:
        """The bytes of the pack in a slot."""
        return self.folder.flash.read(self.folder.flash.slots[slot], self.status().size[slot])

    def next_boot(self) -> int | None:
        """The slot that the next boot would start, tried on a copy of the memories; None without firmware."""
        description, everything = self.folder.description, self.folder.flash.read(0, self.folder.flash.layout.size)
        flash = Flash(BytesIO(everything), description.layout)
        loader = Loader(flash, Fuses(BytesIO(self.folder.fuses.read(0, SIZE))), Core(self.core.name, self.core.rounds))
        _boot(loader, str(self.folder.path))
        return loader.running

    # ------------------------------------------------------------------ power

    def boot(self) -> Status:
        """Reset: boot a waiting pack on trial; drop one that was on trial; otherwise boot the confirmed one.

        Without firmware that may run nothing does.
        """
        self.folder.set_running(None)
        self.loader.running = None
        _boot(self.loader, str(self.folder.path))
        return self._kept()

    def resume(self) -> Status:
        """Go on with what runs since the last boot; boot where nothing does."""
        return self.boot() if self.loader.running is None else self.status()

    def load(self, image: int) -> None:
        """An image of what runs into the core. LoaderError where nothing runs."""
        self._ended(self.loader.load(image))

    def self_test(self) -> None:
        """The known answers of what runs."""
        self._ended(self.loader.self_test())

    def _ended(self, error: Error, name: str = "") -> Status:
        """Store the result of a call of the loader; raise LoaderError if it failed. name: shown in the error."""
        status = self._kept()
        checked(error, name or str(self.folder.path))
        return status

    def _kept(self) -> Status:
        """Keep for later processes what runs."""
        status = self.status()
        self.folder.set_running(None if status.running is None else (status.running, status.sequence))
        return status

    # ------------------------------------------------------------------ packs

    def check(self, pack: bytes, name: str = "") -> PackInfo:
        """Authenticate a pack and check it for this device; nothing is written, nothing runs. name: for errors."""
        error, info = self.loader.check(pack)
        checked(error, name)
        return info

    def apply(self, pack: bytes, name: str = "") -> None:
        """Write a pack to the standby slot, run its known answers from there, and mark it for the next boot."""
        self.check(pack, name)
        # A device that takes a pack is on: what a loss of power has left is settled first.
        self.resume()
        self._ended(self.loader.apply(pack), name)

    def confirm(self) -> Status:
        """Confirm the firmware that has been running on trial since the last boot; burn its counter and root."""
        return self._ended(self.loader.confirm())

    def revert(self) -> Status:
        """Drop a pack that waits or is on trial, or go back to the other slot; then boot."""
        error = self.loader.revert()
        if error.result in _NO_WAY_BACK:
            raise LoaderError(
                error, f"{self.folder.path}: the other slot may not boot any more", "keep the running firmware"
            )
        self._ended(error)
        return self.boot()

    def update(self, pack: bytes, name: str = "", confirm: bool = True, tell: Tell = lambda _: None) -> Status:
        """A pack from its check to its confirmation; `tell` gets a line for each step when it is done."""
        info = self.check(pack, name)
        tell(f"checked: {titled(info)}, root {info.root_version}")
        self.apply(pack, name)
        answers = f"{plural(info.answers, 'known answer')} {'is' if info.answers == 1 else 'are'} right"
        tell(f"written and read back; {answers} on {self.core.name}")
        status = self.boot()
        if status.running is None or status.info[status.running].digest != info.digest:
            raise DeviceError(f"{name}: the trial boot failed; the device runs the previous firmware")
        tell(f"booted on trial: slot {status.running}")
        if confirm:
            status = self.confirm()
            tell(f"confirmed: counter {status.counter}")
        return status


def titled(info: PackInfo) -> str:
    """A pack in a line."""
    return f"{info.name} {'.'.join(map(str, info.version))}, counter {info.counter}"


def _boot(loader: Loader, name: str) -> None:
    error = loader.boot()
    if error.result is not Result.NO_FIRMWARE:
        checked(error, name)


@contextlib.contextmanager
def opened(path: Path, engine: EngineName | None = None) -> Iterator[Device]:
    """The device in a folder, this process's alone as long as the block lasts; engine: another than it was made with.

    Raises DeviceError if there is no device or another process is using it.
    """
    with folders.opened(path) as folder:
        yield Device(folder, engine)
