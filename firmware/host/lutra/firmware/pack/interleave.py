"""Vectors of one message as vectors of several equal ones, whose units are interleaved."""

from __future__ import annotations

from dataclasses import replace

from lutra.firmware.ciphers import Cipher
from lutra.firmware.kat import Vector
from lutra.firmware.session import ROW

# Messages of words are interleaved row by row (firmware/README.md).
WORD = 4


def interleaved(vector: Vector, cipher: Cipher) -> Vector | None:
    """The vector for a cipher of several streams; None where its message is not of whole units.

    A keystream is made longer to whole rows: what it is there, the vector does not say.
    """
    unit = ROW if cipher.unit_bytes == WORD else cipher.unit_bytes
    text = vector.plaintext
    if vector.pieces:
        text = text.ljust(-(-len(text) // unit) * unit, b"\0")
    whole_bits = vector.bits is None or vector.bits == 8 * len(text)
    if not text or len(text) % unit or not whole_bits or cipher.is_aead:
        return None
    several = cipher.streams

    def spread(data: bytes) -> bytes:
        return b"".join(data[at : at + unit] * several for at in range(0, len(data), unit))

    pieces = tuple(
        (several * unit * (at // unit) + unit * stream + at % unit, bytes([byte]))
        for offset, data in vector.pieces
        for at, byte in enumerate(data, offset)
        for stream in range(several)
    )
    is_mac = cipher.kind == "mac"
    return replace(
        vector,
        iv=vector.iv * several,
        plaintext=spread(text),
        ciphertext=vector.ciphertext if is_mac else spread(vector.ciphertext),
        pieces=pieces,
        bits=None,
    )
