"""Results of other implementations, by operation: of `cryptography`, which is OpenSSL, and for SNOW 3G, SNOW 5G, ZUC
and ZUC-256 of models that were written from the standards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.ciphers.algorithms import AES, ChaCha20
from cryptography.hazmat.primitives.ciphers.modes import CBC, CTR
from cryptography.hazmat.primitives.cmac import CMAC

from lutra.soc.operations import Firmware, manifest
from models import snow3g, snow_v, sst, zuc, zuc256

ROW = 16
# An AEAD's IV row: a nonce, then the first value of the block counter.
NONCE, GCM_ONE = 12, (1).to_bytes(4)

# Key, row of the IV, associated data, text; the ciphertext with its tag.
Peer = Callable[[bytes, bytes, bytes, bytes], bytes]


def _all(context: CipherContext, text: bytes) -> bytes:
    return context.update(text) + context.finalize()


def ctr(key: bytes, iv: bytes, _: bytes, text: bytes) -> bytes:
    """Counter mode."""
    return _all(Cipher(AES(key), CTR(iv)).encryptor(), text)


def gcm(key: bytes, iv: bytes, aad: bytes, text: bytes) -> bytes:
    """GCM."""
    return AESGCM(key).encrypt(iv[:NONCE], text, aad)


def cmac(key: bytes, _iv: bytes, _aad: bytes, text: bytes) -> bytes:
    """CMAC: a tag alone."""
    made = CMAC(AES(key))
    made.update(text)
    return made.finalize()


def _masks5(key: bytes, iv: bytes) -> bytes:
    """H, Q and P of 256-NIA5 and 256-NCA5: from counters that begin with another byte than those of keystream."""
    return ctr(key, bytes([iv[0] ^ 1]) + iv[1:NONCE] + bytes(4), b"", bytes(3 * ROW))


def nia5(key: bytes, iv: bytes, _: bytes, text: bytes) -> bytes:
    """256-NIA5."""
    return sst.tag(_masks5(key, iv), text, b"")


def nca5(key: bytes, iv: bytes, aad: bytes, text: bytes) -> bytes:
    """256-NCA5."""
    sealed = ctr(key, iv[:NONCE] + bytes(4), b"", text)
    return sealed + sst.tag(_masks5(key, iv), aad, sealed)


def cbc(key: bytes, iv: bytes, _: bytes, text: bytes) -> bytes:
    """CBC."""
    return _all(Cipher(AES(key), CBC(iv)).encryptor(), text)


def chacha20(key: bytes, iv: bytes, _: bytes, text: bytes) -> bytes:
    """ChaCha20: the IV is the counter, then the nonce."""
    return _all(Cipher(ChaCha20(key, iv), None).encryptor(), text)


def chacha20_poly1305(key: bytes, iv: bytes, aad: bytes, text: bytes) -> bytes:
    """ChaCha20-Poly1305."""
    return ChaCha20Poly1305(key).encrypt(iv[4:], text, aad)


def _xor(text: bytes, stream: bytes) -> bytes:
    return (int.from_bytes(text) ^ int.from_bytes(stream)).to_bytes(len(text))


def eea1(key: bytes, iv: bytes, _: bytes, text: bytes) -> bytes:
    """128-EEA1. K0 is the last word of the key (TS 35.215 3.4)."""
    words = b"".join(key[at : at + 4] for at in (12, 8, 4, 0))
    return _xor(text, snow3g.keystream(words, iv, len(text)))


def eia1(key: bytes, iv: bytes, _: bytes, text: bytes) -> bytes:
    """128-EIA1: a row with the MAC at its beginning."""
    return snow3g.f9_of(key, iv, text, 8 * len(text)).ljust(ROW, b"\0")


def eea3(key: bytes, iv: bytes, _: bytes, text: bytes) -> bytes:
    """128-EEA3."""
    return _xor(text, zuc.keystream(key, iv, len(text)))


def eia3(key: bytes, iv: bytes, _: bytes, text: bytes) -> bytes:
    """128-EIA3: a row with the MAC at its beginning."""
    return zuc.eia3_of(key, iv, text, 8 * len(text)).ljust(ROW, b"\0")


def nea6(key: bytes, iv: bytes, _: bytes, text: bytes) -> bytes:
    """256-NEA6."""
    return _xor(text, zuc256.keystream_3gpp(key, iv, len(text)))


def nia6(key: bytes, iv: bytes, _: bytes, text: bytes) -> bytes:
    """256-NIA6."""
    return sst.tag(zuc256.keystream_3gpp(key, iv, 3 * ROW), text, b"")


def _nca(stream: bytes, aad: bytes, text: bytes) -> bytes:
    """An AEAD of a stream cipher whose keystream begins with H, Q and P."""
    sealed = _xor(text, stream[3 * ROW :])
    return sealed + sst.tag(stream[: 3 * ROW], aad, sealed)


def nca6(key: bytes, iv: bytes, aad: bytes, text: bytes) -> bytes:
    """256-NCA6."""
    return _nca(zuc256.keystream_3gpp(key, iv, 3 * ROW + len(text)), aad, text)


def nca4(key: bytes, iv: bytes, aad: bytes, text: bytes) -> bytes:
    """256-NCA4."""
    return _nca(snow_v.keystream_5g(key, iv, 3 * ROW + len(text)), aad, text)


def nea4(key: bytes, iv: bytes, _: bytes, text: bytes) -> bytes:
    """256-NEA4."""
    return _xor(text, snow_v.keystream_5g(key, iv, len(text)))


def nia4(key: bytes, iv: bytes, _: bytes, text: bytes) -> bytes:
    """256-NIA4."""
    return sst.tag(snow_v.keystream_5g(key, iv, 3 * ROW), text, b"")


class Kind(NamedTuple):
    """How packets of an operation are made. opens: what the peer makes is the source, and its text the result;
    verifies: there is none. begin, end: what the row of the IV has before and after random bytes."""

    peer: Peer
    key_bytes: int
    opens: bool = False
    verifies: bool = False
    begin: bytes = b""
    end: bytes = b""


def _sealing(name: str, peer: Peer) -> dict[str, Kind]:
    """Both directions of an AEAD of 3GPP, whose IV is a whole row."""
    return {f"{name}-encrypt": Kind(peer, 32), f"{name}-decrypt": Kind(peer, 32, opens=True)}


def _aes() -> Mapping[str, Kind]:
    made = {"aes128-ctr-inline": Kind(ctr, 16), "aes256-nia5": Kind(nia5, 32), **_sealing("aes256-nca5", nca5)}
    for bits in (128, 256):
        size = bits // 8
        made[f"aes{bits}-ctr"] = Kind(ctr, size)
        made[f"aes{bits}-gcm-encrypt"] = Kind(gcm, size, end=GCM_ONE)
        made[f"aes{bits}-gcm-decrypt"] = Kind(gcm, size, opens=True, end=GCM_ONE)
        made[f"aes{bits}-gcm-verify"] = Kind(gcm, size, opens=True, verifies=True, end=GCM_ONE)
        made[f"aes{bits}-cmac"] = Kind(cmac, size)
        made[f"aes{bits}-cbc-encrypt"] = Kind(cbc, size)
        made[f"aes{bits}-cbc-decrypt"] = Kind(cbc, size, opens=True)
    return made


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        **_aes(),
        "snow3g-eea1": Kind(eea1, 16),
        "snow3g-eia1": Kind(eia1, 16),
        "zuc-eea3": Kind(eea3, 16),
        "zuc-eia3": Kind(eia3, 16),
        "zuc256-nea6": Kind(nea6, 32),
        "zuc256-nia6": Kind(nia6, 32),
        "snow5g-nea4": Kind(nea4, 32),
        "snow5g-nia4": Kind(nia4, 32),
        **_sealing("zuc256-nca6", nca6),
        **_sealing("snow5g-nca4", nca4),
        "chacha20-stream": Kind(chacha20, 32),
        "chacha20-poly1305-encrypt": Kind(chacha20_poly1305, 32, begin=bytes(4)),
        "chacha20-poly1305-decrypt": Kind(chacha20_poly1305, 32, opens=True, begin=bytes(4)),
    }
)
IMAGES = tuple(manifest())


def packet_operations(firmware: Firmware) -> list[str]:
    """Operations of an image that are of packets: those that neither set nor save a key."""
    others = {"sets_key", "key_rows"}
    return [name for name, operation in firmware.operations.items() if others.isdisjoint(operation.flags)]


def set_key(firmware: Firmware, operation: str) -> str:
    """The operation that sets the key of another one."""
    kind = firmware.operations[operation].key_class
    return next(n for n, o in firmware.operations.items() if o.has("sets_key") and o.key_class == kind)
