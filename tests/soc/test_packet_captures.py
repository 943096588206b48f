"""`lutra packets` with MACsec, SRTP and PDCP: scapy, libsrtp and models read and write the captures; each packet
that is wrong has a line."""

from __future__ import annotations

import json
import random
import shlex
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR
from cryptography.hazmat.primitives.cmac import CMAC

from lutra.cli.main import main
from lutra.soc.packets import pcap
from lutra.soc.packets.pcap import ETHERNET, RAW, USER, Capture, Frame
from models import snow3g, zuc
from models.lanes import xor

KEY = bytes(range(16))
SCI = "0200000000010001"
PORT = 5004
SALTS = {"aes-gcm": 12, "aes-cm-sha1-80": 14, "aes-cm-sha1-32": 14}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def save(name: str, packets: list[bytes], link: int) -> None:
    Path(name).write_bytes(pcap.write(Capture(link), [Frame(data, n) for n, data in enumerate(packets)]))


def read(name: str) -> list[bytes]:
    return [frame.data for frame in pcap.parse(Path(name).read_bytes(), name)[1]]


def link(name: str) -> int:
    return pcap.parse(Path(name).read_bytes(), name)[0].link


def datagrams(draw: random.Random, payloads: list[bytes], ethernet: bool = True) -> list[bytes]:
    """Payloads in UDP, IPv4 and IPv6 in turn."""
    from scapy.all import IP, UDP, Ether, IPv6, Raw  # type: ignore[attr-defined]

    made = []
    for number, payload in enumerate(payloads):
        ip = IPv6(src="fd00::1", dst="fd00::2") if number % 2 else IP(src="10.0.0.1", dst="10.0.0.2", id=number)
        packet = ip / UDP(sport=draw.randrange(6000, 7000), dport=PORT) / Raw(payload)
        made.append(bytes(Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02") / packet if ethernet else packet))
    return made


@dataclass(frozen=True)
class Kind:
    """A protocol with its options, the last of them the key. cut: bytes of a frame that has too few of them left."""

    options: list[str]
    plain: Callable[[], list[bytes]]
    link: int
    sealed_link: int
    cut: int
    short: str
    mismatch: str
    replayed: str


def calls(count: int = 4) -> list[bytes]:
    """RTP of two sources, across the end of sequence numbers, with an extension; and RTCP of one of them."""
    draw = random.Random(4)
    sent = []
    for number in range(65534, 65534 + count):
        for source in (7, 8):
            head = struct.pack(">BBHII", 0x90 if source == 8 else 0x80, 96, number % 65536, 160 * number, source)
            extension = b"\xbe\xde\0\1\x10\xff\0\0" if source == 8 else b""
            sent.append(head + extension + draw.randbytes(draw.randrange(1, 200)))
    sent.insert(3, struct.pack(">BBHI", 0x80, 200, 6, 7) + draw.randbytes(20))
    sent.append(struct.pack(">BBHI", 0x80, 201, 1, 7))
    return sent


def ip_packets() -> list[bytes]:
    draw = random.Random(5)
    return datagrams(draw, [draw.randbytes(draw.randrange(1, 90)) for _ in range(5)], ethernet=False)


def ethernet_frames() -> list[bytes]:
    draw = random.Random(6)
    return datagrams(draw, [draw.randbytes(size) for size in (0, 1, 7, 60, 500)])


KINDS = {
    "macsec": Kind(
        ["--protocol", "macsec", "--sci", SCI, "--an", "2", "--key", KEY.hex()],
        ethernet_frames,
        ETHERNET,
        ETHERNET,
        20,
        "not a frame of MACsec",
        "tag mismatch",
        "the lowest that is acceptable",
    ),
    "srtp": Kind(
        ["--protocol", "srtp", "--port", str(PORT), "--key", bytes(range(28)).hex()],
        lambda: datagrams(random.Random(1), calls()),
        ETHERNET,
        ETHERNET,
        70,
        "a datagram whose header says",
        "tag mismatch",
        "received before",
    ),
    "pdcp": Kind(
        [*shlex.split("--protocol pdcp --integrity nia2 --bearer 3 --direction 1 --key"), bytes(range(32)).hex()],
        ip_packets,
        RAW,
        USER,
        5,
        "a PDU of 5 bytes, which is too short",
        "MAC-I mismatch",
        "received before, or is too old",
    ),
}
each = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


@each
def test_every_protocol_opens_what_it_sealed(kind: Kind, capsys: pytest.CaptureFixture[str]) -> None:
    plain = kind.plain()
    save("plain.pcap", plain, kind.link)
    assert main(["packets", "plain.pcap", "sealed.pcap", *kind.options, "--json", "--cores", "2"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["packets"], found["unchanged"], sum(found["packets_per_core"])) == (len(plain), 0, len(plain))
    assert found["cycles"] > 0
    assert link("sealed.pcap") == kind.sealed_link
    assert not set(read("sealed.pcap")) & set(plain)
    assert main(["packets", "sealed.pcap", "again.pcap", *kind.options, "--decrypt"]) == 0
    assert (link("again.pcap"), read("again.pcap")) == (kind.link, plain)


@each
def test_packets_that_are_replayed_cut_or_changed_are_dropped_with_a_line_each(
    kind: Kind, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = kind.plain()
    save("plain.pcap", plain, kind.link)
    assert main(["packets", "plain.pcap", "sealed.pcap", *kind.options]) == 0
    sealed = read("sealed.pcap")
    changed = sealed[1][:-1] + bytes([sealed[1][-1] ^ 1])
    save("came.pcap", [sealed[0], sealed[0], changed, sealed[1][: kind.cut], *sealed[1:]], kind.sealed_link)
    assert main(["packets", "came.pcap", "again.pcap", *kind.options, "--decrypt"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(": packet ")[2][:1] for line in lines] == ["2", "3", "4"]
    for line, words in zip(lines, (kind.replayed, kind.mismatch, kind.short), strict=True):
        assert words in line
    assert read("again.pcap") == plain


@each
def test_another_key_opens_no_packet(kind: Kind, capsys: pytest.CaptureFixture[str]) -> None:
    plain = kind.plain()
    save("plain.pcap", plain, kind.link)
    assert main(["packets", "plain.pcap", "sealed.pcap", *kind.options]) == 0
    wrong = [*kind.options[:-1], "ff" + kind.options[-1][2:]]
    assert main(["packets", "sealed.pcap", "again.pcap", *wrong, "--decrypt"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == len(plain) and all(kind.mismatch in line for line in lines)
    assert read("again.pcap") == []


@each
def test_a_capture_that_ends_early_is_one_error(kind: Kind, capsys: pytest.CaptureFixture[str]) -> None:
    save("plain.pcap", kind.plain(), kind.link)
    Path("plain.pcap").write_bytes(Path("plain.pcap").read_bytes()[:-3])
    assert main(["packets", "plain.pcap", "sealed.pcap", *kind.options]) > 0
    error = capsys.readouterr().err
    assert "3 bytes early" in error and error.count("\n") == 1
    assert not Path("sealed.pcap").exists()


# ----------------------------------------------------------------------- MACsec


@pytest.mark.parametrize("bits", [128, 256])
@pytest.mark.parametrize("clear", [[], ["--clear-text"]], ids=["encrypted", "authenticated"])
def test_scapy_and_the_command_exchange_macsec(bits: int, clear: list[str]) -> None:
    from scapy.all import Ether  # type: ignore[attr-defined]
    from scapy.contrib.macsec import MACsecSA

    key = random.Random(bits).randbytes(bits // 8)
    peer: Any = MACsecSA(  # type: ignore[no-untyped-call]
        sci=bytes.fromhex(SCI), an=1, pn=1, key=key, icvlen=16, encrypt=not clear, send_sci=True
    )
    options = ["--protocol", "macsec", "--sci", SCI, "--an", "1", "--key", key.hex(), *clear]
    plain = ethernet_frames()
    save("plain.pcap", plain, ETHERNET)
    assert main(["packets", "plain.pcap", "sealed.pcap", *options]) == 0
    assert [bytes(peer.decap(peer.decrypt(Ether(data)))) for data in read("sealed.pcap")] == plain
    theirs = []
    for data in plain:
        theirs.append(bytes(peer.encrypt(peer.encap(Ether(data)))))
        peer.pn += 1
    save("theirs.pcap", theirs, ETHERNET)
    assert main(["packets", "theirs.pcap", "again.pcap", *options, "--decrypt"]) == 0
    assert read("again.pcap") == plain


def test_extended_packet_numbers_take_a_salt_after_the_key() -> None:
    """IEEE 802.1AEbw: the nonce is SSCI and number, added to the salt."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    salt, (frame, *_) = bytes(range(50, 62)), ethernet_frames()
    save("plain.pcap", [frame], ETHERNET)
    options = ["--protocol", "macsec", "--sci", SCI, "--ssci", "00000003", "--key", (KEY + salt).hex()]
    assert main(["packets", "plain.pcap", "sealed.pcap", *options]) == 0
    (sealed,) = read("sealed.pcap")
    nonce = xor(struct.pack(">IQ", 3, 1), salt)
    assert AESGCM(KEY).decrypt(nonce, sealed[28:], sealed[:28]) == frame[12:]
    assert main(["packets", "sealed.pcap", "again.pcap", *options, "--decrypt"]) == 0
    assert read("again.pcap") == [frame]


def test_frames_that_macsec_leaves_alone_stay_as_they_are() -> None:
    agreement, plain = bytes(12) + b"\x88\x8e" + bytes(40), ethernet_frames()[4]
    options = KINDS["macsec"].options
    save("plain.pcap", [agreement, plain], ETHERNET)
    assert main(["packets", "plain.pcap", "sealed.pcap", *options]) == 0
    assert read("sealed.pcap")[0] == agreement
    assert main(["packets", "sealed.pcap", "again.pcap", *options, "--decrypt"]) == 0
    assert read("again.pcap") == [agreement, plain]


# ------------------------------------------------------------------------- SRTP


def libsrtp(name: str, key: bytes, inbound: bool) -> Any:
    from pylibsrtp import Policy, Session

    profiles = {
        ("aes-gcm", 28): Policy.SRTP_PROFILE_AEAD_AES_128_GCM,
        ("aes-gcm", 44): Policy.SRTP_PROFILE_AEAD_AES_256_GCM,
        ("aes-cm-sha1-80", 30): Policy.SRTP_PROFILE_AES128_CM_SHA1_80,
        ("aes-cm-sha1-32", 30): Policy.SRTP_PROFILE_AES128_CM_SHA1_32,
    }
    kind = Policy.SSRC_ANY_INBOUND if inbound else Policy.SSRC_ANY_OUTBOUND
    return Session(Policy(key=key, ssrc_type=kind, srtp_profile=profiles[name, len(key)]))


def is_control(packet: bytes) -> bool:
    return packet[1] in (200, 201)


@pytest.mark.parametrize(
    ("name", "size"), [("aes-gcm", 16), ("aes-gcm", 32), ("aes-cm-sha1-80", 16), ("aes-cm-sha1-32", 16)]
)
def test_libsrtp_and_the_command_exchange_srtp(name: str, size: int) -> None:
    from scapy.all import IP, UDP, Ether, IPv6  # type: ignore[attr-defined]

    draw = random.Random(size)
    key, packets = draw.randbytes(size + SALTS[name]), calls()
    options = ["--protocol", "srtp", "--cipher", name, "--port", str(PORT), "--key", key.hex()]
    plain = datagrams(draw, packets)
    save("plain.pcap", plain, ETHERNET)
    assert main(["packets", "plain.pcap", "sealed.pcap", *options]) == 0
    peer, opened = libsrtp(name, key, inbound=True), []
    for data, packet in zip(read("sealed.pcap"), packets, strict=True):
        frame = Ether(data)
        # Lengths and checksums are those that scapy computes.
        again = Ether(data)
        for layer, fields in ((IP, ("len", "chksum")), (IPv6, ("plen",)), (UDP, ("len", "chksum"))):
            for field in fields if layer in again else ():
                again[layer].delfieldval(field)
        assert bytes(again) == data
        sent = bytes(frame[UDP].payload)
        opened.append(peer.unprotect_rtcp(sent) if is_control(packet) else peer.unprotect(sent))
    assert opened == packets
    peer = libsrtp(name, key, inbound=False)
    theirs = [peer.protect_rtcp(packet) if is_control(packet) else peer.protect(packet) for packet in packets]
    save("theirs.pcap", datagrams(random.Random(size), theirs), ETHERNET)
    assert main(["packets", "theirs.pcap", "again.pcap", *options, "--decrypt"]) == 0
    assert [bytes(Ether(data)[UDP].payload) for data in read("again.pcap")] == packets


def test_other_datagrams_stay_as_they_are_and_no_number_is_sent_twice(capsys: pytest.CaptureFixture[str]) -> None:
    options = KINDS["srtp"].options
    frames = datagrams(random.Random(2), [*calls(1), b"no RTP"])
    save("plain.pcap", [frames[0], frames[0], frames[-1], bytes(14)], ETHERNET)
    assert main(["packets", "plain.pcap", "sealed.pcap", *options]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(": ")[2] for line in lines] == [
        "packet 2: sequence number 65534 comes again: a nonce would be used twice",
        "packet 3: not a packet of RTP, version 2",
    ]
    assert read("sealed.pcap")[1:] == [bytes(14)]
    save("plain.pcap", frames[:1], ETHERNET)
    assert main(["packets", "plain.pcap", "sealed.pcap", *options, "--port", "9"]) == 0
    assert read("sealed.pcap") == frames[:1]


# ------------------------------------------------------------------------- PDCP


def nea(number: int, key: bytes, count: int, data: bytes) -> bytes:
    """Encrypt with BEARER 3, DIRECTION 1, by OpenSSL and the models of the standards."""
    half = struct.pack(">IBxxx", count, 3 << 3 | 1 << 2)
    if number == 2:
        return Cipher(AES(key), CTR(half + bytes(8))).encryptor().update(data)
    if number == 3:
        return xor(zuc.keystream(key, half * 2, len(data)), data)
    # K0 is the last word of CK (TS 35.215 3.4).
    words = b"".join(key[at : at + 4] for at in (12, 8, 4, 0))
    return xor(snow3g.keystream(words, (half[4:] + half[:4]) * 2, len(data)), data)


def nia(number: int, key: bytes, count: int, data: bytes) -> bytes:
    if number == 2:
        peer = CMAC(AES(key))
        peer.update(struct.pack(">IBxxx", count, 3 << 3 | 1 << 2) + data)
        return peer.finalize()[:4]
    return (snow3g.eia1 if number == 1 else zuc.eia3)(key, count, 3, 1, data, 8 * len(data))


@pytest.mark.parametrize("number", [1, 2, 3])
def test_models_and_the_command_exchange_pdcp(number: int) -> None:
    draw = random.Random(number)
    key, auth_key, plain = draw.randbytes(16), draw.randbytes(16), ip_packets()
    options = f"--protocol pdcp --cipher nea{number} --integrity nia{number} --bearer 3 --direction 1".split()
    options += ["--sn-bits", "18", "--count", "0003ffff", "--key", (key + auth_key).hex()]
    pdus = []
    for count, data in enumerate(plain, 0x3FFFF):
        head = (count % (1 << 18) | 0x800000).to_bytes(3)
        pdus.append(head + nea(number, key, count, data + nia(number, auth_key, count, head + data)))
    save("plain.pcap", plain, RAW)
    assert main(["packets", "plain.pcap", "sealed.pcap", *options]) == 0
    assert read("sealed.pcap") == pdus
    assert main(["packets", "sealed.pcap", "again.pcap", *options, "--decrypt"]) == 0
    assert read("again.pcap") == plain


def test_the_control_plane_has_messages_of_any_kind() -> None:
    options = shlex.split(
        "--protocol pdcp --cipher nea0 --integrity nia0 --bearer 3 --direction 1 --control --sn-bits 5"
    )
    options.append("--key")
    save("plain.pcap", [b"otter", b""], USER)
    assert main(["packets", "plain.pcap", "sealed.pcap", *options, ""]) == 0
    assert read("sealed.pcap") == [b"\0otter\0\0\0\0", b"\1\0\0\0\0"]
    assert main(["packets", "sealed.pcap", "again.pcap", *options, "", "--decrypt"]) == 0
    assert read("again.pcap") == [b"otter", b""]


def test_data_that_are_not_ip_are_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    """Without integrity, nothing else tells a wrong key."""
    options = ["--protocol", "pdcp", "--bearer", "3", "--direction", "1", "--key"]
    save("plain.pcap", ip_packets()[:2], RAW)
    assert main(["packets", "plain.pcap", "sealed.pcap", *options, KEY.hex()]) == 0
    status = bytes(3)
    save("came.pcap", [status, *read("sealed.pcap")], USER)
    assert main(["packets", "came.pcap", "again.pcap", *options, bytes(16).hex(), "--decrypt"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert "packet 1: a control PDU" in lines[0]
    assert all("the data are not an IP packet" in line for line in lines[1:]) and len(lines) == 3
    save("frames.pcap", [bytes(14), ethernet_frames()[0]], ETHERNET)
    assert main(["packets", "frames.pcap", "sealed.pcap", *options, KEY.hex()]) == 1
    assert "packet 1: not an IP packet" in capsys.readouterr().err
    assert len(read("sealed.pcap")) == 1


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("macsec", ["--key", "00"], "key of 1 bytes; MACsec takes 16 or 32"),
        ("macsec", ["--sci", "00"], "SCI of 1 bytes"),
        ("macsec", ["--ssci", "00000001"], "key of 16 bytes; with --ssci it has 28 or 44"),
        ("macsec", ["--ssci", "01", "--key", "00" * 28], "an SSCI of 4 bytes"),
        ("macsec", ["--spi", "7"], "--spi is for --protocol esp"),
        ("macsec", ["--cipher", "aes-cm-sha1-80"], "--cipher aes-cm-sha1-80: choose aes-gcm"),
        ("srtp", ["--key", "00" * 30], "key of 30 bytes; aes-gcm in SRTP takes 28 or 44, the last 12"),
        ("srtp", ["--cipher", "aes-cm-sha1-80"], "takes 30 or 38 or 46, the last 14"),
        ("srtp", ["--port", "0"], "--port"),
        ("pdcp", ["--key", KEY.hex()], "key of 16 bytes; these algorithms take 32"),
        ("pdcp", ["--cipher", "nea7"], "choose nea2 or nea0 or nea1 or nea3 or nea4 or nea5 or nea6 or nca4"),
        ("pdcp", ["--cipher", "nca4"], "nca4 makes MAC-I itself; leave out --integrity"),
        ("pdcp", ["--cipher", "nea4"], "key of 32 bytes; these algorithms take 48"),
        ("pdcp", ["--integrity", "nia9"], "choose nia0 or nia1 or nia2 or nia3 or nia4 or nia5 or nia6"),
        ("pdcp", ["--sn-bits", "6"], "sequence numbers of 6 bits; PDCP has 5, 7, 12, 15, 18"),
        ("pdcp", ["--count", "00"], "--count has 2 hexadecimal digits; it takes 8"),
        ("pdcp", ["--control"], "link type 101: messages of the control plane are read from"),
        ("pdcp", ["--decrypt"], "link type 101: PDUs are read from captures of link type 147"),
    ],
)
def test_a_wrong_option_is_one_clear_line(
    kind: str, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    save("plain.pcap", KINDS[kind].plain(), KINDS[kind].link)
    assert main(["packets", "plain.pcap", "sealed.pcap", *KINDS[kind].options, *options]) > 0
    error = capsys.readouterr().err
    assert message in error and error.splitlines()[-1].startswith("lutra")
    assert not Path("sealed.pcap").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("esp", "give --spi"),
        ("srtp", "give --port"),
        ("pdcp", "give --bearer and --direction"),
    ],
)
def test_what_a_protocol_needs_is_said(options: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    more = ["--tunnel", "::1,::2"] if options == "esp" else []
    assert main(["packets", "plain.pcap", "sealed.pcap", "--protocol", options, "--key", "00" * 28, *more]) > 0
    assert message in capsys.readouterr().err
