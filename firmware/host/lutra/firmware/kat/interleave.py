"""Vectors of one message as vectors of several equal ones, whose units are interleaved."""

from __future__ import annotations

from dataclasses import replace

from lutra.firmware.ciphers import Cipher
from lutra.firmware.kat.vectors import Vector
from lutra.firmware.session import ROW

# Messages of words are interleaved row by row (firmware/README.md).
WORD = 4


def interleaved(vector: Vector, cipher: Cipher) -> Vector | None:
    """The vector for a cipher of several streams; None where its message is not of whole units.

    A keystream is made longer to whole rows: what it is there, the vector does not say.
    """
    unit = ROW if cipher.unit_bytes == WORD else cipher.unit_bytes
    several = cipher.streams
    size = len(vector.plaintext)
    if vector.stated:
        size = -(-size // unit) * unit
    whole_bits = vector.bits is None or vector.bits == 8 * len(vector.plaintext)
    if not size or size % unit or not whole_bits or cipher.is_aead or vector.chains:
        return None

    def spread(data: bytes) -> bytes:
        data = data.ljust(size, b"\0")
        return b"".join(data[at : at + unit] * several for at in range(0, size, unit))

    return replace(
        vector,
        key=vector.key * cipher.keys,
        iv=vector.iv * several,
        plaintext=spread(vector.plaintext),
        ciphertext=spread(vector.ciphertext) if cipher.kind.encrypts else vector.ciphertext * several,
        stated=spread(vector.stated) if vector.stated else b"",
        bits=None,
    )
