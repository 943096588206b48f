"""One message for an algorithm of any kind: check what is requested, process it, and measure its cost."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping

from lutra.firmware import aead, crc, crypt, mac, wrap
from lutra.firmware.ciphers import Cipher, Direction, Implementation
from lutra.firmware.errors import InputError
from lutra.firmware.kinds import SEMIBLOCK, Module
from lutra.firmware.request import Request
from lutra.firmware.session import Session, check_lengths

NONCE_BYTES = 12  # if there is a choice
TAG_BITS = 128


# Modules in which the host hands an IV to the session.
TAKE_IV: tuple[Module, ...] = ("crypt", "mac")
ANSWERS: Mapping[Module, Callable[[Session, Request, bytes], bytes]] = {
    "crypt": crypt.answer,
    "aead": aead.answer,
    "wrap": wrap.answer,
    "mac": mac.answer,
    "crc": crc.answer,
}


def check(request: Request) -> None:
    """FirmwareError where the algorithm does not take this."""
    cipher = request.cipher
    cipher.check_direction(request.direction)
    if request.aad or cipher.is_aead:
        aead.check(cipher, request.iv, request.tag_length)
    if request.pad:
        crypt.check_plain(cipher)
        crypt.check_padding(cipher, request.pad)
    if cipher.wraps_keys:
        wrap.check(cipher, request.direction, request.iv)
    if request.iv and cipher.kind.has_polynomial:
        raise InputError(f"{cipher.name} does not take an iv; leave it out")
    # The nonce of an AEAD mode and the IV of key wrap are checked above, and the host sets the register of a CRC.
    check_lengths(cipher, request.key, request.iv if cipher.kind.module in TAKE_IV else bytes(cipher.iv_bytes))


def answer(session: Session, request: Request, data: bytes) -> bytes:
    """The result of a whole message: ciphertext or plaintext, the tag of a MAC, the value of a CRC.

    InputError where the algorithm does not take this message.
    """
    return ANSWERS[request.cipher.kind.module](session, request, data)


def fitting(cipher: Cipher) -> int:
    """Bytes of the longest message that is one job of text."""
    size = cipher.default.image.job_bytes - (cipher.kind.wrap.more if cipher.kind.wrap else 0)
    return size - size % cipher.whole_bytes


def run(
    session: Session,
    cipher: Cipher,
    direction: Direction = "encrypt",
    size: int = 0,
    aad: int = 0,
    implementation: Implementation | None = None,
) -> int:
    """Cycles of a message of `size` bytes and `aad` bytes of associated data: its begin, data, text, and tag.

    Tables, key schedule, and the start that a stream cipher makes of its IV are those of the session's set-up and do
    not count. size: of the text, of several streams all together; of a key that is wrapped its own. InputError where
    the algorithm takes no such message.
    """
    before = session.usage.cycles
    # A wrong tag or wrapped key takes the cycles of a right one.
    with contextlib.suppress(aead.WrongTagError, wrap.WrongKeyError):
        _run(session, cipher, direction, size, aad, implementation)
    return session.usage.cycles - before


def _run(
    session: Session,
    cipher: Cipher,
    direction: Direction,
    size: int,
    aad_bytes: int,
    implementation: Implementation | None,
) -> None:
    if aad_bytes and not cipher.is_aead:
        raise InputError(f"{cipher.name} does not take associated data")
    iv = bytes(cipher.iv_bytes) if cipher.kind.module in TAKE_IV else b""
    tag_bits = min(TAG_BITS, cipher.tag_bits)
    given = size
    if cipher.is_aead:
        if aad_bytes % cipher.streams or size % cipher.streams:
            raise InputError(f"{cipher.name} needs {cipher.streams} messages of equal length")
        least, most = cipher.nonce_bytes
        iv = bytes(min(max(NONCE_BYTES, least), most))
        given += cipher.streams * tag_bits // 8 if direction == "decrypt" else 0
    elif cipher.wraps_keys and direction == "decrypt":
        given = -(-size // SEMIBLOCK) * SEMIBLOCK + wrap.of(cipher).more
    elif cipher.kind.is_plain and size % cipher.whole_bytes and not cipher.partial:
        raise InputError(f"{cipher.name} takes multiples of {cipher.whole_bytes} bytes")
    request = Request(
        cipher, direction, cipher.any_key, iv, bytes(aad_bytes), tag_bits=tag_bits, implementation=implementation
    )
    answer(session, request, bytes(given))
