"""ESP: official vectors, scapy as peer, the window of sequence numbers, captures that are damaged."""

from __future__ import annotations

import json
import random
import struct
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import ECB
from cryptography.hazmat.primitives.cmac import CMAC

from lutra.cli.main import main
from lutra.soc.packets import captures, pcap
from lutra.soc.packets.captures import Report
from lutra.soc.packets.errors import PacketError
from lutra.soc.packets.esp import LOW, Association, Receiver, Sender, Window
from lutra.soc.packets.ip import IPV4
from lutra.soc.packets.jobs import ALGORITHMS, CBC_CMAC, CHACHA20_POLY1305, GCM, Cores, Job
from lutra.soc.packets.pcap import ETHERNET, NANOSECONDS, RAW, Capture, Frame
from lutra.soc.packets.tunnel import Ends, Inbound, Outbound
from support.fixed_function import SHARED

FILES = {
    "esp_aes_gcm_draft": GCM,
    "esp_aes_gcm_computed": GCM,
    "esp_dpdk": GCM,
    "esp_chacha20_poly1305_rfc7634": CHACHA20_POLY1305,
    "esp_chacha20_poly1305_computed": CHACHA20_POLY1305,
}
# Test case 1 of draft-mcgrew-gcm-test-01: a packet of DNS with an extended sequence number.
DRAFT = {
    "key": "4c80cdefbb5d10da906ac73c3613a634",
    "salt": "2e443b68",
    "spi": "00004321",
    "sequence": "8765432100000000",
    "iv": "4956ed7e3b244cfe",
    "aad": "000043218765432100000000",
    "plaintext": "45000048699a000080114db7c0a80102c0a801010a9bf15638d301000001000000000000045f736970045f75647003736970"
    "0963796265726369747902646b000021000101020201",
    "packet": "00004321000000004956ed7e3b244cfefecf537e729d5b07dc30df528dd22b768d1b98736696a6fd348509fa13ceac34cfa2"
    "436f14a3f3cf65925bf1f4a13c5d15b21e1884f5ff6247aeabb786b93bce61bc17d768fd9732459018148f6cbe722fd04796"
    "562dfdb4",
}
# Appendix A of RFC 7634.
RFC7634 = {
    "key": "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
    "salt": "a0a1a2a3",
    "spi": "01020304",
    "sequence": "00000005",
    "iv": "1011121314151617",
    "aad": "0102030400000005",
    "plaintext": "45000054a6f200004001e778c6336405c000020508005b7a3a080000553bec100007362708090a0b0c0d0e0f101112131415"
    "161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363701020204",
    "packet": "0102030400000005101112131415161724039428b97f417e3c13753a4f05087b67c352e6a7fab1b982d466ef407ae5c614ee"
    "8099d52844eb61aa95dfab4c02f72aa71e7c4c4f64c9befe2facc638e8f3cbec163fac469b502773f6fb94e664da9165b828"
    "29f641e076aaa8266b7fb0f7b11b369907e1ad43",
}
# Case 5 of RFC 3602: a packet of ICMP in transport mode.
RFC3602: dict[str, Any] = {
    "key": "90d382b410eeba7ad938c46cec1a82bf",
    "spi": "00004321",
    "sequence": "00000001",
    "iv": "e96e8c08ab465763fd098d45dd3ff893",
    "next_header": 1,
    "payload": "08000ebda70a00008e9c083db95b070008090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223242526272829"
    "2a2b2c2d2e2f3031323334353637",
    "packet": "0000432100000001e96e8c08ab465763fd098d45dd3ff893f663c25d325c18c6a9453e194e120849a4870b66cc6b99653300"
    "13b4898dc856a4699e523a55db080b59ec3a8e4b7e52775b07d1db34ed9c538ab50c551b874aa269add047ad2d5913ac19b7"
    "cfbad4a6",
}
SPI = 0x1000
KEYS = {"aes-gcm": bytes(range(20)), "chacha20-poly1305": bytes(range(36)), "aes-cbc-cmac": bytes(range(32))}
SOURCE, DESTINATION = "192.0.2.1", "192.0.2.2"
SIX = ("2001:db8::1", "2001:db8::2")
CAPTURE = Capture(RAW)


def hexadecimal(test: dict[str, Any], name: str) -> bytes:
    return bytes.fromhex(test[name])


def check(algorithm: Any, test: dict[str, Any]) -> None:
    """Seal and open the packet of a test."""
    number = hexadecimal(test, "sequence")
    sequence, extended = int.from_bytes(number, "big"), len(number) == 8
    material = hexadecimal(test, "key") + hexadecimal(test, "salt")
    association = Association(int(test["spi"], 16), algorithm, material, extended)
    iv, text, packet = hexadecimal(test, "iv"), hexadecimal(test, "plaintext"), hexadecimal(test, "packet")
    assert association.associated(sequence) == hexadecimal(test, "aad")
    job = Job(algorithm, association.key, association.salt + iv, association.associated(sequence), text)
    (sealed,) = Cores(1).run([job])
    assert sealed is not None
    head = struct.pack(">II", association.spi, sequence % LOW) + iv
    assert head + sealed == packet
    if "payload" in test:
        assert Sender(association, sequence - 1).seal(hexadecimal(test, "payload"), test["next_header"], iv) == (
            head,
            job,
        )
    receiver = Receiver(association, Window(max(0, sequence - 1)))
    if sequence:
        received = receiver.open(packet)
        (opened,) = Cores(1).run([received.job])
        assert opened == text


@pytest.mark.parametrize(("algorithm", "test"), [(GCM, DRAFT), (CHACHA20_POLY1305, RFC7634)], ids=["gcm", "chacha20"])
def test_packets_of_the_standards(algorithm: Any, test: dict[str, Any]) -> None:
    check(algorithm, test)


@pytest.mark.parametrize("name", FILES)
def test_packets_of_the_vectors(name: str) -> None:
    path = SHARED / "packets" / f"{name}.json"
    if not path.is_file():
        pytest.skip(f"{path} is not there; LUTRA_VECTORS names the folder of all vectors")
    tests = json.loads(path.read_text())["tests"]
    served = [t for t in tests if t.get("cipher", "AES-GCM") == "AES-GCM" and t.get("mode") != "AES-GMAC"]
    assert served
    for test in served:
        check(FILES[name], test)


def test_cbc_packets_of_rfc_3602_come_before_their_tag() -> None:
    """The RFC prints them without one."""
    path = SHARED / "packets/esp_aes_cbc_rfc3602.json"
    tests = [RFC3602, *(json.loads(path.read_text())["tests"] if path.is_file() else ())]
    mac_key = bytes(range(16))
    for test in tests:
        association = Association(int(test["spi"], 16), CBC_CMAC, hexadecimal(test, "key") + mac_key)
        sequence, packet = int(test["sequence"], 16), hexadecimal(test, "packet")
        iv, payload = hexadecimal(test, "iv"), hexadecimal(test, "payload")
        head, job = Sender(association, sequence - 1).seal(payload, test["next_header"], iv)
        (sealed,) = Cores(1).run([job])
        assert sealed is not None
        assert head + sealed == packet + cmac_96(mac_key, packet)
        receiver = Receiver(association)
        received = receiver.open(head + sealed)
        (text,) = Cores(1).run([received.job])
        assert receiver.accept(received, text) == (payload, test["next_header"])


def cmac_96(key: bytes, message: bytes) -> bytes:
    """AES-CMAC-96 (RFC 4494) by OpenSSL."""
    peer = CMAC(AES(key))
    peer.update(message)
    return peer.finalize()[:12]


@pytest.mark.parametrize("high", [0, 3])
def test_the_high_half_of_a_sequence_number_is_authenticated_after_the_ciphertext(high: int) -> None:
    association = Association(SPI, CBC_CMAC, KEYS["aes-cbc-cmac"], extended=True)
    head, job = Sender(association, high * LOW + 6).seal(b"otter", IPV4)
    (sealed,) = Cores(1).run([job])
    assert sealed is not None
    packet = head + sealed[:-12]
    assert sealed[-12:] == cmac_96(KEYS["aes-cbc-cmac"][16:], packet + struct.pack(">I", high))


def test_an_iv_of_cbc_is_the_encrypted_sequence_number() -> None:
    association = Association(SPI, CBC_CMAC, KEYS["aes-cbc-cmac"])
    _, job = Sender(association, 6).seal(b"otter", IPV4)
    (sealed,) = Cores(1).run([job])
    assert sealed is not None
    encryptor = Cipher(AES(KEYS["aes-cbc-cmac"][:16]), ECB()).encryptor()
    assert sealed[:16] == encryptor.update((7).to_bytes(16, "big"))


def run(frames: list[Frame], protocol: Inbound | Outbound) -> tuple[list[Frame], Report]:
    """Put IP packets through a protocol, on two cores."""
    capture, out, report = captures.run(CAPTURE, frames, protocol, Cores(2))
    assert capture == CAPTURE
    return out, report


def packets(draw: random.Random, count: int, version: int = 4) -> list[bytes]:
    """IP packets of any size."""
    from scapy.all import IP, UDP, IPv6, Raw  # type: ignore[attr-defined]

    made = []
    for _ in range(count):
        data = UDP(sport=1, dport=2) / Raw(draw.randbytes(draw.randrange(700)))
        head = IP(src="10.0.0.1", dst="10.0.0.2") if version == 4 else IPv6(src="fd00::1", dst="fd00::2")
        made.append(bytes(head / data))
    return made


def scapys(association: Association, ends: tuple[str, str]) -> Any:
    """The other end of an association, by scapy."""
    from scapy.all import ESP, IP, IPv6  # type: ignore[attr-defined]
    from scapy.layers.ipsec import SecurityAssociation

    outer = (IP if "." in ends[0] else IPv6)(src=ends[0], dst=ends[1])
    names = {"aes-gcm": "AES-GCM", "chacha20-poly1305": "CHACHA20-POLY1305", "aes-cbc-cmac": "AES-CBC"}
    keys = {"crypt_key": association.material}
    if not association.algorithm.combined:
        keys = {"crypt_key": association.material[:-16], "auth_key": association.material[-16:]}
    return SecurityAssociation(  # type: ignore[no-untyped-call]
        ESP,
        spi=association.spi,
        crypt_algo=names[association.algorithm.name],
        auth_algo=None if association.algorithm.combined else "AES-CMAC-96",
        tunnel_header=outer,
        esn_en=association.extended,
        **keys,
    )


@pytest.mark.parametrize("ends", [(SOURCE, DESTINATION), SIX], ids=["IPv4", "IPv6"])
@pytest.mark.parametrize("name", ALGORITHMS)
def test_scapy_reads_what_is_encrypted_and_the_other_way_round(name: str, ends: tuple[str, str]) -> None:
    from scapy.all import IP, IPv6  # type: ignore[attr-defined]

    draw = random.Random(name)
    association = Association(SPI, ALGORITHMS[name], KEYS[name])
    plain = packets(draw, 8) + packets(draw, 4, 6)
    frames = [Frame(data) for data in plain]
    sealed, report = run(frames, Outbound(association, Ends(*map(ip_address, ends))))
    assert report.changed == len(plain)
    peer, layer = scapys(association, ends), IP if "." in ends[0] else IPv6
    assert [bytes(peer.decrypt(layer(frame.data))) for frame in sealed] == plain
    peer = scapys(association, ends)
    theirs = [Frame(bytes(peer.encrypt((IP if data[0] >> 4 == 4 else IPv6)(data)))) for data in plain]
    opened, report = run(theirs, Inbound(association))
    assert [frame.data for frame in opened] == plain
    assert not report.dropped


def sealed_frames(count: int, association: Association) -> tuple[list[bytes], list[Frame]]:
    draw = random.Random(count)
    plain = packets(draw, count)
    ends = Ends(ip_address(SOURCE), ip_address(DESTINATION))
    out, _ = run([Frame(data) for data in plain], Outbound(association, ends))
    return plain, out


def test_replayed_and_changed_packets_are_dropped_and_do_not_move_the_window() -> None:
    association = Association(SPI, GCM, KEYS["aes-gcm"])
    plain, sealed = sealed_frames(70, association)
    # A packet with a high number that was changed does not move the window, or those after it would be too old.
    forged = sealed[69].data[:-1] + bytes([sealed[69].data[-1] ^ 1])
    came = [
        sealed[1],
        sealed[0],
        sealed[1],
        replace(sealed[0], data=forged),
        sealed[2],
        sealed[69],
        sealed[5],
        sealed[6],
    ]
    out, report = run(came, Inbound(association))
    assert [frame.data for frame in out] == [plain[n] for n in (1, 0, 2, 69, 6)]
    assert [line.partition(": ")[0] for line in report.dropped] == ["packet 3", "packet 4", "packet 7"]
    for line, word in zip(report.dropped, ("received before", "tag mismatch", "out of the window"), strict=True):
        assert word in line


def test_a_packet_that_came_twice_before_it_was_opened_is_accepted_once() -> None:
    association = Association(SPI, GCM, KEYS["aes-gcm"])
    _, (frame,) = sealed_frames(1, association)
    receiver = Receiver(association)
    twice = [receiver.open(frame.data[20:]) for _ in range(2)]
    texts = list(Cores(2).run(one.job for one in twice))
    receiver.accept(twice[0], texts[0])
    with pytest.raises(PacketError, match="received before"):
        receiver.accept(twice[1], texts[1])


def test_no_sequence_number_is_used_twice() -> None:
    sender = Sender(Association(SPI, GCM, KEYS["aes-gcm"]), LOW - 2)
    head, _ = sender.seal(b"", 59)
    assert head[4:8] == b"\xff" * 4
    with pytest.raises(PacketError, match="all sequence numbers"):
        sender.seal(b"", 59)
    extended = Sender(Association(SPI, GCM, KEYS["aes-gcm"], extended=True), LOW - 1)
    head, job = extended.seal(b"", 59)
    assert (head[4:8], job.aad[4:]) == (bytes(4), b"\0\0\0\1\0\0\0\0")


@pytest.mark.parametrize("highest", [0, 1, 63, 64, LOW - 64, LOW - 1, LOW, LOW + 5, LOW + 62, LOW + 63, 5 * LOW + 20])
def test_the_high_half_of_a_sequence_number_is_found(highest: int) -> None:
    window = Window(highest)
    for sequence in range(max(1, highest - window.size + 1), highest + 3000, 7):
        assert window.whole(sequence % LOW) == sequence


def test_the_window_agrees_with_a_set_of_numbers() -> None:
    draw = random.Random(5)
    window, seen, highest = Window(), set[int](), 0
    for _ in range(3000):
        sequence = max(0, highest + draw.randrange(-90, 12))
        good = sequence > 0 and sequence not in seen and sequence > highest - window.size
        try:
            window.check(sequence)
        except PacketError:
            assert not good
            continue
        assert good
        seen.add(sequence)
        highest = max(highest, sequence)
        window = window.after(sequence)


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("magic", [pcap.MICROSECONDS, NANOSECONDS])
def test_captures_are_read_as_they_were_written(order: str, magic: int) -> None:
    capture, frames = Capture(ETHERNET, order, magic), [Frame(bytes(n), n, 2 * n) for n in range(5)]
    assert pcap.parse(pcap.write(capture, frames), "x") == (capture, frames)


def test_scapy_reads_our_captures(tmp_path: Path) -> None:
    from scapy.all import Raw
    from scapy.utils import RawPcapReader, wrpcap

    plain = packets(random.Random(3), 3)
    (tmp_path / "a").write_bytes(pcap.write(CAPTURE, [Frame(data) for data in plain]))
    with RawPcapReader(str(tmp_path / "a")) as reader:
        assert [data for data, _ in reader] == plain
    wrpcap(str(tmp_path / "b"), [Raw(data) for data in plain], linktype=RAW)
    assert [frame.data for frame in pcap.parse((tmp_path / "b").read_bytes(), "b")[1]] == plain


# ---------------------------------------------------------------------- the command

ESP = ["--spi", "0x1000", "--key", KEYS["aes-gcm"].hex()]
TUNNEL = ["--tunnel", f"{SOURCE},{DESTINATION}"]


@pytest.fixture
def plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Frame]:
    """A capture of Ethernet in the working folder: IP packets, one of them padded, and ARP."""
    monkeypatch.chdir(tmp_path)
    ether = bytes(range(12))
    frames = [Frame(ether + b"\x08\0" + data, n) for n, data in enumerate(packets(random.Random(1), 6))]
    frames[2] = Frame(ether + b"\x08\0" + packets(random.Random(9), 1)[0] + bytes(7), 2)
    frames.insert(3, Frame(ether + b"\x08\x06" + bytes(28), 3))
    Path("plain.pcap").write_bytes(pcap.write(Capture(ETHERNET), frames))
    return frames


def test_the_command_decrypts_what_it_encrypted(plain: list[Frame], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["packets", "plain.pcap", "esp.pcap", *ESP, *TUNNEL, "--json", "--cores", "2"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["packets"], found["unchanged"], found["packets_per_core"]) == (6, 1, [3, 3])
    assert found["cycles"] > 0
    assert main(["packets", "esp.pcap", "out.pcap", *ESP, "--decrypt"]) == 0
    _, frames = pcap.parse(Path("out.pcap").read_bytes(), "out.pcap")
    plain[2] = replace(plain[2], data=plain[2].data[:-7])
    assert frames == plain


def test_the_command_says_which_packets_it_drops(plain: list[Frame], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["packets", "plain.pcap", "esp.pcap", *ESP, *TUNNEL]) == 0
    capture, frames = pcap.parse(Path("esp.pcap").read_bytes(), "esp.pcap")
    Path("again.pcap").write_bytes(pcap.write(capture, [frames[0], frames[0], frames[1]]))
    assert main(["packets", "again.pcap", "out.pcap", *ESP, "--decrypt"]) == 1
    assert capsys.readouterr().err == "again.pcap: packet 2: sequence number 1 was received before\n"
    assert len(pcap.parse(Path("out.pcap").read_bytes(), "out.pcap")[1]) == 2


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        (slice(0, -3), [], "plain.pcap: ends in packet 7, 3 bytes early"),
        (slice(0, 30), [], "plain.pcap: ends in the header of packet 1"),
        (slice(0, 10), [], "plain.pcap: not a capture: 10 bytes"),
        (slice(1, None), [], "plain.pcap: not a capture: it begins with"),
        (slice(None), ["--key", "00" * 16], "key of 16 bytes; aes-gcm in ESP takes 20 or 28 or 36"),
        (slice(None), ["--spi", "255"], "--spi 0xff"),
        (slice(None), ["--cipher", "des"], "choose aes-gcm or chacha20-poly1305 or aes-cbc-cmac"),
        (slice(None), ["--tunnel", "192.0.2.1,::1"], "give two addresses of one version"),
        (slice(None), ["--tunnel", "x"], "give two addresses"),
        (slice(None), ["--port", "5004"], "--port is for --protocol srtp"),
    ],
)
def test_what_is_wrong_is_one_clear_line(
    plain: list[Frame], capsys: pytest.CaptureFixture[str], change: slice, options: list[str], message: str
) -> None:
    Path("plain.pcap").write_bytes(Path("plain.pcap").read_bytes()[change])
    assert main(["packets", "plain.pcap", "esp.pcap", *ESP, *TUNNEL, *options]) > 0
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    assert not Path("esp.pcap").exists()
