"""MACsec, SRTP and PDCP, frame by frame of a capture; ESP is in tunnel.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from lutra.soc.packets import ip, macsec, pdcp, srtp
from lutra.soc.packets.captures import Made, Pending, Protocol
from lutra.soc.packets.errors import PacketError
from lutra.soc.packets.esp import Window
from lutra.soc.packets.jobs import Job
from lutra.soc.packets.pcap import ETHERNET, RAW, USER

# EtherType of MACsec Key Agreement (802.1X), which travels in the clear.
KEY_AGREEMENT = b"\x88\x8e"
# The second byte of RTCP, where it shares a port with RTP (RFC 5761 4).
CONTROL_TYPES = range(192, 224)


class _Ethernet(Protocol):
    """Frames of Ethernet."""

    def link(self, link: int) -> int:
        if link != ETHERNET:
            raise PacketError(f"link type {link}: MACsec is of captures of Ethernet (1)")
        return link


@dataclass
class MacsecOutbound(_Ethernet):
    """Frames with a SecTAG; those of key agreement stay as they are."""

    sender: macsec.Sender

    def take(self, link: int, frame: bytes, number: int) -> Pending | None:
        if frame[macsec.ADDRESSES : macsec.ADDRESSES + 2] == KEY_AGREEMENT:
            return None
        head, job = self.sender.seal(frame)
        return Pending(job, lambda text: Made(head + (text or b""), len(frame)))


@dataclass
class MacsecInbound(_Ethernet):
    """Frames as they were sent; those without a SecTAG stay as they are."""

    receiver: macsec.Receiver

    def take(self, link: int, frame: bytes, number: int) -> Pending | None:
        if frame[macsec.ADDRESSES : macsec.ADDRESSES + 2] != macsec.ETHERTYPE:
            return None
        received = self.receiver.open(frame)

        def finish(text: bytes | None) -> Made:
            data = self.receiver.accept(received, text)
            return Made(data, len(data))

        return Pending(received.job, finish)


@dataclass(frozen=True)
class Session:
    """An SRTP session: the keys of RTP and of RTCP, and the port of UDP that its datagrams come from or go to."""

    rtp: srtp.Keys
    rtcp: srtp.Keys
    port: int

    @classmethod
    def derived(cls, master: bytes, salt: bytes, port: int, tag_bytes: int = srtp.TAGS[0], mki: bytes = b"") -> Session:
        """The session of a master key and salt. A short tag is that of RTP only (RFC 5764 4.1.2)."""
        rtcp = srtp.Keys.derived(master, salt, "rtcp", mki=mki)
        return cls(srtp.Keys.derived(master, salt, "rtp", tag_bytes, mki), rtcp, port)

    def datagram(self, link: int, frame: bytes) -> ip.Datagram | None:
        """The datagram of the session in a frame, None where there is none."""
        found = ip.Datagram.of(link, frame)
        return found if found and self.port in (found.source, found.destination) else None


def _is_control(packet: bytes) -> bool:
    return len(packet) > 1 and packet[1] in CONTROL_TYPES


class _Datagrams(Protocol):
    """Frames keep their link: the payload in them is another one."""

    def link(self, link: int) -> int:
        ip.check_link(link)
        return link


@dataclass
class SrtpOutbound(_Datagrams):
    """RTP and RTCP of a session, with the sequence numbers that RTP has and indices of RTCP from 0 on, source by
    source."""

    session: Session
    rtp: dict[bytes, srtp.Sender] = field(default_factory=dict)
    rtcp: dict[bytes, srtp.ControlSender] = field(default_factory=dict)

    def take(self, link: int, frame: bytes, number: int) -> Pending | None:
        datagram = self.session.datagram(link, frame)
        if datagram is None:
            return None
        packet = datagram.payload
        made = self._control(packet[4:8]) if _is_control(packet) else self._data(packet[8:12])
        job, finish = made(packet)

        def framed(text: bytes | None) -> Made:
            assert text is not None
            return Made(datagram.frame(finish(text)), len(packet))

        return Pending(job, framed)

    def _control(self, source: bytes) -> Callable[[bytes], tuple[Job, Callable[[bytes], bytes]]]:
        return self.rtcp.setdefault(source, srtp.ControlSender(self.session.rtcp)).seal

    def _data(self, source: bytes) -> Callable[[bytes], tuple[Job, Callable[[bytes], bytes]]]:
        sender = self.rtp.setdefault(source, srtp.Sender(self.session.rtp))

        def seal(packet: bytes) -> tuple[Job, Callable[[bytes], bytes]]:
            head, job = sender.seal(packet)
            return job, lambda text: head + sender.keys.sent(text)

        return seal


@dataclass
class SrtpInbound(_Datagrams):
    """RTP and RTCP as they were sent, source by source. window: of each source that is new.

    A source is remembered when a packet of it was authenticated, so whoever forges packets of many sources takes no
    memory.
    """

    session: Session
    window: Window = field(default_factory=Window)
    rtp: dict[bytes, srtp.Receiver] = field(default_factory=dict)
    rtcp: dict[bytes, srtp.ControlReceiver] = field(default_factory=dict)

    def take(self, link: int, frame: bytes, number: int) -> Pending | None:
        datagram = self.session.datagram(link, frame)
        if datagram is None:
            return None
        packet = datagram.payload
        if _is_control(packet):
            fresh = srtp.ControlReceiver(self.session.rtcp, self.window)
            return _opened(datagram, self.rtcp, packet[4:8], fresh)
        return _opened(datagram, self.rtp, packet[8:12], srtp.Receiver(self.session.rtp, window=self.window))


_Receiver = TypeVar("_Receiver", srtp.Receiver, srtp.ControlReceiver)


def _opened(datagram: ip.Datagram, known: dict[bytes, _Receiver], source: bytes, fresh: _Receiver) -> Pending:
    received = known.get(source, fresh).open(datagram.payload)

    def finish(text: bytes | None) -> Made:
        # Another packet of the source may have been accepted meanwhile.
        receiver = known.get(source, fresh)
        plain = receiver.accept(received, text)
        known[source] = receiver
        return Made(datagram.frame(plain), len(plain))

    return Pending(received.job, finish)


@dataclass
class PdcpOutbound(Protocol):
    """A PDU for each IP packet or, in the control plane, for each frame of a capture without a link."""

    sender: pdcp.Sender

    def link(self, link: int) -> int:
        if self.sender.bearer.user:
            ip.check_link(link)
        else:
            _check_user(link, "messages of the control plane")
        return USER

    def take(self, link: int, frame: bytes, number: int) -> Pending | None:
        data = frame
        if self.sender.bearer.user:
            _, data, kind = ip.split(link, frame)
            if not kind:
                raise PacketError("not an IP packet, and a bearer of the user plane takes no other")
        head, job = self.sender.seal(data)
        return Pending(job, lambda text: Made(head + (text or b""), len(data)))


@dataclass
class PdcpInbound(Protocol):
    """The IP packets of PDUs, or the messages of the control plane."""

    receiver: pdcp.Receiver

    def link(self, link: int) -> int:
        _check_user(link, "PDUs")
        return RAW if self.receiver.bearer.user else USER

    def take(self, link: int, frame: bytes, number: int) -> Pending | None:
        user = self.receiver.bearer.user
        if not self.receiver.bearer.is_data(frame):
            raise PacketError("a control PDU, which has no data")
        received = self.receiver.open(frame)

        def finish(text: bytes | None) -> Made:
            data = self.receiver.accept(received, text)
            if user and not ip.is_packet(data):
                raise PacketError("the data are not an IP packet: the PDU was changed, or key or COUNT are others")
            return Made(data, len(data))

        return Pending(received.job, finish)


def _check_user(link: int, what: str) -> None:
    if link != USER:
        raise PacketError(f"link type {link}: {what} are read from captures of link type {USER} (user 0)")
