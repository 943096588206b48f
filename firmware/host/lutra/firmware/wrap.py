"""Key wrap (SP 800-38F): KW (RFC 3394) and KWP (RFC 5649) on the core's routines, as firmware/common/wrap.inc has them;
that of CMS by 3DES (RFC 3217), firmware/des/des_wrap.s.

The core checks the integrity of an unwrapped key; this module releases nothing before that.
"""

from __future__ import annotations

import secrets

from lutra.firmware.ciphers import Cipher, Direction, Implementation
from lutra.firmware.errors import InputError
from lutra.firmware.session import ROW, Session

SEMIBLOCK = 8
# Integrity check values: ICV1 and ICV2 (SP 800-38F 6.2 and 6.3), which a caller may replace.
DEFAULTS = {"kw": b"\xa6" * 8, "kwp": bytes.fromhex("a65959a6")}
# Bytes that a wrapped key has in addition to the key: A; the IV and the checksum of CMS.
MORE = {"kw": SEMIBLOCK, "kwp": SEMIBLOCK, "cmskw": 2 * SEMIBLOCK}
# The least number of semiblocks of a key.
LEAST = {"kw": 2, "kwp": 1, "cmskw": 1}
# Offsets of A and the text in the output (wrap_a and wrap_r of wrap.inc); the verdict is in row 0.
WRAPPED, TEXT = 0x10, 0x18
ACCEPTED = b"\xff" * ROW


class WrongKeyError(InputError):
    """The check has failed; nothing is released."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}: what was unwrapped is not right: the key is wrong, or the data is damaged")


def finds_iv(cipher: Cipher, direction: Direction) -> bool:
    """Whether the IV is in the wrapped key, so that none is taken."""
    return cipher.kind == "cmskw" and direction == "decrypt"


def check(cipher: Cipher, direction: Direction, iv: bytes) -> None:
    """InputError where it does not take an IV of that length; an empty one stands for that of the standard, or for a
    random one."""
    if iv and finds_iv(cipher, direction):
        raise InputError(f"{cipher.name} reads the iv from the wrapped key; leave it out")
    default = DEFAULTS.get(cipher.kind)
    size = cipher.iv_bytes if default is None else len(default)
    if iv and len(iv) != size:
        other = "a random" if default is None else "the standard's"
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
    padded, more = cipher.kind == "kwp", MORE[cipher.kind]
    first = iv or DEFAULTS.get(cipher.kind) or secrets.token_bytes(cipher.iv_bytes)
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


def _check_length(job_bytes: int, cipher: Cipher, direction: Direction, size: int) -> None:
    """Check the length against SP 800-38F 5.3.1, OpenSSL's limits for CMS, and the size of the memories."""
    padded, wrapping, more = cipher.kind == "kwp", direction == "encrypt", MORE[cipher.kind]
    least = LEAST[cipher.kind] * SEMIBLOCK
    least = (1 if padded else least) if wrapping else least + more
    most = job_bytes - more if wrapping else job_bytes
    step = 1 if padded and wrapping else SEMIBLOCK
    if least <= size <= most and size % step == 0:
        return
    steps = f" in steps of {step}" if step > 1 else ""
    what = "wraps" if wrapping else "unwraps"
    raise InputError(f"{cipher.name} {what} {least} to {most} bytes{steps}, the input has {size}")
