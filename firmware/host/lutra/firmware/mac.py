"""Message authentication codes: messages of any number of bits, as jobs that go on in the core's chaining value."""

from __future__ import annotations

from lutra.firmware.ciphers import Cipher, Implementation
from lutra.firmware.errors import FirmwareError
from lutra.firmware.lte import initial_vector
from lutra.firmware.manifest import catalogue
from lutra.firmware.session import ROW, Session
from lutra.iss import engine as engines

# LENGTH of 128-EIA3 has 32 bits (TS 35.221 4.2). That of f9 has 64, but its firmware counts in a lane of 32.
LTE_BITS = 2**32 - 1


def mac(
    name: str, key: bytes, message: bytes, bits: int | None = None, engine: engines.EngineName = "iss", **lte: int
) -> bytes:
    """MAC of a message by the algorithm of a name (`aes-128-cmac`), or of its first `bits` bits.

    lte: inputs of a 3GPP algorithm, such as count, bearer and direction. FirmwareError on a wrong length, ValueError on
    wrong inputs.
    """
    algorithm = catalogue().mac(name)
    before = initial_vector(algorithm.lte, **lte) if algorithm.lte else b""
    return tag(Session(engines.make(engine)), algorithm, key, message, bits, before)


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
        raise FirmwareError(f"the message has {8 * len(message)} bits, not {length}")
    if algorithm.lte and length > LTE_BITS:
        raise FirmwareError(f"{algorithm.name} takes messages of up to {LTE_BITS} bits, not of {length}")
    if algorithm.iv_bytes:
        session.set_up(algorithm, "encrypt", key, before, implementation)
        before = b""
    else:
        session.set_up(algorithm, "encrypt", key, implementation=implementation)
        session.restart(bytes(algorithm.streams * ROW))
    data = before + message[: (length + 7) // 8]
    left = 8 * len(before) + length
    at = 0
    # The last job has at least a bit, but for the empty message.
    while left > 8 * session.job_bytes:
        session.call("update", data[at : at + session.job_bytes])
        at += session.job_bytes
        left -= 8 * session.job_bytes
    return session.job(data[at:], left, size=algorithm.streams * algorithm.tag_bits // 8)
