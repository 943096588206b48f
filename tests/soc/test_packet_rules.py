"""Rules of the protocols of packets, at the last value that is right and the first that is wrong."""

from __future__ import annotations

import struct
from functools import partial
from typing import Any

import pytest

from lutra.soc.packets import esp, macsec, pdcp, srtp
from lutra.soc.packets.esp import Window
from lutra.soc.packets.jobs import CBC_CMAC, CHACHA20_POLY1305, GCM
from support.packets import SPI, association, refused, run

KEY = bytes(range(16))
LOW = 1 << 32
SCI = bytes(range(8))


# -------------------------------------------------------------------------- ESP


def test_an_association_of_esp_refuses_what_it_cannot_use() -> None:
    for spi in (-1, LOW):
        assert "an SPI has 32 bits" in refused(partial(esp.Association, spi, GCM, bytes(20)))
    for spi in (0, LOW - 1):
        assert esp.Association(spi, GCM, bytes(20)).spi == spi
    assert refused(lambda: esp.Association(1, GCM, bytes(16))) == (
        "key of 16 bytes; aes-gcm in ESP takes 20 or 28 or 36, the last 4 of them the salt"
    )
    assert refused(lambda: esp.Association(1, CBC_CMAC, bytes(16))) == (
        "key of 16 bytes; aes-cbc-cmac in ESP takes 32 or 40 or 48, the last 16 of them the key of the MAC"
    )
    whole = esp.Association(1, CBC_CMAC, bytes(range(32)))
    assert (whole.key, whole.salt) == (bytes(range(32)), b"")


@pytest.mark.parametrize(("extended", "last"), [(False, LOW - 1), (True, (1 << 64) - 1)])
def test_the_last_sequence_number_is_used_and_none_after_it(extended: bool, last: int) -> None:
    sender = esp.Sender(association(extended), last - 1)
    head, _ = sender.seal(b"", 4)
    assert (sender.sequence, head[4:8]) == (last, b"\xff" * 4)
    assert "all sequence numbers" in refused(lambda: sender.seal(b"", 4))


@pytest.mark.parametrize(
    ("algorithm", "shortest", "unit"),
    [
        (GCM, 8 + 8 + 4 + 16, "words of 4"),
        (CHACHA20_POLY1305, 8 + 8 + 4 + 16, "words of 4"),
        (CBC_CMAC, 52, "blocks of 16"),
    ],
)
def test_a_packet_of_esp_has_whole_words_or_blocks_and_one_at_least(algorithm: Any, shortest: int, unit: str) -> None:
    receiver = esp.Receiver(association(algorithm=algorithm))
    head = struct.pack(">II", SPI, 1)
    assert receiver.open(head + bytes(shortest - 8)).sequence == 1
    step = algorithm.block_bytes
    assert receiver.open(head + bytes(shortest - 8 + step)).sequence == 1
    for size in (8, shortest - step, shortest - 1, shortest + 1):
        text = refused(partial(receiver.open, head + bytes(size - 8)))
        assert text == f"an ESP packet of {size} bytes, which is too short or not in {unit} bytes"


def test_a_packet_of_another_association_is_refused() -> None:
    text = refused(lambda: esp.Receiver(association()).open(struct.pack(">II", SPI + 1, 1) + bytes(28)))
    assert text == "SPI 0x1001 is not that of the association, 0x1000"


@pytest.mark.parametrize(
    ("text", "payload"),
    [
        (b"ab\1\2\2\4", b"ab"),
        (b"\1\2\2\4", b""),
        (b"abcd\0\4", b"abcd"),
        (b"ab\1\3\2\4", None),
        (b"\2\2\4", None),
        (b"ab\0\1\2\4", None),
    ],
)
def test_padding_is_one_two_three(text: bytes, payload: bytes | None) -> None:
    receiver = esp.Receiver(association())
    received = receiver.open(struct.pack(">II", SPI, 9) + bytes(28))
    if payload is None:
        assert "the padding is not 1, 2, 3" in refused(lambda: receiver.accept(received, text))
    else:
        assert receiver.accept(received, text) == (payload, 4)
    assert receiver.window.highest == 9


def test_a_number_that_came_is_refused_before_any_work() -> None:
    packet = struct.pack(">II", SPI, 9) + bytes(28)
    receiver = esp.Receiver(association(), Window().after(9))
    assert refused(partial(receiver.open, packet)) == "sequence number 9 was received before"


@pytest.mark.parametrize("block", [4, 16])
def test_a_payload_is_filled_with_as_little_as_it_needs(block: int) -> None:
    for size in range(40):
        text = esp.filled(bytes(size), 41, block)
        padding = text[-2]
        assert len(text) % block == 0 and padding < block and text[-1] == 41
        assert text[size:-2] == bytes(range(1, padding + 1))


def test_a_window_ends_where_its_size_says() -> None:
    window = Window(size=8)
    for number in (1, 20):
        window.check(number)
        window = window.after(number)
    assert refused(lambda: window.check(0)) == "sequence number 0, which no sender uses"
    assert refused(lambda: window.check(12)) == "sequence number 12 is 8 below the highest, out of the window of 8"
    assert refused(lambda: window.check(20)) == "sequence number 20 was received before"
    for number in (13, 19, 21):
        window.check(number)
        assert "received before" in refused(partial(window.after(number).check, number))
    assert window.after(13).after(21).seen == 0b11
    assert (window.after(13).seen, window.after(28).seen) == (0b10000001, 1)


@pytest.mark.parametrize("highest", [0, 1, 62, 63, 64, LOW - 1, LOW, LOW + 62, LOW + 63, LOW + 64, 5 * LOW + 3])
def test_numbers_of_64_bits_are_those_nearest_to_the_window(highest: int) -> None:
    """RFC 4303 appendix A2: from the lowest of the window on, 2^32 of them."""
    window = Window(highest)
    lowest = max(0, highest - 63)
    for number in (lowest, lowest + 1, highest, highest + 1, lowest + LOW - 1):
        assert window.whole(number % LOW) == number
    if highest > 63:
        assert window.whole((lowest - 1) % LOW) == lowest - 1 + LOW


# ----------------------------------------------------------------------- MACsec


def frame(tci: int, length: int, data: int, sci: bytes = b"") -> bytes:
    return bytes(12) + b"\x88\xe5" + struct.pack(">BBI", tci, length, 1) + sci + bytes(data + 16)


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (frame(0x8C, 0, 48), "another version"),
        (frame(0x6C, 0, 48, SCI), "ES and SC are both 1"),
        (frame(0x3C, 0, 48, SCI), "SCB and SC are both 1"),
        (frame(0x08, 0, 48), "of E and C one is 1"),
        (frame(0x04, 0, 48), "of E and C one is 1"),
        (frame(0x0C, 48, 48), "a short length of 48"),
        (frame(0x0C, 0, 47), "another length than the frame's"),
        (frame(0x0C, 46, 47), "another length than the frame's"),
        (frame(0x2C, 1, 0), "another length than the frame's"),
    ],
)
def test_a_malformed_sectag_is_refused(made: bytes, text: str) -> None:
    receiver = macsec.Receiver(macsec.Association(KEY, sci=SCI))
    assert refused(lambda: receiver.open(made)).endswith(text)


def test_a_sectag_that_is_right_is_read() -> None:
    receiver = macsec.Receiver(macsec.Association(KEY, sci=SCI))
    for length, data in ((0, 48), (47, 47), (1, 1), (0, 1500)):
        received = receiver.open(frame(0x2C, length, data, SCI))
        assert (received.number, len(received.job.text), len(received.before)) == (1, data, 12)
    assert receiver.open(frame(0x1C, 0, 48)).number == 1
    assert "not a frame of MACsec" in refused(lambda: receiver.open(frame(0x0C, 1, 1)[:35]))
    assert "another length" in refused(lambda: receiver.open(frame(0x0C, 1, 1)[:36]))
    other = "a frame of another channel or association"
    assert refused(lambda: receiver.open(frame(0x2D, 0, 48, SCI))) == other
    assert refused(lambda: receiver.open(frame(0x2C, 0, 48, bytes(8)))) == other
    assert "which this association does not do" in refused(lambda: receiver.open(frame(0x20, 0, 48, SCI)))


def test_an_association_of_macsec_refuses_what_it_cannot_use() -> None:
    assert refused(lambda: macsec.Association(bytes(15))) == "key of 15 bytes; MACsec takes 16 or 32"
    for number in (-1, 4):
        assert "a channel has those from 0 to 3" in refused(partial(macsec.Association, KEY, number))
    assert macsec.Association(KEY, 3).number == 3
    assert refused(lambda: macsec.Association(KEY, sci=bytes(7))) == "SCI of 7 bytes; it has 8"
    for ssci, salt in ((b"", bytes(12)), (bytes(4), b""), (bytes(4), bytes(11))):
        text = refused(partial(macsec.Association, KEY, ssci=ssci, salt=salt))
        assert text == "extended packet numbers take an SSCI of 4 bytes and a salt of 12"


@pytest.mark.parametrize(("xpn", "last"), [(False, LOW - 1), (True, (1 << 64) - 1)])
def test_the_last_packet_number_is_used_and_none_after_it(xpn: bool, last: int) -> None:
    ssci, salt = (bytes(4), bytes(12)) if xpn else (b"", b"")
    sender = macsec.Sender(macsec.Association(KEY, sci=SCI, ssci=ssci, salt=salt), last - 1)
    head, job = sender.seal(bytes(12) + b"\x08\0" + bytes(50))
    assert head[16:20] == b"\xff" * 4 and job.nonce[-4:] == b"\xff" * 4
    assert "all packet numbers" in refused(lambda: sender.seal(bytes(64)))


def test_a_sender_of_macsec_says_the_length_of_short_frames() -> None:
    sender = macsec.Sender(macsec.Association(KEY, 2))
    for size, length in ((2, 2), (47, 47), (48, 0), (1500, 0)):
        head, _ = sender.seal(bytes(12 + size))
        assert head[12:16] == b"\x88\xe5" + bytes([0x4E, length])
    assert refused(lambda: sender.seal(bytes(13))) == "a frame of 13 bytes, which has no EtherType"
    clear = macsec.Sender(macsec.Association(KEY, clear=1))
    tagged = bytes(12) + b"\x81\0\0\5" + b"\x08\0" + bytes(50)
    assert clear.seal(tagged)[0][:16] == tagged[:16]
    assert "without 1 tags of VLANs" in refused(lambda: clear.seal(bytes(64)))
    assert (sender.number, clear.number) == (4, 1)


def test_a_replay_window_of_macsec_has_its_bounds() -> None:
    plain = macsec.Association(KEY, sci=SCI)
    extended = macsec.Association(KEY, sci=SCI, ssci=bytes(4), salt=bytes(12))
    assert macsec.Receiver(plain, LOW - 1).window == LOW - 1
    assert macsec.Receiver(extended, (1 << 30) - 1).window == (1 << 30) - 1
    assert "takes 0 to 4294967295" in refused(lambda: macsec.Receiver(plain, LOW))
    assert "takes 0 to 1073741823" in refused(lambda: macsec.Receiver(extended, 1 << 30))
    receiver = macsec.Receiver(plain, 2, next=10)
    assert "packet number 7 is below 8" in refused(
        lambda: receiver.open(frame(0x2C, 0, 48, SCI).replace(b"\0\0\0\1", b"\0\0\0\7", 1))
    )


@pytest.mark.parametrize(
    ("expected", "low", "number"),
    [
        (1, LOW - 1, LOW - 1),
        (LOW - 5, 3, LOW + 3),
        (LOW - 5, LOW // 2 - 1, LOW + LOW // 2 - 1),
        (LOW - 5, LOW // 2, LOW // 2),
        (LOW // 2, 3, LOW + 3),
        (LOW // 2 - 1, 3, 3),
        (3 * LOW, 0, 3 * LOW),
    ],
)
def test_the_upper_half_of_a_packet_number_is_one_more_where_the_lower_has_passed_its_end(
    expected: int, low: int, number: int
) -> None:
    """IEEE 802.1AE 10.6.2."""
    receiver = macsec.Receiver(macsec.Association(KEY, ssci=bytes(4), salt=bytes(12)), next=expected)
    assert receiver.whole(low) == number


def test_frames_without_an_identifier_come_back_and_never_twice() -> None:
    sa = macsec.Association(KEY)
    plain = bytes(range(12)) + b"\x08\0" + bytes(50)
    head, job = macsec.Sender(sa).seal(plain)
    sealed = head + (run(job) or b"")
    receiver = macsec.Receiver(sa)
    twice = [receiver.open(sealed) for _ in range(2)]
    assert receiver.accept(twice[0], run(twice[0].job)) == plain
    again = refused(partial(receiver.accept, twice[1], plain[12:]))
    assert again == "packet number 1 is below 2, the lowest that is acceptable"


def test_packet_number_0_is_refused_by_any_window() -> None:
    receiver = macsec.Receiver(macsec.Association(KEY, sci=SCI), window=100)
    zero = frame(0x2C, 0, 48, SCI).replace(b"\0\0\0\1", bytes(4), 1)
    assert "packet number 0 is below 1" in refused(partial(receiver.open, zero))


# ------------------------------------------------------------------------- SRTP


@pytest.mark.parametrize(
    ("packet", "end"),
    [
        (b"\x80" + bytes(11), 12),
        (b"\x82" + bytes(19), 20),
        (b"\x8f" + bytes(71), 72),
        (b"\x90" + bytes(11) + b"\xbe\xde\0\0", 16),
        (b"\x91" + bytes(15) + b"\xbe\xde\0\2" + bytes(8), 28),
        (b"\x80" + bytes(10), None),
        (b"\x40" + bytes(40), None),
        (b"\x82" + bytes(18), None),
        (b"\x90" + bytes(14), None),
        (b"\x91" + bytes(15) + b"\xbe\xde\0\2" + bytes(7), None),
    ],
)
def test_a_header_of_rtp_ends_where_its_fields_say(packet: bytes, end: int | None) -> None:
    if end is None:
        refused(lambda: srtp.header_bytes(packet))
    else:
        assert (srtp.header_bytes(packet), srtp.header_bytes(packet + bytes(9))) == (end, end)


def test_a_packet_that_is_cut_says_where() -> None:
    for size in (12, 15):
        text = refused(partial(srtp.header_bytes, (b"\x90" + bytes(20))[:size]))
        assert text == "a packet that ends in the header's extension"
    assert refused(partial(srtp.header_bytes, b"\x81" + bytes(14))) == "a packet that ends in its header"
    text = refused(partial(srtp.Keys.derived, bytes(20), bytes(14)))
    assert text == "a master key of 20 bytes; SRTP takes 16, 24 or 32"


@pytest.mark.parametrize(
    ("rollover", "last", "sequence", "index"),
    [
        (0, 10, 65530, 65530),
        (1, 10, 65530, 65530),
        (1, 10, 32778, 65536 + 32778),
        (1, 10, 32779, 32779),
        (1, 40000, 7231, 2 * 65536 + 7231),
        (1, 40000, 7232, 65536 + 7232),
        (1, 32768, 0, 65536),
        (1, 32767, 65535, 2 * 65536 - 1),
        (1, 32769, 0, 2 * 65536),
    ],
)
def test_an_index_is_the_one_nearest_to_the_highest(rollover: int, last: int, sequence: int, index: int) -> None:
    """RFC 3711 appendix A."""
    assert srtp.Receiver(srtp.Keys(KEY, bytes(12)), rollover, last).index(sequence) == index


def test_srtp_ends_with_its_indices() -> None:
    keys = srtp.Keys(KEY, bytes(12))
    last = b"\x80\0\xff\xff" + bytes(9)
    sender = srtp.Sender(keys, (1 << 32) - 1)
    sender.seal(last)
    assert "all indices have been used" in refused(lambda: sender.seal(b"\x80\0\0\0" + bytes(9)))
    control = srtp.ControlSender(keys, (1 << 31) - 1)
    _, made = control.seal(b"\x80\xc8" + bytes(6))
    assert made(bytes(16))[-4:] == b"\xff" * 4
    assert "all indices of SRTCP" in refused(lambda: control.seal(b"\x80\xc8" + bytes(6)))
    assert refused(lambda: srtp.ControlSender(keys).seal(b"\x80\xc8" + bytes(5))) == "not a packet of RTCP, version 2"
    assert refused(lambda: srtp.ControlSender(keys).seal(b"\x40\xc8" + bytes(6))) == "not a packet of RTCP, version 2"


def test_a_packet_of_srtcp_is_accepted_once_and_has_its_version() -> None:
    keys = srtp.Keys(KEY, bytes(12))
    plain = b"\x80\xc8" + bytes(10)
    job, made = srtp.ControlSender(keys).seal(plain)
    sealed = made(run(job) or b"")
    receiver = srtp.ControlReceiver(keys)
    assert refused(partial(receiver.open, b"\x40" + sealed[1:])) == "not a packet of RTCP, version 2"
    twice = [receiver.open(sealed) for _ in range(2)]
    assert receiver.accept(twice[0], run(twice[0].job)) == plain
    assert "received before" in refused(partial(receiver.accept, twice[1], plain[8:]))


@pytest.mark.parametrize(
    ("key", "salt", "auth", "tag"),
    [(24, 12, 0, 10), (16, 14, 0, 10), (16, 12, 20, 10), (20, 14, 20, 10), (16, 14, 20, 8)],
)
def test_keys_of_srtp_have_their_lengths(key: int, salt: int, auth: int, tag: int) -> None:
    assert srtp.Keys(KEY, bytes(12), mki=bytes(128)).mki == bytes(128)
    assert "SRTP with AES-" in refused(lambda: srtp.Keys(bytes(key), bytes(salt), bytes(auth), tag))


# ------------------------------------------------------------------------- PDCP


def test_a_bearer_refuses_what_it_cannot_use() -> None:
    assert refused(lambda: pdcp.Bearer(9, 0, 0)).startswith("sequence numbers of 9 bits; PDCP has 5, 7, 12")
    assert refused(lambda: pdcp.Bearer(12, 0, 0, 7, key=KEY)) == "NEA7: choose from NEA0 to NEA6"
    assert refused(lambda: pdcp.Bearer(12, 0, 0, 0, 7, auth_key=KEY)) == "NIA7: choose from NIA0 to NIA6"
    assert refused(lambda: pdcp.Bearer(12, 0, 0, 3, key=KEY, combined=True)) == "NCA3: choose from NCA4 to NCA6"
    assert refused(lambda: pdcp.Bearer(12, 0, 0, 4, 4, combined=True)) == "NCA4 makes MAC-I itself; leave NIA4 out"
    assert refused(lambda: pdcp.Bearer(12, 0, 0, 4, key=KEY)) == "key of 16 bytes; NEA4 takes 32"
    assert refused(lambda: pdcp.Bearer(12, 0, 0, 6, key=KEY, combined=True)) == "key of 16 bytes; NCA6 takes 32"
    for bearer, direction in ((32, 0), (-1, 0), (0, 2), (0, -1)):
        assert refused(partial(pdcp.Bearer, 12, bearer, direction)).endswith("PDCP has 0 to 31, and 0 or 1")
    assert refused(lambda: pdcp.Bearer(12, 0, 0, 1, key=bytes(15))) == "key of 15 bytes; NEA1 takes 16"
    assert refused(lambda: pdcp.Bearer(12, 0, 0, 0, 2)) == "key of 0 bytes; NIA2 takes 16"


@pytest.mark.parametrize(("integrity", "clear", "shortest"), [(None, 0, 2), (0, 0, 6), (None, 1, 3), (0, 1, 7)])
def test_the_shortest_pdu_is_read(integrity: int | None, clear: int, shortest: int) -> None:
    bearer = pdcp.Bearer(12, 0, 0, 0, integrity, clear=clear)
    assert bearer.open(b"\x80" + bytes(shortest - 1), 0)
    assert refused(lambda: bearer.open(bytes(shortest - 1), 0)) == f"a PDU of {shortest - 1} bytes, which is too short"


def test_a_receiver_of_pdcp_takes_no_count_that_does_not_exist() -> None:
    bearer = pdcp.Bearer(5, 0, 0)
    assert "a COUNT that does not exist" in refused(lambda: pdcp.Receiver(bearer).open(b"\x90x"))
    assert pdcp.Receiver(bearer).open(b"\x8fx").count == 15
    last = pdcp.Receiver(bearer, pdcp.COUNTS - 1)
    assert last.open(b"\x9fx").count == pdcp.COUNTS - 1
    assert "a COUNT that does not exist" in refused(lambda: last.open(b"\x80x"))
    assert "too old" in refused(lambda: last.open(b"\x9ex"))
