"""The kinds of algorithms, and how they differ for those who call one: manifests and packs name the kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

KindName = Literal["cipher", "mac", "gcm", "ccm", "aead", "siv", "kw", "kwp", "cmskw", "crc"]
# Modules of lutra.firmware that process messages.
Module = Literal["crypt", "mac", "aead", "wrap", "crc"]
SEMIBLOCK = 8  # of key wrap (SP 800-38F)


class Aead(Struct, frozen=True):
    """An AEAD mode.

    nonces: bytes of a nonce, least and most; None where the manifest states it. tags: their legal lengths in bits; None
    for all whole bytes from 32 bits, as SP 800-232 4.2.1 has it. strings: of associated data, at most. built_in: the
    cipher authenticates by itself. tag_first: the tag comes before the ciphertext.
    """

    nonces: tuple[int, int] | None = None
    tags: Sequence[int] | None = None
    strings: int = 1
    built_in: bool = False
    tag_first: bool = False


class Wrap(Struct, frozen=True):
    """A key wrap.

    iv: integrity check value of the standard, which a caller may replace; empty where the IV is random and part of the
    wrapped key. more: bytes that a wrapped key has in addition to the key. least: bytes of the shortest key. padded: a
    key may have any number of bytes, and its length follows the IV.
    """

    iv: bytes
    more: int
    least: int
    padded: bool = False


class Kind(Struct, frozen=True):
    """A kind of algorithms.

    called: in messages. described: in lists. command: for its algorithms. encrypts: whether there may be two
    directions; otherwise the only one is called encrypt. iv_bytes, tag_bits, partial: where the manifest does not state
    them, iv_bytes of each message. unit_bytes: the only legal unit; None for any. to_the_bit: messages have any number
    of bits. chained: the iv row has the chaining value, a row for each message. in_streams: vectors of one message also
    test several that are interleaved.
    """

    name: KindName
    module: Module
    called: str = "cipher"
    described: str = "cipher"
    command: str = "lutra crypt"
    encrypts: bool = True
    iv_bytes: int = 0
    tag_bits: int = 128
    partial: bool = True
    unit_bytes: int | None = None
    to_the_bit: bool = False
    chained: bool = False
    in_streams: bool = False
    has_polynomial: bool = False
    aead: Aead | None = None
    wrap: Wrap | None = None

    @property
    def is_plain(self) -> bool:
        """Whether a message has neither a tag nor an integrity check."""
        return self.module == "crypt"


def _aead(name: KindName, of: Aead, iv_bytes: int = 0, unit_bytes: int | None = None) -> Kind:
    what = "authenticated encryption"
    return Kind(name, "aead", described=what, iv_bytes=iv_bytes, unit_bytes=unit_bytes, aead=of)


def _wrap(name: KindName, of: Wrap) -> Kind:
    return Kind(name, "wrap", described="key wrap", iv_bytes=SEMIBLOCK, partial=False, wrap=of)


KINDS: Mapping[KindName, Kind] = {
    kind.name: kind
    for kind in (
        Kind("cipher", "crypt", iv_bytes=16, tag_bits=0, in_streams=True),
        Kind(
            "mac",
            "mac",
            called="MAC",
            described="MAC",
            command="lutra mac",
            encrypts=False,
            to_the_bit=True,
            chained=True,
            in_streams=True,
        ),
        # The longest nonce of GCM is a bound of ours; that of SP 800-38D is out of reach.
        _aead("gcm", Aead((1, 4096), (32, 64, 96, 104, 112, 120, 128)), unit_bytes=16),
        _aead("ccm", Aead((7, 13), range(32, 129, 16)), unit_bytes=16),
        _aead("aead", Aead(built_in=True), iv_bytes=16),
        # The tag counts as one of 127 strings, and a nonce is the last one (RFC 5297 2.6 and 3).
        _aead("siv", Aead((0, 0), strings=126, tag_first=True), unit_bytes=16),
        # ICV1 and ICV2 (SP 800-38F 6.2 and 6.3).
        _wrap("kw", Wrap(b"\xa6" * 8, more=SEMIBLOCK, least=2 * SEMIBLOCK)),
        _wrap("kwp", Wrap(bytes.fromhex("a65959a6"), more=SEMIBLOCK, least=1, padded=True)),
        # The IV and the checksum of CMS (RFC 3217).
        _wrap("cmskw", Wrap(b"", more=2 * SEMIBLOCK, least=SEMIBLOCK)),
        Kind(
            "crc",
            "crc",
            called="CRC",
            described="CRC",
            command="lutra crc",
            encrypts=False,
            iv_bytes=16,
            has_polynomial=True,
        ),
    )
}
