"""SRTP of `lutra packets` and libsrtp: master key identifiers; sources and windows of a receiver."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest
from pylibsrtp import Error

from lutra.cli.main import main
from lutra.soc.packets import pcap, protocols, srtp
from lutra.soc.packets.errors import PacketError
from lutra.soc.packets.jobs import Cores
from lutra.soc.packets.pcap import RAW, Capture, Frame
from support.libsrtp import Peer

PORT, MKI = 5004, bytes.fromhex("00a1b2")
NAMES = [("aes-gcm", 28), ("aes-gcm", 44), ("aes-cm-sha1-80", 30), ("aes-cm-sha1-32", 30)]
UDP_HEADERS = 28


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def datagram(payload: bytes) -> bytes:
    """A payload in UDP and IPv4. The checksums are not looked at."""
    udp = struct.pack(">HHHH", 6000, PORT, 8 + len(payload), 0) + payload
    return struct.pack(">BBHIBBH8x", 0x45, 0, 20 + len(udp), 0, 64, 17, 0) + udp


def save(name: str, payloads: list[bytes]) -> None:
    Path(name).write_bytes(pcap.write(Capture(RAW), [Frame(datagram(one)) for one in payloads]))


def read(name: str) -> list[bytes]:
    return [frame.data[UDP_HEADERS:] for frame in pcap.parse(Path(name).read_bytes(), name)[1]]


def rtp(number: int, source: int = 7, size: int = 50) -> bytes:
    return struct.pack(">BBHII", 0x80, 96, number, 160 * number, source) + random.Random(number).randbytes(size)


def rtcp(source: int = 7) -> bytes:
    return struct.pack(">BBHI", 0x80, 200, 6, source) + bytes(range(20))


def options(name: str, key: bytes, *more: str) -> list[str]:
    return ["--protocol", "srtp", "--cipher", name, "--port", str(PORT), "--key", key.hex(), *more]


@pytest.mark.parametrize(("name", "size"), NAMES)
def test_libsrtp_and_the_command_exchange_master_key_identifiers(name: str, size: int) -> None:
    key = random.Random(size).randbytes(size)
    packets = [rtp(1), rtcp(), rtp(2, size=1), rtp(1, source=9), rtcp(9)]
    with_mki = options(name, key, "--mki", MKI.hex())
    save("plain.pcap", packets)
    assert main(["packets", "plain.pcap", "sealed.pcap", *with_mki]) == 0
    peer = Peer(name, key, inbound=True, mki=MKI)
    assert [peer.unprotect(one, one[1] == 200) for one in read("sealed.pcap")] == packets
    peer = Peer(name, key, inbound=False, mki=MKI)
    save("theirs.pcap", [peer.protect(one, one[1] == 200) for one in packets])
    assert main(["packets", "theirs.pcap", "again.pcap", *with_mki, "--decrypt"]) == 0
    assert read("again.pcap") == packets


@pytest.mark.parametrize(("name", "size"), NAMES)
def test_a_packet_with_another_identifier_is_dropped_with_a_line(
    name: str, size: int, capsys: pytest.CaptureFixture[str]
) -> None:
    key = bytes(size)
    save("plain.pcap", [rtp(1), rtcp()])
    assert main(["packets", "plain.pcap", "sealed.pcap", *options(name, key, "--mki", "0102")]) == 0
    assert main(["packets", "sealed.pcap", "again.pcap", *options(name, key, "--mki", "0103"), "--decrypt"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert all("master key identifier 0102; that of the session's key is 0103" in line for line in lines)
    with pytest.raises(Error):
        Peer(name, key, inbound=True, mki=b"\1\3").unprotect(read("sealed.pcap")[0])


def test_a_packet_that_ends_in_its_identifier_has_no_tag() -> None:
    keys = srtp.Keys(bytes(16), bytes(14), bytes(20), mki=bytes(4))
    with pytest.raises(PacketError, match="which has no tag"):
        srtp.Receiver(keys).open(rtp(1, size=13))
    with pytest.raises(PacketError, match="too short"):
        srtp.ControlReceiver(keys).open(rtcp()[:8] + bytes(17))
    with pytest.raises(PacketError, match="identifier of 129 bytes; it has up to 128"):
        srtp.Keys(bytes(16), bytes(12), mki=bytes(129))


# ------------------------------------------------------------ header extensions

# Padding is at the end: in libsrtp, the keystream does not go on under it, as RFC 6904 has it.
ELEMENTS = {
    "one byte": bytes.fromhex("bede0005 12aabbcc 20dd 35010203040506 4011 0000000000"),
    "end of the elements": bytes.fromhex("bede0003 12aabbcc f2112233 10ee0000"),
    "two bytes": bytes.fromhex("10000004 0103aabbcc 0200 0304deadbeef 000000"),
    "two bytes for the application": bytes.fromhex("10070002 0103aabbcc 030177"),
    "nothing": bytes.fromhex("bede0000"),
}


def extended(number: int, extension: bytes, sources: int = 0) -> bytes:
    plain = rtp(number)
    return bytes([plain[0] | 0x10 | sources]) + plain[1:12] + bytes(range(4 * sources)) + extension + plain[12:]


@pytest.mark.parametrize("what", ELEMENTS)
@pytest.mark.parametrize(("name", "size"), NAMES)
def test_libsrtp_reads_encrypted_header_extensions_and_the_other_way_round(name: str, size: int, what: str) -> None:
    key, chosen = random.Random(size).randbytes(size), (1, 3)
    length = 12 if name == "aes-gcm" else 14
    tag = 4 if name.endswith("32") else 10
    keys = srtp.Keys.derived(key[:-length], key[-length:], tag_bytes=tag, extensions=chosen)
    packets = [extended(n, ELEMENTS[what], n % 3) for n in range(1, 5)]
    sender, receiver, (core,) = srtp.Sender(keys), srtp.Receiver(keys), Cores(1).all
    ours, peer = Peer(name, key, inbound=True, extensions=chosen), Peer(name, key, inbound=False, extensions=chosen)
    for packet in packets:
        header, job = sender.seal(packet)
        result = core.run(job)
        assert result is not None
        whole = header + keys.sent(result)
        assert peer.protect(packet) == whole
        assert ours.unprotect(whole) == packet
        received = receiver.open(whole)
        assert receiver.accept(received, core.run(received.job)) == packet
        assert (header != packet[: len(header)]) == (what != "nothing")


# RFC 6904 appendix A, as libsrtp has it.
MASTER = bytes.fromhex("e1f97a0d3e018be0d64fa32c06de4139"), bytes.fromhex("0ec675ad498afeebb6960b3aabe6")
PLAIN = bytes.fromhex(
    "900f1234decafbadcafebabebede000617414273a475262748220000c8308e4655996386b395fb00abababababababababababababababab"
)
SEALED = bytes.fromhex(
    "900f1234decafbadcafebabebede000617588a9270f4e15e1c220000c8309546a994f0bc"
    "547897004e55dc4ce79978d88ca4d215949d24025a46b3ca35c535a891c7"
)


def test_a_packet_with_encrypted_extensions_of_rfc_6904() -> None:
    keys = srtp.Keys.derived(*MASTER, extensions=[1, 3, 4])
    assert keys.extensions is not None
    assert keys.extensions.key.hex() == "549752054d6fb708622c4a2e596a1b93"
    assert keys.extensions.salt.hex() == "ab01818174c40d39a3781f7c2d27"
    (core,) = Cores(1).all
    header, job = srtp.Sender(keys).seal(PLAIN)
    result = core.run(job)
    assert result is not None
    assert header + keys.sent(result) == SEALED
    receiver = srtp.Receiver(keys)
    received = receiver.open(SEALED)
    assert receiver.accept(received, core.run(received.job)) == PLAIN


def test_each_element_has_the_keystream_of_its_place() -> None:
    """Also after padding; extensions of another kind have no elements."""
    extensions = srtp.Keys.derived(*MASTER, extensions=[1, 3]).extensions
    assert extensions is not None

    def crypted(extension: str) -> bytes:
        return extensions.crypt(extended(1, bytes.fromhex(extension))[:32], 1)[16:]

    stream = crypted("bede0004 1e" + "00" * 15)[1:]
    spread = crypted("bede0004 11000000 00 20ff 3300000000 0000 0000")
    assert spread == b"\x11" + stream[:2] + b"\0\0 \xff\x33" + stream[7:11] + bytes(4)
    assert crypted("abcd0004" + "12" * 16) == bytes([0x12] * 16)


def test_extensions_that_are_wrong_are_refused() -> None:
    keys = srtp.Keys.derived(bytes(16), bytes(14), extensions=[1])
    sender = srtp.Sender(keys)
    for extension in (b"\xbe\xde\0\1\x14\1\2\3", b"\x10\0\0\1\1\3\1\2", b"\x10\0\0\1\0\0\0\2"):
        with pytest.raises(PacketError, match="an element of a header extension that ends after it"):
            sender.seal(extended(1, extension))
    assert sender.last is None
    for wrong in (0, 256):
        with pytest.raises(PacketError, match=f"identifier {wrong} of a header extension; choose from 1 to 255"):
            srtp.Keys.derived(bytes(16), bytes(14), extensions=[wrong])


# ---------------------------------------------------------------------- sources


def sealed(session: protocols.Session, packets: list[bytes]) -> list[bytes]:
    """Frames of a sender."""
    return through(protocols.SrtpOutbound(session), [datagram(one) for one in packets])


def through(protocol: protocols.SrtpInbound | protocols.SrtpOutbound, frames: list[bytes]) -> list[bytes]:
    """The frames that are made of others, without those that are dropped."""
    made = []
    for frame in frames:
        try:
            pending = protocol.take(RAW, frame, 0)
            assert pending is not None
            done = pending.finish(*Cores(1).run([pending.job]))
        except PacketError:
            continue
        assert done is not None
        made.append(done.data)
    return made


SESSION = protocols.Session.derived(bytes(16), bytes(12), PORT)


def test_a_source_that_is_forged_leaves_nothing_in_the_receiver() -> None:
    good = sealed(SESSION, [rtp(1), rtcp()])
    receiver = protocols.SrtpInbound(SESSION)
    forged = [datagram(rtp(n, source=n)) for n in range(20)] + [datagram(rtcp(n) + bytes(20)) for n in range(20)]
    changed = [frame[:-1] + bytes([frame[-1] ^ 1]) for frame in good]
    assert through(receiver, [*forged, *changed]) == []
    assert (receiver.rtp, receiver.rtcp) == ({}, {})
    assert len(through(receiver, [*good, *forged])) == 2
    assert [*receiver.rtp, *receiver.rtcp] == [struct.pack(">I", 7)] * 2


def test_two_packets_of_a_new_source_that_are_taken_before_one_is_done_share_its_window() -> None:
    frames = sealed(SESSION, [rtp(1), rtp(2)])
    receiver = protocols.SrtpInbound(SESSION)
    taken = [receiver.take(RAW, frame, 0) for frame in (frames[1], frames[0], frames[0])]
    results = Cores(1).run([one.job for one in taken if one])
    first, second, again = (one.finish for one in taken if one)
    for finish, result in zip((first, second), results, strict=False):
        assert finish(result)
    with pytest.raises(PacketError, match="received before"):
        again(next(results))
    (source,) = receiver.rtp.values()
    assert source.last == 2


# ---------------------------------------------------------------------- windows


def replayed(window: list[str], kind: list[str], order: list[int], capsys: pytest.CaptureFixture[str]) -> list[int]:
    """Which of the sealed frames a receiver takes, in an order."""
    capture, frames = pcap.parse(Path("sealed.pcap").read_bytes(), "")
    Path("came.pcap").write_bytes(pcap.write(capture, [frames[n] for n in order]))
    main(["packets", "came.pcap", "again.pcap", *kind, "--decrypt", *window])
    capsys.readouterr()
    got = [frame.data for frame in pcap.parse(Path("again.pcap").read_bytes(), "")[1]]
    return [next(n for n in range(80) if data.endswith(rtp(n))) for data in got]


KINDS = {
    "esp": (["--spi", "0x1000", "--key", "00" * 20], ["--tunnel", "192.0.2.1,192.0.2.2"], RAW),
    "macsec": (["--protocol", "macsec", "--sci", "0001020304050607", "--key", "00" * 16], [], 1),
    "srtp": (options("aes-gcm", bytes(28)), [], RAW),
}


@pytest.mark.parametrize(
    ("name", "window", "late"),
    [
        ("esp", [], 63),
        ("esp", ["--replay-window", "8"], 7),
        ("macsec", [], None),
        ("macsec", ["--replay-window", "8"], 8),
        ("srtp", [], 63),
        ("srtp", ["--replay-window", "70"], 69),
    ],
)
def test_a_packet_that_is_later_than_the_window_is_dropped(
    name: str, window: list[str], late: int | None, capsys: pytest.CaptureFixture[str]
) -> None:
    """MACsec counts from the next number, the others from the highest one."""
    kind, outbound, link = KINDS[name]
    frames = [bytes(12) + datagram(rtp(n)) if link == 1 else datagram(rtp(n)) for n in range(80)]
    Path("plain.pcap").write_bytes(pcap.write(Capture(link), [Frame(one) for one in frames]))
    assert main(["packets", "plain.pcap", "sealed.pcap", *kind, *outbound]) == 0
    highest = 75
    if late is None:
        assert replayed(window, kind, [highest, highest - 1, highest], capsys) == [highest]
        return
    lowest = highest - late + (name == "macsec")
    assert replayed(window, kind, [highest, lowest - 1, lowest, 0], capsys) == [highest, lowest]


@pytest.mark.parametrize(
    ("name", "more", "text"),
    [
        ("esp", ["--decrypt", "--replay-window", "0"], "--replay-window 0: esp takes 1 to 32768"),
        ("srtp", ["--decrypt", "--replay-window", "63"], "--replay-window 63: srtp takes 64 to 32768"),
        ("macsec", ["--decrypt", "--replay-window", "-1"], "a replay window of -1; MACsec takes 0 to 4294967295"),
        ("macsec", ["--replay-window", "5"], "--replay-window is for a receiver; leave it out, or add --decrypt"),
        ("macsec", ["--mki", "00"], "--mki is for --protocol srtp; leave it out"),
        ("srtp", ["--mki", "0"], "--mki has 1 hexadecimal digits"),
        ("srtp", ["--mki", "00" * 129], "a master key identifier of 129 bytes; it has up to 128"),
    ],
)
def test_windows_and_identifiers_that_are_wrong_are_one_line(
    name: str, more: list[str], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    save("plain.pcap", [rtp(1)])
    assert main(["packets", "plain.pcap", "new.pcap", *KINDS[name][0], *more]) == 2
    error = capsys.readouterr().err
    assert text in error and error.count("\n") == 1


def test_pdcp_has_no_replay_window(capsys: pytest.CaptureFixture[str]) -> None:
    save("plain.pcap", [rtp(1)])
    arguments = ["--protocol", "pdcp", "--bearer", "1", "--direction", "0", "--key", "00" * 16, "--replay-window", "9"]
    assert main(["packets", "plain.pcap", "new.pcap", *arguments]) == 2
    assert "--replay-window is for --protocol esp or macsec or srtp; leave it out" in capsys.readouterr().err
