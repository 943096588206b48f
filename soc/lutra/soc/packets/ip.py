"""IP packets in frames of a capture, and datagrams of UDP in them."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from lutra.soc.packets.errors import PacketError
from lutra.soc.packets.pcap import ETHERNET, RAW, RAW_BSD

# IP protocol numbers.
IPV4, UDP, IPV6 = 4, 17, 41
TYPES = {0x0800: IPV4, 0x86DD: IPV6}
VERSIONS = {4: IPV4, 6: IPV6}
HEADER_4, HEADER_6, UDP_HEADER = 20, 40, 8
ADDRESSES = 12  # both of Ethernet
FRAGMENT = 0x3FFF  # more fragments, or an offset
LONGEST = 0xFFFF


def checksum(data: bytes) -> int:
    """The Internet checksum (RFC 1071)."""
    even = data + bytes(len(data) % 2)
    total: int = sum(struct.unpack(f">{len(even) // 2}H", even))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def check_link(link: int) -> None:
    """PacketError where captures of this link are not read."""
    if link not in (ETHERNET, RAW, RAW_BSD):
        raise PacketError(f"link type {link}: captures of Ethernet (1) and of IP packets (101) are read")


def split(link: int, frame: bytes) -> tuple[bytes, bytes, int]:
    """Split a frame into the bytes before its IP packet, and the packet; with its protocol: IPv4, IPv6, else 0."""
    if link == ETHERNET:
        kind = TYPES.get(int.from_bytes(frame[ADDRESSES : ADDRESSES + 2], "big"), 0)
        before, packet = frame[: ADDRESSES + 2], frame[ADDRESSES + 2 :]
    else:
        before, packet, kind = b"", frame, VERSIONS.get(frame[0] >> 4, 0) if frame else 0
    return before, trimmed(packet, kind), kind


def trimmed(packet: bytes, kind: int) -> bytes:
    """An IP packet without the padding of its frame."""
    if kind == IPV4 and len(packet) >= HEADER_4:
        return packet[: int.from_bytes(packet[2:4], "big")]
    if kind == IPV6 and len(packet) >= HEADER_6:
        return packet[: HEADER_6 + int.from_bytes(packet[4:6], "big")]
    return packet


def is_packet(data: bytes) -> bool:
    """Whether data are one IP packet, by version and length."""
    if len(data) < HEADER_4:
        return False
    size = {4: int.from_bytes(data[2:4], "big"), 6: HEADER_6 + int.from_bytes(data[4:6], "big")}
    return size.get(data[0] >> 4) == len(data)


def framed(before: bytes, packet: bytes, kind: int) -> bytes:
    """A frame with another IP packet in it."""
    types = {protocol: ether for ether, protocol in TYPES.items()}
    return before[:ADDRESSES] + types[kind].to_bytes(2) + packet if before else packet


@dataclass(frozen=True)
class Datagram:
    """A datagram of UDP in an IP packet. before: of the frame; header: of IP."""

    before: bytes
    header: bytes
    source: int
    destination: int
    payload: bytes

    @classmethod
    def of(cls, link: int, frame: bytes) -> Datagram | None:
        """The datagram of a frame, None where there is none. PacketError where it is cut or a fragment."""
        before, packet, kind = split(link, frame)
        if kind == IPV4 and len(packet) >= HEADER_4 and packet[9] == UDP:
            end = 4 * (packet[0] & 15)
            if int.from_bytes(packet[6:8], "big") & FRAGMENT:
                raise PacketError("a fragment: reassemble before SRTP")
        elif kind == IPV6 and len(packet) >= HEADER_6 and packet[6] == UDP:
            end = HEADER_6
        else:
            return None
        payload = packet[end + UDP_HEADER :]
        source, destination, size = struct.unpack(">HHH", packet[end : end + 6].ljust(6, b"\0"))
        if len(payload) + UDP_HEADER != size:
            raise PacketError(f"a datagram whose header says {size} bytes, and {len(packet) - end} are there")
        return cls(before, packet[:end], source, destination, payload)

    def frame(self, payload: bytes) -> bytes:
        """The frame with another payload: lengths and checksums follow it."""
        size = UDP_HEADER + len(payload)
        if len(self.header) + size > LONGEST:
            raise PacketError(f"a payload of {len(payload)} bytes, which is too long for an IP packet")
        head = self.header
        if head[0] >> 4 == 4:
            head = head[:2] + struct.pack(">H", len(head) + size) + head[4:10] + bytes(2) + head[12:]
            head = head[:10] + struct.pack(">H", checksum(head)) + head[12:]
            addresses = head[12:20]
        else:
            head = head[:4] + struct.pack(">H", size) + head[6:]
            addresses = head[8:40]
        ports = struct.pack(">HH", self.source, self.destination)
        # The pseudo header (RFC 768, RFC 8200 8.1); a sum of 0 is sent as all ones.
        total = checksum(addresses + struct.pack(">HH", UDP, size) + ports + struct.pack(">H", size) + payload)
        return self.before + head + ports + struct.pack(">HH", size, total or 0xFFFF) + payload
