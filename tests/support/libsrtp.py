"""libsrtp with what its package for Python leaves out: master key identifiers, and header extensions that are
encrypted. The layout of its policy is that of libsrtp 2."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import pylibsrtp
from pylibsrtp import Policy, _binding

PROFILES = {
    ("aes-gcm", 28): Policy.SRTP_PROFILE_AEAD_AES_128_GCM,
    ("aes-gcm", 44): Policy.SRTP_PROFILE_AEAD_AES_256_GCM,
    ("aes-cm-sha1-80", 30): Policy.SRTP_PROFILE_AES128_CM_SHA1_80,
    ("aes-cm-sha1-32", 30): Policy.SRTP_PROFILE_AES128_CM_SHA1_32,
}
LONGEST = 2048
# Places in srtp_policy_t.
KEY, KEYS, KEY_COUNT, EXTENSIONS, EXTENSION_COUNT = 56, 64, 72, 104, 112


class _MasterKey(ctypes.Structure):
    _fields_ = [("key", ctypes.c_void_p), ("mki", ctypes.c_void_p), ("mki_bytes", ctypes.c_uint)]


def _bytes(data: bytes) -> Any:
    return (ctypes.c_ubyte * len(data)).from_buffer_copy(data)


class Peer:
    """A session, of one direction. extensions: identifiers of those that are encrypted (RFC 6904)."""

    def __init__(self, name: str, key: bytes, inbound: bool, mki: bytes = b"", extensions: Sequence[int] = ()) -> None:
        self._library = ctypes.CDLL(_binding.__file__)
        kind = Policy.SSRC_ANY_INBOUND if inbound else Policy.SSRC_ANY_OUTBOUND
        self._policy = Policy(key=key, ssrc_type=kind, srtp_profile=PROFILES[name, len(key)])
        at = int(_binding.ffi.cast("uintptr_t", self._policy._policy))
        # Buffers that the policy points to; they must outlive it.
        self._kept: list[Any] = []
        self._mki = bool(mki)
        if mki:
            raw = [_bytes(key), _bytes(mki)]
            master = _MasterKey(*(ctypes.addressof(part) for part in raw), len(mki))
            masters = (ctypes.c_void_p * 1)(ctypes.addressof(master))
            self._kept += [*raw, master, masters]
            ctypes.c_void_p.from_address(at + KEY).value = None
            ctypes.c_void_p.from_address(at + KEYS).value = ctypes.addressof(masters)
            ctypes.c_ulong.from_address(at + KEY_COUNT).value = 1
        if extensions:
            numbers = (ctypes.c_int * len(extensions))(*extensions)
            self._kept.append(numbers)
            ctypes.c_void_p.from_address(at + EXTENSIONS).value = ctypes.addressof(numbers)
            ctypes.c_int.from_address(at + EXTENSION_COUNT).value = len(extensions)
        self._session = ctypes.c_void_p()
        self._done(self._library.srtp_create(ctypes.byref(self._session), ctypes.c_void_p(at)))

    def protect(self, packet: bytes, control: bool = False) -> bytes:
        """Seal a packet of RTP or RTCP."""
        return self._process("srtp_protect_rtcp_mki" if control else "srtp_protect_mki", packet, int(self._mki), 0)

    def unprotect(self, packet: bytes, control: bool = False) -> bytes:
        """Open a packet of RTP or RTCP."""
        return self._process("srtp_unprotect_rtcp_mki" if control else "srtp_unprotect_mki", packet, int(self._mki))

    def _process(self, name: str, packet: bytes, *rest: int) -> bytes:
        buffer, size = ctypes.create_string_buffer(packet, LONGEST), ctypes.c_int(len(packet))
        self._done(getattr(self._library, name)(self._session, buffer, ctypes.byref(size), *rest))
        return buffer.raw[: size.value]

    def _done(self, code: int) -> None:
        if code:
            raise pylibsrtp.Error(pylibsrtp.ERRORS[code])
