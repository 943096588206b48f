"""CRCs on the processor: a message of any length.

    from lutra.firmware import crc
    value = crc.checksum("crc-32", b"123456789")          # 0xcbf43926

The manifest names some; `of` makes any other of its parameters.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lutra.firmware.manifest import Cipher, catalogue
from lutra.firmware.polynomial import REGISTER_BYTES, Polynomial
from lutra.firmware.request import Request
from lutra.firmware.session import Session
from lutra.iss import engine as engines


def names() -> tuple[str, ...]:
    """The CRCs of the manifest."""
    return tuple(c.name for c in catalogue().of_kind("crc"))


def of(name: str, polynomial: Polynomial, by: Cipher | None = None) -> Cipher:
    """A CRC that the manifest does not name; by: another one whose firmware computes it."""
    return replace(by or catalogue().named(names()[0], "crc"), name=name, polynomial=polynomial)


def checksum(name: str, data: bytes, engine: engines.EngineName = "iss") -> int:
    """CRC of bytes by the algorithm of a name. FirmwareError on an unknown one."""
    return of_pieces(Session(engines.make(engine)), catalogue().named(name, "crc"), [data])


def of_pieces(session: Session, algorithm: Cipher, pieces: Iterable[bytes]) -> int:
    """CRC of a message that comes in pieces of any length."""
    polynomial = algorithm.polynomial
    assert polynomial is not None
    session.set_up(algorithm, "encrypt", b"", polynomial.register(polynomial.init).ljust(algorithm.iv_bytes, b"\0"))
    for piece in pieces:
        for at in range(0, len(piece), session.job_bytes):
            session.job(piece[at : at + session.job_bytes], size=0)
    return polynomial.value(session.state(REGISTER_BYTES))


def answer(session: Session, request: Request, data: bytes) -> bytes:
    """The value for a whole message, its first byte the most significant one."""
    polynomial = request.cipher.polynomial
    assert polynomial is not None
    return of_pieces(session, request.cipher, [data]).to_bytes(-(-polynomial.width // 8), "big")
