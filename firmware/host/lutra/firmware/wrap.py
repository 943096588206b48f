"""Key wrap (SP 800-38F): KW (RFC 3394) and KWP (RFC 5649) on the core's routines, as firmware/common/wrap.inc has them;
that of CMS by 3DES (RFC 3217), firmware/des/des_wrap.s.

The core checks the integrity of an unwrapped key; this module releases nothing before that.
"""

from __future__ import annotations

import secrets

from lutra.firmware.ciphers import Cipher, Direction, Implementation
from lutra.firmware.errors import InputError
from lutra.firmware.kinds import SEMIBLOCK, Wrap
from lutra.firmware.request import Request
from lutra.firmware.session import ROW, Session

# Offsets of A and the text in the output (wrap_a and wrap_r of wrap.inc); the verdict is in row 0.
WRAPPED, TEXT = 0x10, 0x18
ACCEPTED = b"\xff" * ROW


class WrongKeyError(InputError):
    """The check has failed; nothing is released."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}: what was unwrapped is not right: the key is wrong, or the data is damaged")


def of(cipher: Cipher) -> Wrap:
    """Return what is particular to the wrap of a cipher that wraps keys."""
    assert cipher.kind.wrap is not None
    return cipher.kind.wrap


def finds_iv(cipher: Cipher, direction: Direction) -> bool:
    """Whether the IV is in the wrapped key, so that none is taken."""
    return cipher.kind.wrap is not None and not cipher.kind.wrap.iv and direction == "decrypt"


def check(cipher: Cipher, direction: Direction, iv: bytes) -> None:
    """InputError where it does not take an IV of that length; an empty one stands for that of the standard, or for a
    random one."""
    if iv and finds_iv(cipher, direction):
        raise InputError(f"{cipher.name} reads the iv from the wrapped key; leave it out")
    standard = of(cipher).iv
    size = len(standard) or cipher.iv_bytes
    if iv and len(iv) != size:
        other = "the standard's" if standard else "a random"
        raise InputError(f"{cipher.name} takes an iv of {size} bytes, or {other} without one, not of {len(iv)}")


def process(
    session: Session,
    cipher: Cipher,
    direction: Direction,
    key: bytes,
    data: bytes,
    iv: bytes = b"",
    implementation: Implementation | None = None,
) -> bytes:
    """The key in `data` wrapped, or unwrapped. InputError on a wrong length; WrongKeyError where the check fails."""
    check(cipher, direction, iv)
    padded, more = of(cipher).padded, of(cipher).more
    first = iv or of(cipher).iv or secrets.token_bytes(cipher.iv_bytes)
    _check_length((implementation or cipher.default).image.job_bytes, cipher, direction, len(data))
    if direction == "encrypt":
        before = first + (len(data).to_bytes(4, "big") if padded else b"")
        data += bytes(-len(data) % SEMIBLOCK)
    else:
        before = first + ((len(data) - 2 * SEMIBLOCK + 1).to_bytes(4, "big") if padded else b"")
    session.set_up(cipher, direction, key, before, implementation)
    if direction == "encrypt":
        return session.job(data, size=WRAPPED + len(data) + more)[WRAPPED:]
    session.job(data, size=0)
    found = session.call("check", data, TEXT + len(data) - more)
    if found[:ROW] != ACCEPTED:
        raise WrongKeyError(cipher.name)
    size = int.from_bytes(found[TEXT - 4 : TEXT], "big") if padded else len(data) - more
    return found[TEXT : TEXT + size]


def answer(session: Session, request: Request, data: bytes) -> bytes:
    """The result for a whole key."""
    r = request
    return process(session, r.cipher, r.direction, r.key, data, r.iv, r.implementation)


def _check_length(job_bytes: int, cipher: Cipher, direction: Direction, size: int) -> None:
    """Check the length against SP 800-38F 5.3.1, OpenSSL's limits for CMS, and the size of the memories."""
    padded, wrapping, more = of(cipher).padded, direction == "encrypt", of(cipher).more
    least = of(cipher).least
    if not wrapping:
        least += more + -least % SEMIBLOCK
    most = job_bytes - more if wrapping else job_bytes
    step = 1 if padded and wrapping else SEMIBLOCK
    if least <= size <= most and size % step == 0:
        return
    steps = f" in steps of {step}" if step > 1 else ""
    what = "wraps" if wrapping else "unwraps"
    raise InputError(f"{cipher.name} {what} {least} to {most} bytes{steps}, the input has {size}")
