"""Run jobs on a device: the algorithms of its firmware, called as their pack describes."""

from __future__ import annotations

from lutra.firmware import message
from lutra.firmware.ciphers import ImageSource
from lutra.firmware.device.device import Device
from lutra.firmware.device.errors import DeviceError
from lutra.firmware.pack import format as packs
from lutra.firmware.pack import opened
from lutra.firmware.request import Request
from lutra.firmware.session import Session


class DeviceSession(Session):
    """A session on what a device runs, which is booted where nothing runs yet; images come from its loader.

    catalogue: the algorithms. Raises DeviceError if there is no firmware.
    """

    def __init__(self, device: Device) -> None:
        running = device.resume().running
        if running is None:
            raise DeviceError(f"{device.folder.path}: has no firmware; install some with `lutra patch apply`")
        super().__init__(device.core.engine)
        self._device = device
        contents = packs.contents(packs.decode(device.pack(running)))
        self.catalogue = opened.catalogue(contents, device.folder.path)
        calls = {algorithm.name: algorithm.calls for algorithm in contents.manifest.algorithms}
        self._numbers = {
            implementation.image: call.image
            for cipher in self.catalogue.ciphers
            for implementation, call in zip(cipher.implementations, calls[cipher.name], strict=True)
        }

    def _load(self, source: ImageSource) -> None:
        self._device.load(self._numbers[source])


def process(session: Session, request: Request, data: bytes) -> bytes:
    """A whole message: ciphertext or plaintext, the tag of a MAC, the value of a CRC.

    InputError where the algorithm does not take this request or this message.
    """
    message.check(request)
    return message.answer(session, request, data)
