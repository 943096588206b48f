"""ESP tunnels between two addresses of IPv4 or IPv6, packet by packet of a capture."""

from __future__ import annotations

import ipaddress
import struct
from dataclasses import dataclass, field

from lutra.soc.packets import ip
from lutra.soc.packets.captures import Made, Pending, Protocol
from lutra.soc.packets.errors import PacketError
from lutra.soc.packets.esp import DUMMY, ESP, Association, Receiver, Sender, Window
from lutra.soc.packets.ip import IPV4, IPV6

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
HOP_LIMIT = 64


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
        return head[:10] + struct.pack(">H", ip.checksum(head)) + head[12:]

    @property
    def protocol(self) -> int:
        return ip.VERSIONS[self.source.version]


def inner(packet: bytes, kind: int) -> bytes | None:
    """The ESP packet in an IP packet, None where there is none."""
    if kind == IPV4 and len(packet) >= ip.HEADER_4 and packet[9] == ESP:
        if int.from_bytes(packet[6:8], "big") & ip.FRAGMENT:
            raise PacketError("a fragment: reassemble before ESP")
        return packet[4 * (packet[0] & 15) :]
    if kind == IPV6 and len(packet) >= ip.HEADER_6 and packet[6] == ESP:
        return packet[40:]
    return None


class _Tunnel(Protocol):
    """Frames keep their link: the packet in them is another one."""

    def link(self, link: int) -> int:
        ip.check_link(link)
        return link


@dataclass
class Outbound(_Tunnel):
    """Every IP packet in a packet of the tunnel; frames without one stay as they are."""

    association: Association
    ends: Ends
    sender: Sender = field(init=False)

    def __post_init__(self) -> None:
        self.sender = Sender(self.association)

    def take(self, link: int, frame: bytes, number: int) -> Pending | None:
        before, packet, kind = ip.split(link, frame)
        if not kind:
            return None
        head, job = self.sender.seal(packet, kind)

        def finish(text: bytes | None) -> Made:
            assert text is not None
            payload = head + text
            if len(payload) > ip.LONGEST - ip.HEADER_4:
                raise PacketError(f"it has {len(payload)} bytes with ESP, and an IP packet at most {ip.LONGEST}")
            sent = self.ends.header(len(payload), number) + payload
            return Made(ip.framed(before, sent, self.ends.protocol), len(packet))

        return Pending(job, finish)


@dataclass
class Inbound(_Tunnel):
    """The packets in a tunnel; what is not ESP stays as it is."""

    association: Association
    window: Window = field(default_factory=Window)
    receiver: Receiver = field(init=False)

    def __post_init__(self) -> None:
        self.receiver = Receiver(self.association, self.window)

    def take(self, link: int, frame: bytes, number: int) -> Pending | None:
        before, packet, kind = ip.split(link, frame)
        esp = inner(packet, kind)
        if esp is None:
            return None
        received = self.receiver.open(esp)

        def finish(text: bytes | None) -> Made | None:
            payload, protocol = self.receiver.accept(received, text)
            if protocol == DUMMY:
                return None
            if protocol not in (IPV4, IPV6):
                raise PacketError(f"next header {protocol}, which is not an IP packet: not a tunnel")
            return Made(ip.framed(before, payload, protocol), len(payload))

        return Pending(received.job, finish)
