"""Run jobs on a device: the algorithms of its firmware, called as their pack describes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO

from lutra.firmware import aead, crc, crypt, mac, wrap
from lutra.firmware.ciphers import Cipher, Direction, ImageSource
from lutra.firmware.device.device import Device
from lutra.firmware.device.errors import DeviceError
from lutra.firmware.errors import InputError
from lutra.firmware.kinds import Module
from lutra.firmware.pack import format as packs
from lutra.firmware.pack import opened
from lutra.firmware.session import Session, check_lengths


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
        numbers = {algorithm.name: algorithm.image for algorithm in contents.manifest.algorithms}
        self._numbers = {c.default.image: numbers[c.name] for c in self.catalogue.ciphers}

    def _load(self, source: ImageSource) -> None:
        self._device.load(self._numbers[source])


@dataclass(frozen=True)
class Request:
    """A job for an algorithm. aad: associated data of an AEAD mode. pad: with PKCS#7."""

    cipher: Cipher
    direction: Direction
    key: bytes
    iv: bytes = b""
    aad: bytes = b""
    pad: bool = False

    def check(self) -> None:
        """FirmwareError where the algorithm does not take this."""
        cipher = self.cipher
        cipher.check_direction(self.direction)
        if self.aad or cipher.is_aead:
            aead.check(cipher, self.iv, cipher.tag_bits)
        if self.pad:
            crypt.check_plain(cipher)
            crypt.check_padding(cipher, self.pad)
        if cipher.wraps_keys:
            wrap.check(cipher, self.direction, self.iv)
        if self.iv and cipher.kind.has_polynomial:
            raise InputError(f"{cipher.name} does not take an iv; leave it out")
        # The nonce of an AEAD mode and the IV of key wrap are checked above, and the host sets the register of a CRC.
        check_lengths(cipher, self.key, self.iv if cipher.kind.module in _TAKE_IV else bytes(cipher.iv_bytes))


def process(session: Session, request: Request, data: bytes) -> bytes:
    """A whole message: ciphertext or plaintext, the tag of a MAC, the value of a CRC.

    InputError where the algorithm does not take this request or this message.
    """
    request.check()
    return _MODULES[request.cipher.kind.module](session, request, data)


def _crypt(session: Session, r: Request, data: bytes) -> bytes:
    session.set_up(r.cipher, r.direction, r.key, r.iv)
    return b"".join(crypt.stream(session, r.cipher, r.direction, BytesIO(data), r.pad, len(data)))


def _aead(session: Session, r: Request, data: bytes) -> bytes:
    session.set_up(r.cipher, r.direction, r.key)
    return aead.process(session, r.cipher, r.direction, r.iv, data, r.aad, r.cipher.tag_bits)


def _wrap(session: Session, r: Request, data: bytes) -> bytes:
    return wrap.process(session, r.cipher, r.direction, r.key, data, r.iv)


def _mac(session: Session, r: Request, data: bytes) -> bytes:
    return mac.tag(session, r.cipher, r.key, data, before=r.iv)


def _crc(session: Session, r: Request, data: bytes) -> bytes:
    assert r.cipher.polynomial is not None
    return crc.of_pieces(session, r.cipher, [data]).to_bytes(-(-r.cipher.polynomial.width // 8), "big")


_MODULES: dict[Module, Callable[[Session, Request, bytes], bytes]] = {
    "crypt": _crypt,
    "aead": _aead,
    "wrap": _wrap,
    "mac": _mac,
    "crc": _crc,
}
_TAKE_IV: tuple[Module, ...] = ("crypt", "mac")
