"""ESP tunnels between two addresses of IPv4 or IPv6, packet by packet of a capture."""

from __future__ import annotations

import ipaddress
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lutra.soc.packets.errors import PacketError
from lutra.soc.packets.esp import DUMMY, ESP, IPV4, IPV6, Association, Receiver, Sender
from lutra.soc.packets.jobs import Cores
from lutra.soc.packets.pcap import ETHERNET, RAW, RAW_BSD, Capture, Frame

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
TYPES = {0x0800: IPV4, 0x86DD: IPV6}
VERSIONS = {4: IPV4, 6: IPV6}
ADDRESSES = 12  # both of Ethernet
HOP_LIMIT = 64
FRAGMENT = 0x3FFF  # more fragments, or an offset


@dataclass(frozen=True)
class Ends:
    """Addresses of the outer header."""

    source: Address
    destination: Address

    def __post_init__(self) -> None:
        if self.source.version != self.destination.version:
            raise PacketError(f"a tunnel from {self.source} to {self.destination}: give two addresses of one version")

    def header(self, payload: int, number: int) -> bytes:
        """The outer header of a payload of so many bytes."""
        source, destination = self.source.packed, self.destination.packed
        if self.source.version == 6:
            return struct.pack(">IHBB", 6 << 28, payload, ESP, HOP_LIMIT) + source + destination
        fields = (0x45, 0, 20 + payload, number & 0xFFFF, 0, HOP_LIMIT, ESP)
        head = struct.pack(">BBHHHBBH", *fields, 0) + source + destination
        return head[:10] + struct.pack(">H", checksum(head)) + head[12:]

    @property
    def protocol(self) -> int:
        return VERSIONS[self.source.version]


def checksum(header: bytes) -> int:
    """The Internet checksum (RFC 1071)."""
    total: int = sum(struct.unpack(f">{len(header) // 2}H", header))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def split(link: int, frame: bytes) -> tuple[bytes, bytes, int]:
    """Split a frame into the bytes before its IP packet, and the packet; with its protocol: IPv4, IPv6, else 0."""
    if link == ETHERNET:
        kind = TYPES.get(int.from_bytes(frame[ADDRESSES : ADDRESSES + 2], "big"), 0)
        before, packet = frame[: ADDRESSES + 2], frame[ADDRESSES + 2 :]
    elif link in (RAW, RAW_BSD):
        before, packet, kind = b"", frame, VERSIONS.get(frame[0] >> 4, 0) if frame else 0
    else:
        raise PacketError(f"link type {link}: captures of Ethernet (1) and of IP packets (101) are read")
    return before, trimmed(packet, kind), kind


def trimmed(packet: bytes, kind: int) -> bytes:
    """An IP packet without the padding of its frame."""
    if kind == IPV4 and len(packet) >= 20:
        return packet[: int.from_bytes(packet[2:4], "big")]
    if kind == IPV6 and len(packet) >= 40:
        return packet[: 40 + int.from_bytes(packet[4:6], "big")]
    return packet


def framed(before: bytes, packet: bytes, kind: int) -> bytes:
    """A frame with another IP packet in it."""
    types = {protocol: ether for ether, protocol in TYPES.items()}
    return before[:ADDRESSES] + types[kind].to_bytes(2) + packet if before else packet


@dataclass(frozen=True)
class Report:
    """A run: packets that were changed, those that were left as they are, and why packets were dropped."""

    changed: int
    passed: int
    dropped: Sequence[str]
    bytes: int


def encrypt(
    capture: Capture, frames: Sequence[Frame], association: Association, ends: Ends, cores: Cores
) -> tuple[list[Frame], Report]:
    """Every IP packet in a packet of the tunnel; frames without one stay as they are. PacketError where the sequence
    numbers end, or a packet becomes too long."""
    sender = Sender(association)
    parts = [split(capture.link, frame.data) for frame in frames]
    sealed = [sender.seal(packet, kind) if kind else None for _, packet, kind in parts]
    results = cores.run(job for _, job in filter(None, sealed))
    out = []
    for number, (frame, (before, _, _), one) in enumerate(zip(frames, parts, sealed, strict=True), 1):
        if one is None:
            out.append(frame)
            continue
        text = next(results)
        assert text is not None
        payload = one[0] + text
        if len(payload) > 0xFFFF - 20:
            raise PacketError(f"packet {number} has {len(payload)} bytes with ESP, and an IP packet at most 65535")
        packet = ends.header(len(payload), number) + payload
        out.append(replace(frame, data=framed(before, packet, ends.protocol)))
    changed = sum(one is not None for one in sealed)
    return out, Report(changed, len(frames) - changed, (), sum(len(p) for _, p, kind in parts if kind))


def inner(packet: bytes, kind: int) -> bytes | None:
    """The ESP packet in an IP packet, None where there is none."""
    if kind == IPV4 and len(packet) >= 20 and packet[9] == ESP:
        if int.from_bytes(packet[6:8], "big") & FRAGMENT:
            raise PacketError("a fragment: reassemble before ESP")
        return packet[4 * (packet[0] & 15) :]
    if kind == IPV6 and len(packet) >= 40 and packet[6] == ESP:
        return packet[40:]
    return None


def decrypt(
    capture: Capture, frames: Sequence[Frame], association: Association, cores: Cores
) -> tuple[list[Frame], Report]:
    """The packets in a tunnel; what is not ESP stays as it is. Packets that are replayed, changed, or of another
    association are dropped, and the report says why."""
    receiver = Receiver(association)
    out: list[Frame] = []
    dropped: list[str] = []
    passed = size = 0
    for number, frame in enumerate(frames, 1):
        before, packet, kind = split(capture.link, frame.data)
        try:
            esp = inner(packet, kind)
            if esp is None:
                out.append(frame)
                passed += 1
                continue
            received = receiver.open(esp)
            (text,) = cores.run([received.job])
            payload, protocol = receiver.accept(received, text)
            if protocol == DUMMY:
                continue
            if protocol not in (IPV4, IPV6):
                raise PacketError(f"next header {protocol}, which is not an IP packet: not a tunnel")
        except PacketError as error:
            dropped.append(f"packet {number}: {error}")
            continue
        size += len(payload)
        out.append(replace(frame, data=framed(before, payload, protocol)))
    return out, Report(len(out) - passed, passed, dropped, size)
