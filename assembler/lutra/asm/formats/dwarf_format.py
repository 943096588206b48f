"""Common parts of DWARF 4: numbers of the standard, their encodings, and bounded reads.

Addresses are byte addresses: WORD_BYTES times the program address. Sections of the standard are cited as DWARF4 n.n.
"""

from __future__ import annotations

import struct

WORD_BYTES = 8
VERSION = 4
_NUMBERS = {layout: struct.Struct("<" + layout) for layout in "BbHIQ"}


class DwarfError(Exception):
    """Debugging information that Lutra does not write."""


def uleb(value: int) -> bytes:
    """Unsigned LEB128 (DWARF4 7.6)."""
    out = bytearray()
    while True:
        byte = value & 0x7F
        value >>= 7
        if not value:
            out.append(byte)
            return bytes(out)
        out.append(byte | 0x80)


def sleb(value: int) -> bytes:
    """Signed LEB128 (DWARF4 7.6)."""
    out = bytearray()
    while True:
        byte = value & 0x7F
        value >>= 7
        if (value == 0 and not byte & 0x40) or (value == -1 and byte & 0x40):
            out.append(byte)
            return bytes(out)
        out.append(byte | 0x80)


def string(text: str) -> bytes:
    """A string and the zero after it."""
    return text.replace("\0", "").encode("utf-8", "surrogateescape") + b"\0"


class ByteReader:
    """Bytes to read; reading beyond the end is an error."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    def take(self, count: int) -> bytes:
        """The next bytes."""
        if count < 0 or self.at + count > len(self.data):
            raise DwarfError("line information is cut off")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, layout: str) -> int:
        """Read a number; `letter` is its format in struct."""
        of = _NUMBERS[layout]
        try:
            (value,) = of.unpack_from(self.data, self.at)
        except struct.error:
            raise DwarfError("line information is cut off") from None
        self.at += of.size
        return int(value)

    def uleb(self) -> int:
        """An unsigned LEB128."""
        at = self.at
        if at < len(self.data) and (first := self.data[at]) < 0x80:  # nearly always
            self.at = at + 1
            return first
        value = shift = 0
        while True:
            (byte,) = self.take(1)
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value
            if shift > 63:
                raise DwarfError("line information has a number of more than 64 bits")

    def sleb(self) -> int:
        """A signed LEB128."""
        start = self.at
        value = self.uleb()
        bits = 7 * (self.at - start)
        return value - (1 << bits) if value >> (bits - 1) else value

    def string(self) -> str:
        """A string up to its zero."""
        end = self.data.find(b"\0", self.at)
        if end < 0:
            raise DwarfError("line information is cut off")
        text = self.take(end - self.at)
        self.at += 1
        return text.decode("utf-8", "surrogateescape")
