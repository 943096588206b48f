"""Messages of any size, as a stream of jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from lutra.firmware.ciphers import Cipher, Direction
from lutra.firmware.errors import FirmwareError, InputError
from lutra.firmware.manifest import known
from lutra.firmware.request import Request
from lutra.firmware.segments import check_left, check_segment, left
from lutra.firmware.session import Session
from lutra.iss import engine as engines

# PKCS#7 counts its padding in one byte (RFC 5652 6.3).
MOST_PADDING = 255


def encrypt(
    name: str,
    key: bytes,
    data: bytes,
    iv: bytes = b"",
    pad: bool = False,
    engine: engines.EngineName = "iss",
    manifest: Path | str | None = None,
) -> bytes:
    """Encrypt bytes with the cipher of a name (`aes-128-ctr`).

    pad: PKCS#7. manifest: of own firmware, or its folder. FirmwareError on a wrong length.
    """
    return _alone(Request(known(manifest).cipher(name), "encrypt", key, iv, pad=pad), data, engine)


def decrypt(
    name: str,
    key: bytes,
    data: bytes,
    iv: bytes = b"",
    pad: bool = False,
    engine: engines.EngineName = "iss",
    manifest: Path | str | None = None,
) -> bytes:
    """The inverse of `encrypt`; FirmwareError where the padding is wrong."""
    return _alone(Request(known(manifest).cipher(name), "decrypt", key, iv, pad=pad), data, engine)


def _alone(request: Request, data: bytes, engine: engines.EngineName) -> bytes:
    """A message on a session of its own."""
    check_plain(request.cipher)
    check_distinct_keys(request.cipher, request.direction, request.key)
    check_segment(request.cipher, request.iv)
    return answer(Session(engines.make(engine)), request, data)


def answer(session: Session, request: Request, data: bytes) -> bytes:
    """The result of a whole message."""
    r = request
    check_left(r.cipher.name, left(r.iv), len(data))
    session.set_up(r.cipher, r.direction, r.key, r.iv, r.implementation)
    return b"".join(stream(session, r.cipher, r.direction, BytesIO(data), r.pad, len(data), bits=r.bits))


def stream(
    session: Session,
    cipher: Cipher,
    direction: Direction,
    source: BinaryIO,
    pad: bool = False,
    size: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
    bits: int | None = None,
) -> Iterator[bytes]:
    """Yield the results of a message read from `source`, piece by piece, on a session that is set up for it.

    size: of the input where it is known, so that a wrong length is found before any work. progress: called with the
    number of input bytes done. bits: of the input that count, where the cipher takes any number; unused bits of the
    last byte of the result are zero, and what follows is left out. InputError on a length that the mode cannot take,
    and on wrong padding.
    """
    unit = cipher.unit_bytes
    check_plain(cipher)
    check_padding(cipher, pad)
    left = bits
    if left is not None:
        data = source.read((left + 7) // 8)
        if left > 8 * len(data):
            raise InputError(f"the input has {8 * len(data)} bits, not {left}")
        if left < 8 * cipher.least_bytes:
            raise InputError(f"{cipher.name} takes {8 * cipher.least_bytes} bits or more, not {left}")
        source = BytesIO(data)
    padding = pad and direction == "encrypt"
    unpadding = pad and direction == "decrypt"
    if size is not None and not padding:
        _check_whole(cipher, size, unpadding)
    done, held = 0, b""
    for chunk, last in jobs(source, session.job_bytes, unit * session.last_units):
        done += len(chunk)
        if last and padding:
            count = unit - len(chunk) % unit
            chunk += bytes([count]) * count
        elif last:
            _check_whole(cipher, done, unpadding)
        # Padding may lengthen a full chunk beyond one job.
        for start in range(0, len(chunk), session.job_bytes):
            piece = chunk[start : start + session.job_bytes]
            piece_bits = None if left is None else min(left, 8 * len(piece))
            result = held + session.job(piece, piece_bits, last=last)
            left = None if left is None or piece_bits is None else left - piece_bits
            held = result[-unit:] if unpadding else b""
            yield result[: len(result) - len(held)]
        progress(done)
    if unpadding:
        yield _unpadded(held)


def jobs(source: BinaryIO, most: int, keep: int) -> Iterator[tuple[bytes, bool]]:
    """A message in jobs of up to `most` bytes, and whether one is the last, which has more than `keep` bytes if the
    message has. Of an empty message it is empty."""
    held = b""
    while True:
        held += source.read(most + keep + 1 - len(held))
        if len(held) <= most:
            yield held, True
            return
        size = most if len(held) > most + keep else most - keep
        yield held[:size], False
        held = held[size:]


def check_plain(cipher: Cipher) -> None:
    """Raise FirmwareError for a mode with a tag, which must be checked before any plaintext is released."""
    if not cipher.kind.is_plain:
        raise FirmwareError(f"{cipher.name} has a tag or an integrity check; use lutra.firmware.{cipher.kind.module}")


def check_distinct_keys(cipher: Cipher, direction: Direction, key: bytes) -> None:
    """InputError where the keys that an encryption takes are equal. A session takes them: examples of IEEE 1619 do."""
    count = cipher.distinct_keys
    size = len(key) // count if count else 0
    if direction == "encrypt" and len({key[at * size : (at + 1) * size] for at in range(count)}) < count:
        raise InputError(f"{cipher.name} needs {count} different keys, but two are equal; generate each at random")


def check_padding(cipher: Cipher, pad: bool) -> None:
    """FirmwareError where padding is asked of a mode that has none."""
    if pad and cipher.wraps_keys:
        raise FirmwareError(f"{cipher.name} wraps keys and does not use PKCS#7 padding; leave out --pad")
    if pad and cipher.partial:
        raise FirmwareError(f"{cipher.name} takes any length and needs no padding; leave out --pad")
    if pad and cipher.unit_bytes > MOST_PADDING:
        raise FirmwareError(
            f"PKCS#7 pads at most {MOST_PADDING} bytes, {cipher.name} has a {cipher.unit}; leave out --pad"
        )
    if pad and cipher.streams > 1:
        raise FirmwareError(f"{cipher.name} interleaves {cipher.streams} messages and cannot pad them; leave out --pad")


def _check_whole(cipher: Cipher, size: int, unpadding: bool) -> None:
    if size < cipher.least_bytes:
        raise InputError(f"{cipher.name} takes {cipher.least_bytes} bytes or more, the input has {size}")
    if size % cipher.whole_bytes and not cipher.partial:
        remedy = "padded data has whole blocks, so this was cut" if unpadding else "use --pad, or a mode such as ctr"
        if cipher.streams > 1:
            remedy = f"its {cipher.streams} messages have as many {cipher.unit}s each, which are interleaved"
        raise InputError(f"{cipher.name} takes multiples of {cipher.whole_bytes} bytes, the input has {size}; {remedy}")
    if unpadding and size == 0:
        raise InputError("the input is empty, but padded data never is")


def _unpadded(block: bytes) -> bytes:
    count = block[-1]
    if not 1 <= count <= len(block) or block[-count:] != bytes([count]) * count:
        raise InputError("wrong padding: wrong key or iv, or corrupted data")
    return block[:-count]
