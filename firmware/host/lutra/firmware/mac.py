"""Message authentication codes: messages of any number of bits, as jobs that continue the core's chaining value.

The core computes the tag; a tag that came with a message is compared here, in constant time.
"""

from __future__ import annotations

import hmac
from pathlib import Path

from lutra.firmware.ciphers import Cipher, Implementation
from lutra.firmware.errors import InputError
from lutra.firmware.lte import initial_vector
from lutra.firmware.manifest import known
from lutra.firmware.request import Request
from lutra.firmware.session import ROW, Session, check_lengths
from lutra.iss import engine as engines

# LENGTH of 128-EIA3 has 32 bits (TS 35.221 4.2). That of f9 has 64, but its firmware counts in a lane of 32.
LTE_BITS = 2**32 - 1
# The shortest tag that `lutra mac --verify` takes: a guess succeeds once in 2^32 (SP 800-38B, Appendix A; 3GPP).
LEAST_TAG_BITS = 32


def mac(
    name: str,
    key: bytes,
    message: bytes,
    bits: int | None = None,
    engine: engines.EngineName = "iss",
    iv: bytes = b"",
    manifest: Path | str | None = None,
    **lte: int,
) -> bytes:
    """MAC of a message by the algorithm of a name (`aes-128-cmac`), or of its first `bits` bits.

    iv: of an algorithm that takes one. manifest: of own firmware, or its folder. lte: inputs of a 3GPP algorithm, such
    as count, bearer and direction.
    FirmwareError on an unknown name, InputError on a wrong length, ValueError on wrong inputs.
    """
    algorithm = known(manifest).mac(name)
    if algorithm.lte and iv:
        raise InputError(f"{algorithm.name} derives its iv from its other inputs; leave iv out")
    before = initial_vector(algorithm.lte, **lte) if algorithm.lte else iv
    check_lengths(algorithm, key, before[: algorithm.iv_bytes] if algorithm.lte else iv)
    return tag(Session(engines.make(engine)), algorithm, key, message, bits, before)


def answer(session: Session, request: Request, data: bytes) -> bytes:
    """The tags of a whole message."""
    r = request
    return tag(session, r.cipher, r.key, data, r.bits, r.iv, r.implementation)


def tag(
    session: Session,
    algorithm: Cipher,
    key: bytes,
    message: bytes,
    bits: int | None = None,
    before: bytes = b"",
    implementation: Implementation | None = None,
) -> bytes:
    """The whole tag of a message of `bits` bits.

    before: the initial vector of an algorithm that has one, of others what the MAC takes in front of the message.
    Of an algorithm with several streams, whose messages are interleaved block by block in `message`, the tags one after
    the other.
    """
    length = 8 * len(message) if bits is None else bits
    if not 0 <= length <= 8 * len(message):
        raise InputError(f"the message has {8 * len(message)} bits, not {length}")
    if algorithm.lte and length > LTE_BITS:
        raise InputError(f"{algorithm.name} takes messages of up to {LTE_BITS} bits, not of {length}")
    if algorithm.iv_bytes:
        session.set_up(algorithm, "encrypt", key, before, implementation)
        before = b""
    else:
        session.set_up(algorithm, "encrypt", key, implementation=implementation)
        session.restart(bytes(algorithm.streams * ROW))
    data = before + message[: (length + 7) // 8]
    left = 8 * len(before) + length
    at = 0
    # The last job has at least one bit, except for the empty message.
    while left > 8 * session.job_bytes:
        session.call("update", data[at : at + session.job_bytes])
        at += session.job_bytes
        left -= 8 * session.job_bytes
    return session.job(data[at:], left, size=algorithm.streams * algorithm.tag_bits // 8)


def check_tag(algorithm: Cipher, tag_bits: int) -> None:
    """Raise InputError if the algorithm does not allow a tag of this length."""
    if not 0 < tag_bits <= algorithm.tag_bits or tag_bits % 8:
        most = algorithm.tag_bits
        raise InputError(f"tag of {tag_bits} bits; {algorithm.name} allows multiples of 8 up to {most}")


def verify(
    session: Session,
    algorithm: Cipher,
    key: bytes,
    message: bytes,
    given: bytes,
    bits: int | None = None,
    before: bytes = b"",
    implementation: Implementation | None = None,
) -> bool:
    """Whether `given` is the tag of the message, or the first bytes of it; of several streams, of each of them.

    The comparison takes the same time wherever a difference is. How short a tag may be is the caller's to say;
    InputError where no tag has this length. Other arguments as of `tag`.
    """
    size = len(given) // algorithm.streams
    check_tag(algorithm, 8 * size)
    if len(given) % algorithm.streams:
        raise InputError(f"{algorithm.name} has {algorithm.streams} tags of equal length, not {len(given)} bytes")
    tags = tag(session, algorithm, key, message, bits, before, implementation)
    right = b"".join(tags[at : at + size] for at in range(0, len(tags), algorithm.tag_bits // 8))
    return hmac.compare_digest(right, given)
