"""Captures in the classic format of libpcap, either order of bytes, microseconds or nanoseconds."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lutra.soc.packets.errors import PacketError

MICROSECONDS, NANOSECONDS = 0xA1B2C3D4, 0xA1B23C4D
PCAPNG = 0x0A0D0D0A
ETHERNET, RAW, RAW_BSD, USER = 1, 101, 12, 147
HEADER = "IHHiIII"
RECORD = "IIII"
LARGEST = 1 << 18


@dataclass(frozen=True)
class Frame:
    """A packet as it was on the wire. seconds, fraction: its time, in the unit of the capture."""

    data: bytes
    seconds: int = 0
    fraction: int = 0


@dataclass(frozen=True)
class Capture:
    """The header of a file."""

    link: int
    order: str = "<"
    magic: int = MICROSECONDS


def parse(data: bytes, name: str) -> tuple[Capture, list[Frame]]:
    """A file's header and frames. PacketError where it is not a capture, or ends in the middle of a frame."""
    if len(data) < struct.calcsize(f"<{HEADER}"):
        raise PacketError(f"{name}: not a capture: {len(data)} bytes, and its header has 24")
    capture = _capture(data, name)
    return capture, list(_frames(capture, data, name))


def _capture(data: bytes, name: str) -> Capture:
    for order in "<>":
        magic, _, _, _, _, _, link = struct.unpack_from(f"{order}{HEADER}", data)
        if magic in (MICROSECONDS, NANOSECONDS):
            return Capture(link & 0xFFFF, order, magic)
    if int.from_bytes(data[:4], "big") == PCAPNG:
        raise PacketError(f"{name}: pcapng is not read; convert it: editcap -F pcap {name} converted.pcap")
    raise PacketError(f"{name}: not a capture: it begins with {data[:4].hex()}")


def _frames(capture: Capture, data: bytes, name: str) -> Iterator[Frame]:
    at, number, size = struct.calcsize(f"<{HEADER}"), 0, struct.calcsize(f"<{RECORD}")
    while at < len(data):
        number += 1
        if len(data) - at < size:
            raise PacketError(f"{name}: ends in the header of packet {number}; capture it again")
        seconds, fraction, kept, whole = struct.unpack_from(f"{capture.order}{RECORD}", data, at)
        at += size
        if kept > LARGEST:
            raise PacketError(f"{name}: packet {number} is said to have {kept} bytes; the file is damaged")
        if len(data) - at < kept:
            raise PacketError(
                f"{name}: ends in packet {number}, {kept - (len(data) - at)} bytes early; capture it again"
            )
        if kept < whole:
            raise PacketError(f"{name}: packet {number} was cut from {whole} to {kept} bytes; capture whole packets")
        yield Frame(data[at : at + kept], seconds, fraction)
        at += kept


def write(capture: Capture, frames: Iterable[Frame]) -> bytes:
    """The file of frames."""
    out = [struct.pack(f"{capture.order}{HEADER}", capture.magic, 2, 4, 0, 0, LARGEST, capture.link)]
    for frame in frames:
        size = len(frame.data)
        out += [struct.pack(f"{capture.order}{RECORD}", frame.seconds, frame.fraction, size, size), frame.data]
    return b"".join(out)
