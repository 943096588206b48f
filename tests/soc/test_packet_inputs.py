"""IP packets, tunnels and captures: what is read and what is refused, at the edges of each."""

from __future__ import annotations

import ipaddress
import struct
from collections.abc import Callable
from functools import partial

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC
from cryptography.hazmat.primitives.cmac import CMAC

from lutra.soc.packets import esp, ip, pcap, tunnel
from lutra.soc.packets.jobs import CBC_CMAC, PACKET_WORK, Cores, Job
from lutra.soc.packets.pcap import ETHERNET, RAW, RAW_BSD, Capture, Frame
from support.packets import SPI, association, four, refused, six, udp


def test_the_checksum_of_the_internet() -> None:
    """The example of RFC 1071 section 3, and a carry that carries again."""
    assert ip.checksum(bytes.fromhex("0001f203f4f5f6f7")) == 0x220D
    assert ip.checksum(b"\xff\xff" * 3 + b"\0\1") == 0xFFFE
    assert ip.checksum(b"\1") == ip.checksum(b"\1\0") == 0xFEFF


def test_links_that_are_read() -> None:
    for link in (ETHERNET, RAW, RAW_BSD):
        ip.check_link(link)
    assert refused(lambda: ip.check_link(147)).startswith("link type 147")


@pytest.mark.parametrize("packet", [four(b"otters"), six(b"otters")])
def test_what_is_an_ip_packet(packet: bytes) -> None:
    assert ip.is_packet(packet)
    assert not ip.is_packet(packet + b"x") and not ip.is_packet(packet[:-1]) and not ip.is_packet(packet[:19])
    assert not ip.is_packet(b"\x50" + packet[1:])
    assert ip.split(RAW, packet + b"padding") == (b"", packet, ip.VERSIONS[packet[0] >> 4])
    assert ip.split(RAW, b"") == (b"", b"", 0)
    assert ip.split(RAW, b"\x50" + packet[1:] + b"padding") == (b"", b"\x50" + packet[1:] + b"padding", 0)
    service = packet[:1] + bytes([packet[1] | 1]) + packet[2:]
    assert ip.split(RAW, service + b"padding")[1] == service
    labelled = six(b"otters")[:3] + b"\xff" + six(b"otters")[4:]
    assert ip.split(RAW, labelled + b"padding")[1] == labelled
    assert ip.is_packet(four(b"")) and ip.is_packet(six(b""))
    other = bytes(12) + b"\x08\x06" + packet + bytes(46)
    assert ip.split(ETHERNET, other) == (other[:14], other[14:], 0)


@pytest.mark.parametrize("make", [four, six])
def test_a_datagram_is_found_and_fragments_are_refused(make: Callable[..., bytes]) -> None:
    found = ip.Datagram.of(RAW, make(udp(b"otters")))
    assert found is not None
    assert (found.source, found.destination, found.payload) == (6000, 5004, b"otters")
    assert ip.Datagram.of(RAW, make(udp(b"otters"), 6)) is None
    assert "whose header says 14 bytes, and 13 are there" in refused(
        lambda: ip.Datagram.of(RAW, make(udp(b"otters")[:-1]))
    )
    empty = ip.Datagram.of(RAW, make(udp(b"")))
    assert empty is not None and empty.payload == b""


@pytest.mark.parametrize("fragment", [1, 0x1FFF, 0x2000])
def test_fragments_are_refused(fragment: int) -> None:
    assert "reassemble before SRTP" in refused(lambda: ip.Datagram.of(RAW, four(udp(b""), 17, fragment)))
    assert "reassemble before ESP" in refused(lambda: tunnel.inner(four(bytes(8), 50, fragment), ip.IPV4))
    assert ip.Datagram.of(RAW, four(udp(b""), 17, 0x4000)) is not None


def test_the_longest_payload_of_a_datagram() -> None:
    found = ip.Datagram.of(RAW, four(udp(b"")))
    assert found is not None
    assert len(found.frame(bytes(0xFFFF - 28))) == 0xFFFF
    assert "too long for an IP packet" in refused(lambda: found.frame(bytes(0xFFFF - 27)))


def test_what_a_tunnel_opens() -> None:
    assert tunnel.inner(four(b"otters!!", 50), ip.IPV4) == b"otters!!"
    assert tunnel.inner(six(b"otters!!", 50), ip.IPV6) == b"otters!!"
    assert tunnel.inner(four(b"otters!!", 51), ip.IPV4) is None
    assert tunnel.inner(six(b"otters!!", 51), ip.IPV6) is None
    assert tunnel.inner(four(b"", 50)[:19], ip.IPV4) is None
    assert tunnel.inner(four(b"", 50), ip.IPV4) == b""
    addresses = [ipaddress.ip_address(text) for text in ("192.0.2.1", "fd00::1")]
    assert "give two addresses of one version" in refused(lambda: tunnel.Ends(*addresses))


V4 = tunnel.Ends(ipaddress.ip_address("192.0.2.1"), ipaddress.ip_address("192.0.2.2"))
V6 = tunnel.Ends(ipaddress.ip_address("2001:db8::1"), ipaddress.ip_address("2001:db8::2"))


def test_outer_headers_have_all_their_fields() -> None:
    header = V4.header(100, 0x12345)
    assert header[:10] == bytes.fromhex("4500 0078 2345 0000 40 32") and ip.checksum(header) == 0
    assert header[12:] == V4.source.packed + V4.destination.packed
    assert V6.header(100, 0x12345) == bytes.fromhex("60000000 0064 32 40") + V6.source.packed + V6.destination.packed


def test_a_tunnel_takes_links_and_payloads_that_fit() -> None:
    assert tunnel.Inbound(association()).link(RAW) == RAW
    assert refused(lambda: tunnel.Outbound(association(), V4).link(147)).startswith("link type 147")
    assert tunnel.inner(six(b"", 50), ip.IPV6) == b""
    for extra in (0, 1):
        pending = tunnel.Outbound(association(), V4).take(RAW, four(b"otters"), 1)
        assert pending is not None
        finish = partial(pending.finish, bytes(0xFFFF - 20 - 16 + extra))
        if extra:
            assert refused(finish) == "it has 65516 bytes with ESP, and an IP packet at most 65535"
        else:
            made = finish()
            assert made is not None and len(made.data) == 0xFFFF


def test_a_job_is_work_of_its_bytes_and_its_key_has_two_parts() -> None:
    """A key of CBC with 256 bits is longer than that of CMAC."""
    key, iv, text, aad = bytes(range(48)), bytes(16), bytes(range(32)), bytes(12)
    (core,) = Cores(1).all
    sealed = core.run(Job(CBC_CMAC, key, iv, aad, text))
    encryptor = Cipher(AES(key[:32]), CBC(iv)).encryptor()
    authenticator = CMAC(AES(key[32:]))
    authenticator.update(aad + encryptor.update(text))
    assert sealed is not None
    assert sealed[-12:] == authenticator.finalize()[:12]
    assert core.run(Job(CBC_CMAC, key, iv, aad, sealed[:-12], sealed[-12:])) == text
    assert core.work == 2 * (PACKET_WORK + 3)


def test_what_a_tunnel_receives_is_an_ip_packet_or_nothing() -> None:
    inbound = tunnel.Inbound(association())
    sent = four(struct.pack(">II", SPI, 1) + bytes(28), 50)
    pending = inbound.take(RAW, sent, 1)
    assert pending is not None
    assert "next header 17, which is not an IP packet" in refused(partial(pending.finish, b"\0\x11"))
    pending = tunnel.Inbound(association()).take(RAW, sent, 1)
    assert pending is not None and pending.finish(b"\0" + bytes([esp.DUMMY])) is None
    assert tunnel.Inbound(association()).take(RAW, four(b"x"), 1) is None


def test_a_capture_is_refused_where_it_is_damaged() -> None:
    assert pcap.write(Capture(RAW), []).hex() == "d4c3b2a10200040000000000000000000000040065000000"
    data = pcap.write(Capture(RAW), [Frame(b"otters")])
    assert pcap.parse(data, "a")[1] == [Frame(b"otters")]
    assert pcap.parse(data[:24], "a")[1] == []
    assert refused(lambda: pcap.parse(data[:23], "a")) == "a: not a capture: 23 bytes, and its header has 24"
    assert refused(lambda: pcap.parse(data[:39], "a")).startswith("a: ends in the header of packet 1")
    assert refused(lambda: pcap.parse(data[:44], "a")).startswith("a: ends in packet 1, 2 bytes early")
    cut = data[:36] + struct.pack("<I", 7) + data[40:]
    assert refused(lambda: pcap.parse(cut, "a")) == "a: packet 1 was cut from 7 to 6 bytes; capture whole packets"
    for size, text in ((1 << 18, "ends in packet 1"), ((1 << 18) + 1, "the file is damaged")):
        large = data[:32] + struct.pack("<II", size, size) + data[40:]
        assert text in refused(partial(pcap.parse, large, "a"))
    assert pcap.parse(data[:20] + struct.pack("<I", 0xF0000000 | RAW) + data[24:], "a")[0] == Capture(RAW)
    assert "pcapng is not read" in refused(lambda: pcap.parse(bytes.fromhex("0a0d0d0a") + bytes(20), "a"))
