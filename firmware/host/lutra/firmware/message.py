"""Run one message of an algorithm of any kind with arbitrary values, to measure its cost for `bench` and `profile`."""

from __future__ import annotations

import contextlib
from io import BytesIO

from lutra.firmware import aead, crc, crypt, mac, wrap
from lutra.firmware.ciphers import Cipher, Direction, Implementation
from lutra.firmware.errors import InputError
from lutra.firmware.kinds import SEMIBLOCK
from lutra.firmware.session import Session

NONCE_BYTES = 12  # if there is a choice
TAG_BITS = 128


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
    key, data = cipher.any_key, bytes(size)
    if aad_bytes and not cipher.is_aead:
        raise InputError(f"{cipher.name} does not take associated data")
    if cipher.kind.has_polynomial:
        crc.of_pieces(session, cipher, [data])
    elif cipher.kind.module == "mac":
        mac.tag(session, cipher, key, data, before=bytes(cipher.iv_bytes), implementation=implementation)
    elif cipher.wraps_keys:
        wrapped = -(-size // SEMIBLOCK) * SEMIBLOCK + wrap.of(cipher).more
        given = data if direction == "encrypt" else bytes(wrapped)
        wrap.process(session, cipher, direction, key, given, implementation=implementation)
    elif cipher.is_aead:
        _run_aead(session, cipher, direction, size, aad_bytes, implementation)
    else:
        if size % cipher.whole_bytes and not cipher.partial:
            raise InputError(f"{cipher.name} takes multiples of {cipher.whole_bytes} bytes")
        session.set_up(cipher, direction, key, bytes(cipher.iv_bytes), implementation)
        for _ in crypt.stream(session, cipher, direction, BytesIO(data), size=size):
            pass


def _run_aead(
    session: Session,
    cipher: Cipher,
    direction: Direction,
    size: int,
    aad_bytes: int,
    implementation: Implementation | None,
) -> None:
    if aad_bytes % cipher.streams or size % cipher.streams:
        raise InputError(f"{cipher.name} needs {cipher.streams} messages of equal length")
    least, most = cipher.nonce_bytes
    nonce = bytes(min(max(NONCE_BYTES, least), most))
    tag_bits = min(TAG_BITS, cipher.tag_bits)
    tag = bytes(cipher.streams * tag_bits // 8 if direction == "decrypt" else 0)
    session.set_up(cipher, direction, cipher.any_key, implementation=implementation)
    aead.process(session, cipher, direction, nonce, bytes(size) + tag, bytes(aad_bytes), tag_bits)
