"""OpenSSL's library by its own names: every cipher of the default and legacy providers, which neither `openssl enc` nor
the package `cryptography` has."""

from __future__ import annotations

import ctypes
import ctypes.util
from functools import cache

SET_IV_LENGTH, GET_TAG, SET_TAG = 0x9, 0x10, 0x11  # openssl/evp.h, EVP_CTRL_AEAD_*
FLAG_WRAP_ALLOW, FLAG_LENGTH_BITS = 0x1, 0x2000
MODES = {6: "gcm", 7: "ccm", 0x10002: "wrap", 0x10003: "ocb", 0x10004: "siv"}
ROOM = 64  # what a result may be longer than its message


class RefusedError(Exception):
    """OpenSSL does not take the input."""


class Parameter(ctypes.Structure):
    """OSSL_PARAM."""

    _fields_ = (
        ("key", ctypes.c_char_p),
        ("data_type", ctypes.c_uint),
        ("data", ctypes.c_char_p),
        ("data_size", ctypes.c_size_t),
        ("return_size", ctypes.c_size_t),
    )


UTF8_STRING = 4


@cache
def library() -> ctypes.CDLL:
    name = ctypes.util.find_library("crypto")
    assert name, "no libcrypto"
    found = ctypes.CDLL(name)
    for function in ("EVP_CIPHER_fetch", "EVP_CIPHER_CTX_new", "OSSL_PROVIDER_load"):
        getattr(found, function).restype = ctypes.c_void_p
    for provider in (b"default", b"legacy"):
        assert found.OSSL_PROVIDER_load(None, provider), provider
    return found


@cache
def fetched(name: str) -> int:
    """EVP_CIPHER of a name."""
    cipher: int | None = library().EVP_CIPHER_fetch(None, name.encode(), None)
    assert cipher, f"OpenSSL has no {name}"
    return cipher


def key_bytes(name: str) -> int:
    return int(library().EVP_CIPHER_get_key_length(ctypes.c_void_p(fetched(name))))


def iv_bytes(name: str) -> int:
    return int(library().EVP_CIPHER_get_iv_length(ctypes.c_void_p(fetched(name))))


def crypt(
    name: str,
    encrypt: bool,
    key: bytes,
    iv: bytes,
    data: bytes,
    aad: tuple[bytes, ...] = (),
    tag_bytes: int = 16,
    cts: str = "",
    bits: int | None = None,
) -> bytes:
    """One message; of an AEAD the tag follows the ciphertext, of SIV it stands before. RefusedError where it says no.

    cts: the variant of ciphertext stealing. bits: of the data, of CFB1.
    """
    lib = library()
    mode = MODES.get(lib.EVP_CIPHER_get_mode(ctypes.c_void_p(fetched(name))), "")
    if name.lower().startswith("chacha20-poly"):
        mode = "gcm"
    context = ctypes.c_void_p(lib.EVP_CIPHER_CTX_new())
    try:
        return _message(lib, context, name, mode, encrypt, key, iv, data, aad, tag_bytes, cts, bits)
    finally:
        lib.EVP_CIPHER_CTX_free(context)


def _message(
    lib: ctypes.CDLL,
    context: ctypes.c_void_p,
    name: str,
    mode: str,
    encrypt: bool,
    key: bytes,
    iv: bytes,
    data: bytes,
    aad: tuple[bytes, ...],
    tag_bytes: int,
    cts: str,
    bits: int | None,
) -> bytes:
    def done(result: int) -> None:
        if result <= 0:
            raise RefusedError(name)

    text, tag = data, b""
    if mode in ("gcm", "ccm", "ocb") and not encrypt:
        text, tag = data[: len(data) - tag_bytes], data[len(data) - tag_bytes :]
    elif mode == "siv" and not encrypt:
        text, tag = data[tag_bytes:], data[:tag_bytes]
    lib.EVP_CIPHER_CTX_set_flags(context, FLAG_WRAP_ALLOW)
    parameters = (Parameter * 2)(Parameter(b"cts_mode", UTF8_STRING, cts.encode(), len(cts), 0) if cts else Parameter())
    cipher = ctypes.c_void_p(fetched(name))
    done(lib.EVP_CipherInit_ex2(context, cipher, None, None, int(encrypt), parameters))
    if mode in ("gcm", "ccm", "ocb"):
        done(lib.EVP_CIPHER_CTX_ctrl(context, SET_IV_LENGTH, len(iv), None))
    if tag or (mode in ("ccm", "ocb") and encrypt):
        done(lib.EVP_CIPHER_CTX_ctrl(context, SET_TAG, tag_bytes, tag or None))
    done(lib.EVP_CipherInit_ex2(context, None, key, iv or None, int(encrypt), None))
    lib.EVP_CIPHER_CTX_set_padding(context, 0)
    if bits is not None:
        lib.EVP_CIPHER_CTX_set_flags(context, FLAG_LENGTH_BITS)
    size = ctypes.c_int(0)
    if mode == "ccm":
        done(lib.EVP_CipherUpdate(context, None, ctypes.byref(size), None, len(text)))
    for each in aad:
        done(lib.EVP_CipherUpdate(context, None, ctypes.byref(size), each, len(each)))
    out = ctypes.create_string_buffer(len(text) + ROOM)
    written = 0
    if text or mode in ("ccm", "siv"):
        length = len(text) if bits is None else bits
        done(lib.EVP_CipherUpdate(context, out, ctypes.byref(size), text, length))
        written = size.value if bits is None else (size.value + 7) // 8
    last = ctypes.create_string_buffer(ROOM)
    done(lib.EVP_CipherFinal_ex(context, last, ctypes.byref(size)))
    result = out.raw[:written] + last.raw[: size.value]
    if encrypt and mode in ("gcm", "ccm", "ocb", "siv"):
        found = ctypes.create_string_buffer(tag_bytes)
        done(lib.EVP_CIPHER_CTX_ctrl(context, GET_TAG, tag_bytes, found))
        return found.raw + result if mode == "siv" else result + found.raw
    return result
