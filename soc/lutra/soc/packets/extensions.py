"""Encrypted header extensions of SRTP (RFC 6904): elements of the extension of RTP's header (RFC 8285) are encrypted by
counter mode of AES, each with the part of the keystream that is at its place. Keys are those of labels 6 and 7.

What says where elements are stays in the clear: their identifiers and lengths, and padding.
"""

from __future__ import annotations

from dataclasses import dataclass

from lutra.firmware import crypt
from lutra.soc.packets.errors import PacketError

FIXED, WORD = 12, 4  # bytes of a header of RTP, and of each source in it
EXTENSION, SOURCES = 0x10, 0x0F
SALT = 14
# First bytes of an extension: its elements have headers of one byte, or of two; the application chooses the last four
# bits of the latter.
ONE_BYTE, TWO_BYTES = 0xBEDE, 0x100
PADDING, LAST = 0, 15  # identifiers: a byte without an element; in heads of one byte the end of the elements
MOST = {ONE_BYTE: 14, TWO_BYTES: 255}  # the largest identifier


@dataclass(frozen=True)
class Extensions:
    """Keys of header extensions, and the identifiers of elements that are encrypted."""

    key: bytes
    salt: bytes
    identifiers: frozenset[int]

    def __post_init__(self) -> None:
        if wrong := sorted(n for n in self.identifiers if not 1 <= n <= MOST[TWO_BYTES]):
            raise PacketError(f"identifier {wrong[0]} of a header extension; choose from 1 to {MOST[TWO_BYTES]}")

    def crypt(self, header: bytes, index: int) -> bytes:
        """A header with its elements encrypted, or decrypted, which is the same. index: of its packet.

        PacketError where an element has more bytes than the extension.
        """
        if not header[0] & EXTENSION:
            return header
        at = FIXED + WORD * (header[0] & SOURCES)
        kind, data = int.from_bytes(header[at : at + 2]), header[at + WORD :]
        mask = self._mask(kind, data)
        if not any(mask):
            return header
        plain = bytes(4) + header[8:FIXED] + index.to_bytes(6)
        iv = bytes(a ^ b for a, b in zip(plain, self.salt, strict=True)) + bytes(2)
        stream = crypt.encrypt(f"aes-{8 * len(self.key)}-ctr", self.key, bytes(len(data)), iv)
        changed = bytes(byte ^ key & kept for byte, key, kept in zip(data, stream, mask, strict=True))
        return header[: at + WORD] + changed

    def _mask(self, kind: int, data: bytes) -> bytes:
        """Ones in the bytes that are encrypted. An extension of another kind has no elements."""
        mask, at = bytearray(len(data)), 0
        if kind != ONE_BYTE and kind >> 4 != TWO_BYTES:
            return bytes(mask)
        while at < len(data):
            if kind == ONE_BYTE:
                identifier, size = data[at] >> 4, (data[at] & 15) + 1
                head = 1
                if identifier == LAST:
                    break
            else:
                identifier, head = data[at], 2
                size = data[at + 1] if at + 1 < len(data) else 0
            if identifier == PADDING:
                at += 1
                continue
            start, at = at + head, at + head + size
            if at > len(data):
                raise PacketError("an element of a header extension that ends after it")
            if identifier in self.identifiers:
                mask[start:at] = b"\xff" * size
        return bytes(mask)
