"""Ed25519 keys (RFC 8032): key files and signatures."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from lutra.firmware.pack import ed25519
from lutra.firmware.pack.errors import PackError

# A signature for the one purpose is none for the other.
ROOT = b"lutra root v1".ljust(16, b"\0")
PACK = b"lutra pack v1".ljust(16, b"\0")
HEX_DIGITS = 64
REMEDY = "`lutra pack key` makes one"


def private_pem(key: Ed25519PrivateKey) -> bytes:
    """A private key as a file: PKCS #8 in PEM, without a password."""
    pem, pkcs8 = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    return key.private_bytes(pem, pkcs8, serialization.NoEncryption())


def public_pem(key: Ed25519PrivateKey) -> bytes:
    """The public key of a private one as a file."""
    return key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


def read_private(data: bytes, file: str) -> Ed25519PrivateKey:
    """Read the private key in a PEM file. Raises PackError if there is none or if a password protects it."""
    try:
        key = serialization.load_pem_private_key(data, None)
    except TypeError as error:
        raise PackError(f"{file}: is protected by a password; decrypt it first with openssl pkey") from error
    except ValueError as error:
        is_public = b"PUBLIC KEY" in data
        text = "is a public key; signing needs the private one" if is_public else f"is not a private key; {REMEDY}"
        raise PackError(f"{file}: {text}") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise PackError(f"{file}: is not an Ed25519 key; {REMEDY}")
    return key


def read_public(data: bytes, file: str) -> bytes:
    """Read the 32 bytes of the public key in a PEM file, also of a private key. Raises PackError if there is none."""
    if b"PRIVATE KEY" in data:
        return public(read_private(data, file))
    try:
        key = serialization.load_pem_public_key(data)
    except ValueError as error:
        raise PackError(f"{file}: is not a public key; {REMEDY}") from error
    if not isinstance(key, Ed25519PublicKey):
        raise PackError(f"{file}: is not an Ed25519 key; {REMEDY}")
    return key.public_bytes_raw()


def public(key: Ed25519PrivateKey) -> bytes:
    """The 32 bytes of the public key of a private one."""
    return key.public_key().public_bytes_raw()


def sign(key: Ed25519PrivateKey, purpose: bytes, data: bytes) -> bytes:
    """A signature, always the same of the same data. purpose: ROOT or PACK."""
    return key.sign(_message(purpose, data))


def is_signed(key: bytes, signature: bytes, purpose: bytes, data: bytes) -> bool:
    """Whether a signature of data is by the key of these 32 bytes."""
    return ed25519.is_right(key, signature, _message(purpose, data))


def flaw(keys: Sequence[bytes]) -> str:
    """Return what is wrong with the keys of one role, or an empty text: each needs a secret of its own."""
    for key in keys:
        if found := ed25519.flaw(key):
            return f"{key.hex()[:16]} is not a key that `lutra pack key` makes: {found}"
    by_ordinate = {ed25519.ordinate(key): key for key in keys}
    for key in keys:
        if (other := by_ordinate[ed25519.ordinate(key)]) != key:
            return f"the owner of {key.hex()[:16]} can sign for {other.hex()[:16]} as well"
    return ""


def _message(purpose: bytes, data: bytes) -> bytes:
    return purpose + hashlib.sha512(data).digest()
