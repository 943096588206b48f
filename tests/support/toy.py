"""The toy cipher of `verification/uvm/soc/toy/toy.s` in Python."""

from __future__ import annotations

from pathlib import Path

from lutra.asm import Image
from lutra.soc.operations import load

FIRMWARE = load("toy", Path(__file__).parents[2] / "verification" / "uvm" / "soc" / "toy" / "toy.toml")
# Fields of their registers, by name.
OPERATIONS = {
    operation.name: {"class": operation.key_class} | dict.fromkeys(operation.flags, 1)
    for operation in FIRMWARE.operations.values()
}
ROW = 16


def image() -> Image:
    """Return the assembled routines."""
    return FIRMWARE.image


def xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def rows(data: bytes) -> list[bytes]:
    return [data[i : i + ROW].ljust(ROW, b"\0") for i in range(0, len(data), ROW)]


def pad(key: bytes, iv: bytes) -> bytes:
    """Return what is added to each row."""
    key = key.ljust(2 * ROW, b"\0")
    return xor(xor(key[:ROW], key[ROW:]), iv)


def crypt(key: bytes, iv: bytes, text: bytes) -> bytes:
    """Encrypt or decrypt."""
    return b"".join(xor(row, pad(key, iv)) for row in rows(text))[: len(text)]


def tag(key: bytes, iv: bytes, aad: bytes, text: bytes, length: int = ROW) -> bytes:
    """Return the tag of associated data and of text as it enters the sum."""
    total = bytes(ROW)
    for row in rows(aad) + rows(text):
        total = xor(total, row)
        total = total[1:] + total[:1]
    lengths = (8 * len(aad)).to_bytes(8, "big") + (8 * len(text)).to_bytes(8, "big")
    return xor(xor(total, pad(key, iv)), lengths)[:length]


def seal(key: bytes, iv: bytes, aad: bytes, text: bytes, length: int = ROW) -> bytes:
    """Encrypt and append the tag."""
    sealed = crypt(key, iv, text)
    return sealed + tag(key, iv, aad, sealed, length)
