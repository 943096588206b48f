"""Concrete messages of authenticated encryption on which the simulator and a specification differ."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lutra.firmware import aead
from lutra.firmware.aead import WrongTagError
from lutra.firmware.ciphers import Cipher
from lutra.firmware.errors import FirmwareError
from lutra.firmware.request import Request
from lutra.firmware.session import Session
from lutra.prove.sections import Message, evaluated

# Bytes of nonce, associated data and text, and of the tag.
LENGTHS = ((12, 0, 16, 16), (20, 5, 0, 16), (12, 32, 21, 16), (12, 0, 64, 12), (20, 53, 83, 16), (12, 20, 175, 8))


@dataclass(frozen=True)
class Sealed:
    """A message, and what comes of it. wrong: its tag is."""

    key: bytes
    nonce: bytes
    aad: bytes
    data: bytes
    expected: bytes
    tag_bytes: int
    wrong: bool = False


def messages(cipher: Cipher, decrypts: bool, encryption: Message, key: bytes, rng: random.Random) -> Iterator[Sealed]:
    """Yield random messages under a key. encryption: the specification of it."""
    assert cipher.kind.aead is not None
    legal = aead.legal_tags(cipher, cipher.kind.aead)
    for nonce_bytes, aad_bytes, text_bytes, tag_bytes in LENGTHS:
        tag_bytes = tag_bytes if 8 * tag_bytes in legal else legal[-1] // 8
        least, most = cipher.nonce_bytes
        nonce = rng.randbytes(max(least, min(nonce_bytes, most)))
        aad, text = rng.randbytes(aad_bytes if cipher.associated else 0), rng.randbytes(text_bytes)
        sealed = seal(encryption, nonce, aad, text, tag_bytes)
        if not decrypts:
            yield Sealed(key, nonce, aad, text, sealed, tag_bytes)
            continue
        yield (right := Sealed(key, nonce, aad, sealed, text, tag_bytes))
        at = rng.randrange(8 * len(sealed))
        damaged = (int.from_bytes(sealed, "big") ^ 1 << at).to_bytes(len(sealed), "big")
        yield replace(right, data=damaged, expected=b"", wrong=True)


def seal(encryption: Message, nonce: bytes, aad: bytes, text: bytes, tag_bytes: int) -> bytes:
    """Ciphertext and tag by a specification of encryption."""
    result = evaluated(encryption, nonce, aad, text, b"", tag_bytes)
    return result.output + result.finish[:tag_bytes]


def unseal(decryption: Message, nonce: bytes, aad: bytes, data: bytes, tag_bytes: int) -> bytes | None:
    """The plaintext by a specification of decryption; None where the tag is wrong."""
    text, tag = data[: len(data) - tag_bytes], data[len(data) - tag_bytes :]
    result = evaluated(decryption, nonce, aad, text, tag, tag_bytes)
    return result.output if result.finish == b"\xff" * 16 else None


def differing(session: Session, request: Request, of: Iterator[Sealed]) -> Iterator[tuple[Sealed, bytes, str]]:
    """Yield messages on which the simulator differs: what it makes of them, or what it says."""
    for sealed in of:
        got, says = _answer(session, request, sealed)
        accepted = not isinstance(says, WrongTagError)
        right = not accepted if sealed.wrong else says is None and got == sealed.expected
        if not right:
            yield sealed, got, "a wrong tag is accepted" if sealed.wrong and says is None else str(says or "")


def _answer(session: Session, request: Request, sealed: Sealed) -> tuple[bytes, FirmwareError | None]:
    r, s = request, sealed
    try:
        session.set_up(r.cipher, r.direction, s.key, implementation=r.implementation)
        return aead.process(session, r.cipher, r.direction, s.nonce, s.data, s.aad, 8 * s.tag_bytes), None
    except FirmwareError as error:
        if not isinstance(error, WrongTagError):
            session.forget()
        return b"", error
