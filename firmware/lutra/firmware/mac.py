"""Message authentication codes: messages of any number of bits, as jobs that go on in the core's chaining value."""

from __future__ import annotations

from lutra import engine as engines
from lutra.firmware.errors import FirmwareError
from lutra.firmware.lte import initial_vector
from lutra.firmware.manifest import Cipher, catalogue
from lutra.firmware.session import ROW, Session


def mac(
    name: str, key: bytes, message: bytes, bits: int | None = None, engine: engines.EngineName = "iss", **lte: int
) -> bytes:
    """MAC of a message by the algorithm of a name (`aes-128-cmac`), or of its first `bits` bits.

    lte: count, bearer and direction of an LTE algorithm. FirmwareError on a wrong length.
    """
    algorithm = catalogue().mac(name)
    session = Session(engines.make(engine))
    session.set_up(algorithm, "encrypt", key)
    before = initial_vector(algorithm.lte, **lte) if algorithm.lte else b""
    return tag(session, algorithm, message, bits, before)


def tag(session: Session, algorithm: Cipher, message: bytes, bits: int | None = None, before: bytes = b"") -> bytes:
    """The whole tag of `before` and a message of `bits` bits, on a session that is set up for the algorithm."""
    length = 8 * len(message) if bits is None else bits
    if not 0 <= length <= 8 * len(message):
        raise FirmwareError(f"the message has {8 * len(message)} bits, not {length}")
    data = before + message[: (length + 7) // 8]
    left = 8 * len(before) + length
    session.restart(bytes(ROW))
    at = 0
    # The last job has at least a bit, but for the empty message.
    while left > 8 * session.job_bytes:
        session.call("update", data[at : at + session.job_bytes])
        at += session.job_bytes
        left -= 8 * session.job_bytes
    return session.job(data[at:], left, size=algorithm.tag_bits // 8)
