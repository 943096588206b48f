"""Key wrap (SP 800-38F): KW (RFC 3394) and KWP (RFC 5649) on the core's routines, as firmware/common/wrap.inc has them.

Whether what was unwrapped is right the core says; nothing of it leaves this module before.
"""

from __future__ import annotations

from lutra.firmware.ciphers import Cipher, Direction, Implementation
from lutra.firmware.errors import InputError
from lutra.firmware.session import ROW, Session

SEMIBLOCK = 8
# What the checks begin with: ICV1 and ICV2 (SP 800-38F 6.2 and 6.3), which a caller may replace.
DEFAULTS = {"kw": b"\xa6" * 8, "kwp": bytes.fromhex("a65959a6")}
# Where the output has A and the text (wrap_a and wrap_r of wrap.inc); the verdict is in row 0.
WRAPPED, TEXT = 0x10, 0x18
ACCEPTED = b"\xff" * ROW


class WrongKeyError(InputError):
    """The check has failed; nothing is released."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}: what was unwrapped is not right: the key is wrong, or the data is damaged")


def check(cipher: Cipher, iv: bytes) -> None:
    """InputError where it does not take an IV of that length; an empty one stands for that of the standard."""
    size = len(DEFAULTS[cipher.kind])
    if iv and len(iv) != size:
        raise InputError(f"{cipher.name} takes an iv of {size} bytes, or the standard's without one, not of {len(iv)}")


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
    check(cipher, iv)
    padded = cipher.kind == "kwp"
    first = iv or DEFAULTS[cipher.kind]
    _check_length((implementation or cipher.default).image.job_bytes, cipher, direction, len(data))
    if direction == "encrypt":
        before = first + (len(data).to_bytes(4, "big") if padded else b"")
        data += bytes(-len(data) % SEMIBLOCK)
    else:
        before = first + ((len(data) - 2 * SEMIBLOCK + 1).to_bytes(4, "big") if padded else b"")
    session.set_up(cipher, direction, key, before, implementation)
    if direction == "encrypt":
        return session.job(data, size=WRAPPED + len(data) + SEMIBLOCK)[WRAPPED:]
    session.job(data, size=0)
    found = session.call("check", data, TEXT + len(data) - SEMIBLOCK)
    if found[:ROW] != ACCEPTED:
        raise WrongKeyError(cipher.name)
    size = int.from_bytes(found[TEXT - 4 : TEXT], "big") if padded else len(data) - SEMIBLOCK
    return found[TEXT : TEXT + size]


def _check_length(job_bytes: int, cipher: Cipher, direction: Direction, size: int) -> None:
    """What SP 800-38F 5.3.1 allows, as far as memories hold it."""
    padded, wrapping = cipher.kind == "kwp", direction == "encrypt"
    least = (1 if padded else 2 * SEMIBLOCK) if wrapping else (2 if padded else 3) * SEMIBLOCK
    most = job_bytes - SEMIBLOCK if wrapping else job_bytes
    step = 1 if padded and wrapping else SEMIBLOCK
    if least <= size <= most and size % step == 0:
        return
    steps = f" in steps of {step}" if step > 1 else ""
    what = "wraps" if wrapping else "unwraps"
    raise InputError(f"{cipher.name} {what} {least} to {most} bytes{steps}, the input has {size}")
