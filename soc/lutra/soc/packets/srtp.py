"""SRTP and SRTCP (RFC 3711): AEAD_AES_128_GCM and AEAD_AES_256_GCM (RFC 7714), and AES-CM (RFC 3711, RFC 6188) with
HMAC-SHA1, which the host computes, since Lutra has no firmware for SHA-1.

The header of RTP, with its contributing sources and its extension, is authenticated; what follows is encrypted. The
index of a packet is its sequence number of 16 bits, and how often that has rolled over. SRTCP carries an index of 31
bits, and a bit that says whether it is encrypted. A master key identifier (MKI) names the key of a packet. It is before
a tag of HMAC-SHA1 (RFC 3711 3.1, 3.4), and the last of a packet with AES-GCM, whose tag is part of the ciphertext.
"""

from __future__ import annotations

import hmac
import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from lutra.firmware import crypt
from lutra.firmware.manifest import catalogue
from lutra.firmware.request import Request
from lutra.soc.packets.errors import PacketError
from lutra.soc.packets.esp import Window
from lutra.soc.packets.extensions import EXTENSION, FIXED, SALT, SOURCES, WORD, Extensions
from lutra.soc.packets.jobs import GCM, TAG, Algorithm, Core, Job

# Bytes of a salt with AES-GCM, and of a tag of HMAC-SHA1 in RTP.
GCM_SALT = 12
TAGS = (10, 4)
AUTH_KEY_BYTES = 20
LONGEST_MKI = 128  # RFC 4568 6.1
CONTROL = 8  # bytes of SRTCP that are never encrypted
LOW, INDEX = 1 << 16, 1 << 48  # sequence numbers, indices
ENCRYPTED = 1 << 31  # E of SRTCP
LABELS = {"rtp": (0, 2, 1), "rtcp": (3, 5, 4)}  # of key, salt and authentication key (RFC 3711 4.3)
HEADER_LABELS = (6, 7)  # of the header extensions' key and salt (RFC 6904 2.2)
MISMATCH = "tag mismatch: the packet was changed, or the key is another one"


@dataclass(frozen=True)
class CounterThenHmac(Algorithm):
    """AES-CM, then HMAC-SHA1 of what is sent and of what both ends know. A key is that of AES, then that of HMAC."""

    tag_bytes: int

    def run(self, core: Core, job: Job) -> bytes | None:
        key, auth_key = job.key[:-AUTH_KEY_BYTES], job.key[-AUTH_KEY_BYTES:]
        if job.tag is not None and not hmac.compare_digest(self._tag(auth_key, job, job.text), job.tag):
            return None
        cipher = catalogue().cipher(f"aes-{8 * len(key)}-ctr")
        result = core.crypt(Request(cipher, job.direction, key, job.nonce), job.text) if job.text else b""
        return result if job.tag is not None else result + self._tag(auth_key, job, result)

    def _tag(self, key: bytes, job: Job, ciphertext: bytes) -> bytes:
        return hmac.digest(key, job.aad + ciphertext + job.unsent, "sha1")[: self.tag_bytes]


@dataclass(frozen=True)
class Keys:
    """Session key and salt of one direction; auth_key: of HMAC-SHA1, empty with AES-GCM. tag_bytes: of HMAC-SHA1. mki:
    in each packet, empty where there is none. extensions: of the header, that are encrypted."""

    key: bytes
    salt: bytes
    auth_key: bytes = b""
    tag_bytes: int = TAGS[0]
    mki: bytes = b""
    extensions: Extensions | None = None

    def __post_init__(self) -> None:
        if len(self.mki) > LONGEST_MKI:
            raise PacketError(f"a master key identifier of {len(self.mki)} bytes; it has up to {LONGEST_MKI}")
        sizes = (len(self.key), len(self.salt))
        if self.combined and (sizes[0] not in (16, 32) or sizes[1] != GCM_SALT):
            given = f"a key of {sizes[0]} and a salt of {sizes[1]} bytes"
            raise PacketError(f"{given}; SRTP with AES-GCM takes 16 or 32, and {GCM_SALT}")
        if not self.combined and (sizes[0] not in (16, 24, 32) or sizes[1] != SALT or self.tag_bytes not in TAGS):
            given = f"a key of {sizes[0]}, a salt of {sizes[1]} and a tag of {self.tag_bytes} bytes"
            raise PacketError(f"{given}; SRTP with AES-CM takes 16, 24 or 32, {SALT}, and {TAGS[0]} or {TAGS[1]}")

    @property
    def combined(self) -> bool:
        return not self.auth_key

    @property
    def sent_tag(self) -> int:
        """Bytes of a tag."""
        return TAG if self.combined else self.tag_bytes

    @classmethod
    def derived(
        cls,
        master: bytes,
        salt: bytes,
        protocol: str = "rtp",
        tag_bytes: int = TAGS[0],
        mki: bytes = b"",
        extensions: Iterable[int] = (),
    ) -> Keys:
        """Session values of master values (RFC 3711 4.3.1), without a rate of derivation. The salt has 12 bytes for
        AES-GCM, 14 for AES-CM. extensions: identifiers of header extensions that are encrypted."""
        if len(master) not in (16, 24, 32):
            raise PacketError(f"a master key of {len(master)} bytes; SRTP takes 16, 24 or 32")
        start = int.from_bytes(salt.ljust(SALT, b"\0"), "big")

        def value(label: int, size: int) -> bytes:
            counter = (start ^ label << 48) << 16
            return crypt.encrypt(f"aes-{8 * len(master)}-ctr", master, bytes(size), counter.to_bytes(16))

        key, session_salt, auth_key = LABELS[protocol]
        hashed = value(auth_key, AUTH_KEY_BYTES) if len(salt) != GCM_SALT else b""
        header = None
        if names := frozenset(extensions):
            # Counter mode also with AES-GCM, whose shorter salt ends with zeros, as in libsrtp.
            of_key, of_salt = (value(*one) for one in zip(HEADER_LABELS, (len(master), len(salt)), strict=True))
            header = Extensions(of_key, of_salt.ljust(SALT, b"\0"), names)
        return cls(value(key, len(master)), value(session_salt, len(salt)), hashed, tag_bytes, mki, header)

    def header(self, header: bytes, index: int) -> bytes:
        """The header of a packet with its extensions encrypted, or decrypted."""
        return self.extensions.crypt(header, index) if self.extensions else header

    def sent(self, result: bytes) -> bytes:
        """The result of a job as it is sent: ciphertext, tag and MKI."""
        if self.combined:
            return result + self.mki
        return result[: -self.tag_bytes] + self.mki + result[-self.tag_bytes :]

    def without_mki(self, packet: bytes) -> bytes:
        """A packet without its MKI, so that the tag is behind what it is of. PacketError where it is another one."""
        after = len(packet) - (0 if self.combined else self.tag_bytes)
        start = after - len(self.mki)
        if packet[start:after] != self.mki:
            given = packet[start:after].hex()
            raise PacketError(f"master key identifier {given}; that of the session's key is {self.mki.hex()}")
        return packet[:start] + packet[after:]

    def job(self, ssrc: bytes, index: bytes, aad: bytes, text: bytes, tag: bytes | None, after: bytes = b"") -> Job:
        """The job of a packet. index: its 6 bytes; after: what is authenticated after the ciphertext by HMAC, and with
        the associated data by AES-GCM, unless it is in the nonce (RFC 7714 8.1, 9.1, RFC 3711 4.1.1)."""
        if self.combined:
            plain = bytes(2) + ssrc + index
            nonce = bytes(a ^ b for a, b in zip(plain, self.salt, strict=True))
            return Job(GCM, self.key, nonce, aad, text, tag)
        plain = bytes(4) + ssrc + index
        iv = bytes(a ^ b for a, b in zip(plain, self.salt, strict=True)) + bytes(2)
        return Job(CounterThenHmac(self.tag_bytes), self.key + self.auth_key, iv, aad, text, tag, after)

    def packet_job(self, packet: bytes, end: int, index: int, tag: bytes | None) -> Job:
        """The job of a packet of RTP whose header ends at `end`."""
        rollover, sequence = divmod(index, LOW)
        at, after = struct.pack(">IH", rollover, sequence), struct.pack(">I", rollover)
        return self.job(packet[8:FIXED], at, packet[:end], packet[end:], tag, after)

    def control_job(self, body: bytes, word: int, tag: bytes | None) -> tuple[bytes, Job]:
        """The clear bytes of a packet of RTCP, and its job. word: E and index."""
        trailer = struct.pack(">I", word)
        clear, rest = (body[:CONTROL], body[CONTROL:]) if word & ENCRYPTED else (body, b"")
        at = bytes(2) + struct.pack(">I", word % ENCRYPTED)
        aad = clear + trailer if self.combined else clear
        return clear, self.job(body[4:CONTROL], at, aad, rest, tag, trailer)


def header_bytes(packet: bytes) -> int:
    """Length of a packet's header. PacketError where it is not one of RTP."""
    if len(packet) < FIXED or packet[0] >> 6 != 2:
        raise PacketError("not a packet of RTP, version 2")
    end = FIXED + WORD * (packet[0] & SOURCES)
    if packet[0] & EXTENSION:
        if len(packet) < end + WORD:
            raise PacketError("a packet that ends in the header's extension")
        end += WORD + WORD * int.from_bytes(packet[end + 2 : end + WORD], "big")
    if len(packet) < end:
        raise PacketError("a packet that ends in its header")
    return end


def _sequence(packet: bytes) -> int:
    return int.from_bytes(packet[2:4], "big")


@dataclass
class _Source:
    """One source of RTP. last: the highest sequence number; rollover: of its counter; window: of used indices."""

    keys: Keys
    rollover: int = 0
    last: int | None = None
    window: Window = field(default_factory=Window)

    def index(self, sequence: int) -> int:
        """The index that is nearest to the highest one (RFC 3711 appendix A)."""
        if self.last is None:
            return self.rollover * LOW + sequence
        rollover = self.rollover
        if self.last < LOW // 2:
            rollover -= sequence - self.last > LOW // 2
        else:
            rollover += self.last - LOW // 2 > sequence
        return max(rollover, 0) * LOW + sequence

    def _use(self, index: int) -> None:
        """Count an index; the window begins at 1."""
        if self.last is None or index > self.rollover * LOW + self.last:
            self.rollover, self.last = divmod(index, LOW)
        self.window = self.window.after(index + 1)


@dataclass
class Sender(_Source):
    """The outbound end of one source, whose packets of RTP have sequence numbers already, in about their order."""

    def seal(self, packet: bytes) -> tuple[bytes, Job]:
        """The header, and the job whose result follows, as `Keys.sent` has it.

        PacketError where a number would be used twice.
        """
        end = header_bytes(packet)
        index = self.index(_sequence(packet))
        if index >= INDEX:
            raise PacketError("all indices have been used; the source needs another key")
        try:
            self.window.check(index + 1)
        except PacketError:
            raise PacketError(f"sequence number {index % LOW} comes again: a nonce would be used twice") from None
        header = self.keys.header(packet[:end], index)
        self._use(index)
        return header, self.keys.packet_job(header + packet[end:], end, index, None)


@dataclass(frozen=True)
class Received:
    """A packet that is to be opened: its index, its header, its job."""

    index: int
    header: bytes
    job: Job


@dataclass
class Receiver(_Source):
    """The inbound end of one source. Packets are accepted in the order in which they came, and only then count."""

    def open(self, packet: bytes) -> Received:
        """The job of a packet. PacketError where it is too short, or was received before."""
        end, size = header_bytes(packet), self.keys.sent_tag
        if len(packet) < end + size + len(self.keys.mki):
            raise PacketError(f"a packet of {len(packet)} bytes, which has no tag")
        packet = self.keys.without_mki(packet)
        index = self.index(_sequence(packet))
        self.window.check(index + 1)
        job = self.keys.packet_job(packet[:-size], end, index, packet[-size:])
        return Received(index, packet[:end], job)

    def accept(self, received: Received, text: bytes | None) -> bytes:
        """The packet of RTP. PacketError where text is None, as the tag was wrong, or where it came twice."""
        if text is None:
            raise PacketError(MISMATCH)
        self.window.check(received.index + 1)
        header = self.keys.header(received.header, received.index)
        self._use(received.index)
        return header + text


def _control(packet: bytes) -> None:
    """PacketError where a packet is not one of RTCP."""
    if len(packet) < CONTROL or packet[0] >> 6 != 2:
        raise PacketError("not a packet of RTCP, version 2")


@dataclass
class ControlSender:
    """The outbound end of one source of RTCP: numbers packets, in the order in which they are given to it."""

    keys: Keys
    next: int = 0
    encrypts: bool = True

    def seal(self, packet: bytes) -> tuple[Job, Callable[[bytes], bytes]]:
        """The job of a packet, and what makes the packet of the result. PacketError after the last index."""
        _control(packet)
        if self.next == ENCRYPTED:
            raise PacketError("all indices of SRTCP have been used; the source needs another key")
        word = ENCRYPTED * self.encrypts | self.next
        self.next += 1
        clear, job = self.keys.control_job(packet, word, None)

        def made(result: bytes) -> bytes:
            text, tag = result[: -self.keys.sent_tag], result[-self.keys.sent_tag :]
            trailer = struct.pack(">I", word)
            # AES-GCM has the tag before E and index (RFC 7714 9.2), HMAC after them (RFC 3711 3.4).
            if self.keys.combined:
                return clear + text + tag + trailer + self.keys.mki
            return clear + text + trailer + self.keys.mki + tag

        return job, made


@dataclass
class ControlReceiver:
    """The inbound end of one source of RTCP."""

    keys: Keys
    window: Window = field(default_factory=Window)

    def open(self, packet: bytes) -> Received:
        """The job of a packet. PacketError where it is too short, or was received before."""
        _control(packet)
        size = self.keys.sent_tag
        end = len(packet) - size - WORD - len(self.keys.mki)
        if end < CONTROL:
            raise PacketError(f"a packet of SRTCP of {len(packet)} bytes, which is too short")
        packet = self.keys.without_mki(packet)
        after = packet[end:]
        tag, trailer = (after[:size], after[size:]) if self.keys.combined else (after[WORD:], after[:WORD])
        (word,) = struct.unpack(">I", trailer)
        index = word % ENCRYPTED
        # The window begins at 1.
        self.window.check(index + 1)
        clear, job = self.keys.control_job(packet[:end], word, tag)
        return Received(index, clear, job)

    def accept(self, received: Received, text: bytes | None) -> bytes:
        """The packet of RTCP. PacketError where text is None, as the tag was wrong, or where it came twice."""
        if text is None:
            raise PacketError(MISMATCH)
        self.window.check(received.index + 1)
        self.window = self.window.after(received.index + 1)
        return received.header + text
