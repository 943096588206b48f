"""The toy cipher of `tests/soc/toy.s` in Python."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lutra.asm import Image, assemble

SOURCE = Path(__file__).parents[1] / "soc" / "toy.s"
CLASS, OTHER_CLASS = 1, 2
KEYED = {"uses_key": 1, "class": CLASS}
OPERATIONS = {
    "toy_key": {"sets_key": 1, "class": CLASS},
    "toy_other_key": {"sets_key": 1, "class": OTHER_CLASS},
    "toy_crypt": KEYED,
    "toy_once": {"inline_key": 1},
    "toy_once_in_context": KEYED | {"inline_key": 1},
    "toy_mac": KEYED | {"mac": 1, "makes_tag": 1, "takes_aad": 1},
    "toy_seal": KEYED | {"makes_tag": 1, "takes_aad": 1},
    "toy_open": KEYED | {"checks_tag": 1, "takes_aad": 1},
    "toy_crypt_blocks": KEYED | {"whole_blocks": 1},
    "toy_trap": {},
    "toy_hang": {},
    "toy_silent": {},
    "toy_wait": {},
}
ROW = 16


@cache
def image() -> Image:
    """Return the assembled routines."""
    return assemble([SOURCE])


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
