"""MACsec, PDCP and SRTP: the vectors of standards and of DPDK, scapy as peer, numbers of packets."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from lutra.soc.packets import macsec, pdcp, srtp
from lutra.soc.packets.errors import PacketError
from lutra.soc.packets.jobs import Cores
from lutra.soc.packets.macsec import LOW, Association
from lutra.soc.packets.pdcp import Bearer
from lutra.soc.packets.srtp import Keys
from support.fixed_function import SHARED

FRAME = bytes(range(12)) + b"\x08\0" + bytes(60)
SCI = bytes(range(8))
KEY = bytes(range(16))
# IEEE 802.1AE-2018 C.5.1: a frame of 54 bytes, encrypted by GCM-AES-128, with the SCI of an end station.
STANDARD = {
    "key": "071b113b0ca743fecccf3d051f737382",
    "header": "e20106d7cd0df0761e8dcd3d88e54c2a76d457ed",
    "packet_number": "76d457ed",
    "plain_packet": "e20106d7cd0df0761e8dcd3d08000f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f30"
    "313233340004",
    "packet": "e20106d7cd0df0761e8dcd3d88e54c2a76d457ed13b4c72b389dc5018e72a171dd85a5d3752274d3a019fbcaed09a425cd9b2e"
    "1c9b72eee7c9de7d52b3f3d6a5284f4a6d3fe22a5d6c2b960494c3",
}


def vectors(name: str) -> list[dict[str, Any]]:
    path: Path = SHARED / "packets" / f"{name}.json"
    if not path.is_file():
        pytest.skip(f"{path} is not there; LUTRA_VECTORS names the folder of all vectors")
    tests: list[dict[str, Any]] = json.loads(path.read_text())["tests"]
    return tests


def run(job: Any) -> bytes | None:
    (result,) = Cores(1).run([job])
    return result


def check_macsec(test: dict[str, Any]) -> None:
    """Seal and open the frame of a test."""
    header, packet, plain = (bytes.fromhex(test[name]) for name in ("header", "packet", "plain_packet"))
    clear = header[12:].index(b"\x88\xe5") // 4
    at = 12 + 4 * clear
    tci = header[at + 2]
    sa = Association(
        bytes.fromhex(test["key"]),
        tci & 3,
        header[at + 8 :] if tci & macsec.HAS_SCI else None,
        bool(tci & macsec.ENCRYPTED),
        bytes.fromhex(test.get("ssci", "")),
        bytes.fromhex(test.get("salt", "")),
        clear,
    )
    number = int(test["packet_number"], 16)
    head, job = macsec.Sender(sa, number - 1).seal(plain)
    sealed = run(job)
    assert sealed is not None
    assert head + sealed == packet
    receiver = macsec.Receiver(sa, next=number)
    received = receiver.open(packet)
    assert received.number == number
    assert receiver.accept(received, run(received.job)) == plain
    with pytest.raises(PacketError, match="lowest that is acceptable"):
        receiver.open(packet)


def test_a_frame_of_the_standard() -> None:
    check_macsec(STANDARD)


@pytest.mark.parametrize("name", ["macsec_cipher", "macsec_integrity", "macsec_vlan", "macsec_sequences"])
def test_frames_of_the_vectors(name: str) -> None:
    for test in vectors(name):
        check_macsec(test)


def test_malformed_frames_are_discarded_before_any_cryptography() -> None:
    for test in vectors("macsec_malformed"):
        receiver = macsec.Receiver(Association(bytes.fromhex(test["key"]), sci=bytes.fromhex("fe2fcd14241b882c")))
        with pytest.raises(PacketError, match="malformed"):
            receiver.open(bytes.fromhex(test["packet"]))


@pytest.mark.parametrize("encrypts", [True, False])
def test_scapy_opens_our_frames_and_we_open_scapys(encrypts: bool) -> None:
    from scapy.all import IP, UDP, Ether, Raw  # type: ignore[attr-defined]
    from scapy.contrib.macsec import MACsecSA

    draw = random.Random(encrypts)
    sa = Association(KEY, 2, SCI, encrypts)
    peer: Any = MACsecSA(  # type: ignore[no-untyped-call]
        sci=SCI, an=2, pn=1, key=KEY, icvlen=16, encrypt=encrypts, send_sci=True
    )
    frames = [
        bytes(Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02") / IP() / UDP() / Raw(draw.randbytes(size)))
        for size in (0, 1, 7, 60, 500)
    ]
    sender, receiver = macsec.Sender(sa), macsec.Receiver(sa)
    for plain in frames:
        head, job = sender.seal(plain)
        tag = run(job)
        assert tag is not None
        assert bytes(peer.decap(peer.decrypt(Ether(head + tag)))) == plain
        received = receiver.open(bytes(peer.encrypt(peer.encap(Ether(plain)))))
        peer.pn += 1
        assert receiver.accept(received, run(received.job)) == plain


def test_frames_within_the_window_are_accepted() -> None:
    sa = Association(KEY, sci=SCI)
    sender, receiver = macsec.Sender(sa), macsec.Receiver(sa, window=4)
    sealed = []
    for _ in range(12):
        head, job = sender.seal(FRAME)
        sealed.append(head + (run(job) or b""))

    def accepted(frame: bytes) -> bool:
        try:
            received = receiver.open(frame)
            return receiver.accept(received, run(received.job)) == FRAME
        except PacketError:
            return False

    # A forged frame with a high number does not move the window.
    forged = sealed[11][:-1] + bytes([sealed[11][-1] ^ 1])
    came = [sealed[0], forged, sealed[8], sealed[5], sealed[4], sealed[3]]
    assert [accepted(frame) for frame in came] == [True, False, True, True, False, False]


def test_no_packet_number_is_used_twice() -> None:
    sender = macsec.Sender(Association(KEY, sci=SCI), LOW - 2)
    sender.seal(FRAME)
    with pytest.raises(PacketError, match="all packet numbers"):
        sender.seal(FRAME)
    extended = Association(KEY, sci=SCI, ssci=bytes(4), salt=bytes(12))
    macsec.Sender(extended, LOW).seal(FRAME)


@pytest.mark.parametrize("next_number", [1, 5, LOW - 3, LOW, LOW + 2, 3 * LOW - 1])
def test_the_high_half_of_a_packet_number_is_found(next_number: int) -> None:
    receiver = macsec.Receiver(Association(KEY, sci=SCI, ssci=bytes(4), salt=bytes(12)), next=next_number)
    for number in range(next_number, next_number + 4000, 13):
        assert receiver.whole(number % LOW) == number


# ------------------------------------------------------------------------- PDCP


def bearer(test: dict[str, Any]) -> Bearer:
    key, auth_key = (bytes.fromhex(test.get(name, "")) for name in ("key", "auth_key"))
    return Bearer(
        test["sn_bits"],
        test["bearer"],
        test["direction"],
        int(test["cipher"][3:]),
        None if test["integrity"] == "none" else int(test["integrity"][3:]),
        key,
        auth_key,
        len(bytes.fromhex(test["header"])) - pdcp.HEADERS[test["sn_bits"]],
    )


def whole(head: bytes, job: Any) -> bytes:
    """A PDU, or header and data."""
    return head + (run(job) or b"")


def receive(receiver: pdcp.Receiver, pdu: bytes) -> bytes:
    received = receiver.open(pdu)
    return receiver.accept(received, run(received.job))


@pytest.mark.parametrize("name", ["pdcp", "pdcp_sdap"])
def test_pdus_of_the_vectors(name: str) -> None:
    for test in vectors(name):
        one = bearer(test)
        plain, packet, count = (
            bytes.fromhex(test["plain_packet"]),
            bytes.fromhex(test["packet"]),
            int(test["count"], 16),
        )
        assert whole(*one.seal(plain, count)) == packet, test["id"]
        assert whole(*one.open(packet, count)) == plain, test["id"]
        assert one.sequence(packet) == int(test["sequence"], 16)


@pytest.mark.parametrize("algorithm", [1, 2, 3])
def test_pdus_are_received_once_and_changed_ones_never(algorithm: int) -> None:
    draw = random.Random(algorithm)
    keys = draw.randbytes(16), draw.randbytes(16)
    sender = pdcp.Sender(Bearer(12, 5, 1, algorithm, algorithm, *keys))
    receiver = pdcp.Receiver(Bearer(12, 5, 1, algorithm, algorithm, *keys))
    data = [draw.randbytes(draw.randrange(1, 60)) for _ in range(8)]
    pdus = [whole(*sender.seal(one)) for one in data]
    for n in (0, 2, 1, 7, 3):
        assert receive(receiver, pdus[n]) == data[n]
    for n in (0, 2, 7):
        with pytest.raises(PacketError, match="received before"):
            receive(receiver, pdus[n])
    changed = bytearray(pdus[4])
    changed[-1] ^= 1
    with pytest.raises(PacketError, match="MAC-I mismatch"):
        receive(receiver, bytes(changed))
    twice = [receiver.open(pdus[4]) for _ in range(2)]
    assert receiver.accept(twice[0], run(twice[0].job)) == data[4]
    with pytest.raises(PacketError, match="received before"):
        receiver.accept(twice[1], run(twice[1].job))


def test_a_receiver_does_not_wait_for_ever_for_a_lost_pdu() -> None:
    sender, receiver = pdcp.Sender(Bearer(5, 0, 0)), pdcp.Receiver(Bearer(5, 0, 0))
    pdus = [whole(*sender.seal(bytes([n]))) for n in range(100)]
    for n in (*range(3), *range(4, 100)):
        assert receive(receiver, pdus[n]) == bytes([n])
    assert (receiver.deliver, receiver.seen) == (100, set())


@pytest.mark.parametrize("bits", pdcp.HEADERS)
def test_the_hyper_frame_number_is_found(bits: int) -> None:
    receiver = pdcp.Receiver(Bearer(bits, 0, 0))
    window = 1 << bits - 1
    for deliver in (0, 1, window, 2 * window - 1, 2 * window, 7 * window + 3):
        receiver.deliver = deliver
        for count in range(max(0, deliver - window), deliver + window, max(1, window // 97)):
            assert receiver.count(count % (1 << bits)) == count


def test_no_count_is_used_twice() -> None:
    sender = pdcp.Sender(Bearer(18, 0, 0), pdcp.COUNTS - 1)
    sender.seal(b"")
    with pytest.raises(PacketError, match="all values of COUNT"):
        sender.seal(b"")


# ------------------------------------------------------------------------- SRTP

# RFC 7714 16.1.1.
RTP = {
    "protocol": "SRTP",
    "key": "000102030405060708090a0b0c0d0e0f",
    "salt": "517569642070726f2071756f",
    "roc": "00000000",
    "sequence": "f17b",
    "plain_packet": "8040f17b8041f8d35501a0b247616c6c696120657374206f6d6e6973206469766973612069"
    "6e207061727465732074726573",
    "packet": "8040f17b8041f8d35501a0b2f24de3a3fb34de6cacba861c9d7e4bcabe633bd50d294e6f42a5f47a51c7d19b36de3adf8833"
    "899d7f27beb16a9152cf765ee4390cce",
}


def check_srtp(test: dict[str, Any]) -> None:
    """Seal and open the packet of a test."""
    key, salt, auth_key = (bytes.fromhex(test.get(name, "")) for name in ("key", "salt", "auth_key"))
    keys = Keys(key, salt, auth_key)
    control = test["protocol"] == "SRTCP"
    if "master_key" in test:
        master = bytes.fromhex(test["master_key"]), bytes.fromhex(test["master_salt"])
        assert Keys.derived(*master, "rtcp" if control else "rtp") == keys
    plain, packet = bytes.fromhex(test["plain_packet"]), bytes.fromhex(test["packet"])
    receiver: srtp.ControlReceiver | srtp.Receiver
    if control:
        word = int(test["sequence"], 16)
        index = word % srtp.ENCRYPTED
        job, made = srtp.ControlSender(keys, index, bool(word & srtp.ENCRYPTED)).seal(plain)
        assert made(run(job) or b"") == packet
        receiver = srtp.ControlReceiver(keys)
    else:
        rollover, sequence = int(test["roc"], 16), int(test["sequence"], 16)
        index = rollover << 16 | sequence
        head, job = srtp.Sender(keys, rollover).seal(plain)
        assert head + (run(job) or b"") == packet
        receiver = srtp.Receiver(keys, rollover)
    received = receiver.open(packet)
    assert received.index == index
    assert receiver.accept(received, run(received.job)) == plain
    with pytest.raises(PacketError, match="received before"):
        receiver.open(packet)


def test_a_packet_of_rtp_of_the_standard() -> None:
    check_srtp(RTP)


@pytest.mark.parametrize("name", ["srtp_aes_gcm", "srtp_aes_gcm_rfc7714", "srtp_aes_cm"])
def test_packets_of_rtp_of_the_vectors(name: str) -> None:
    for test in vectors(name):
        if test.get("cipher") != "NULL":
            check_srtp(test)


def test_keys_are_derived_as_in_rfc_3711_and_6188() -> None:
    """Their tests have the first bytes of the authentication key."""
    for test in vectors("srtp_aes_cm_rfc3711"):
        if "master_key" in test:
            keys = Keys.derived(bytes.fromhex(test["master_key"]), bytes.fromhex(test["master_salt"]))
            assert (keys.key.hex(), keys.salt.hex()) == (test["key"], test["salt"])
            assert test["auth_key"].startswith(keys.auth_key.hex())


def rtp(sequence: int) -> bytes:
    return b"\x80\0" + (sequence % srtp.LOW).to_bytes(2) + bytes(8) + b"otters"


def test_a_receiver_of_rtp_follows_the_rollover_and_drops_what_comes_twice() -> None:
    keys = Keys(KEY, bytes(12))
    sender, receiver = srtp.Sender(keys), srtp.Receiver(keys)
    numbers = range(srtp.LOW - 4, srtp.LOW + 4)
    sealed = []
    for number in numbers:
        head, job = sender.seal(rtp(number))
        sealed.append(head + (run(job) or b""))
    assert sender.rollover == 1
    for n in (0, 2, 5, 3, 1, 4, 7):
        received = receiver.open(sealed[n])
        assert received.index == numbers[n]
        assert receiver.accept(received, run(received.job)) == rtp(numbers[n])
    forged = receiver.open(sealed[6][:-1] + bytes([sealed[6][-1] ^ 1]))
    with pytest.raises(PacketError, match="tag mismatch"):
        receiver.accept(forged, run(forged.job))
    for n in (0, 5, 7):
        with pytest.raises(PacketError, match="received before"):
            receiver.open(sealed[n])
    receiver.open(sealed[6])


def test_a_sender_of_rtp_uses_no_number_twice() -> None:
    sender = srtp.Sender(Keys(KEY, bytes(12)))
    sender.seal(rtp(7))
    with pytest.raises(PacketError, match="used twice"):
        sender.seal(rtp(7))
    # A packet that comes later than the next one has a number that was not used.
    sender.seal(rtp(6))


@pytest.mark.parametrize(
    "packet", [b"", bytes(20), b"\x81" + bytes(12), b"\x90" + bytes(11), b"\x90" + bytes(14) + b"\1"]
)
def test_what_is_not_a_packet_of_rtp_is_refused(packet: bytes) -> None:
    with pytest.raises(PacketError):
        srtp.header_bytes(packet)
